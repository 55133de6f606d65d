"""What mails and printed papers say."""
