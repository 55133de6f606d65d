"""What is done in port: yards, recruits, stores, and what is wrong with an order for them."""
