"""What everyone may know of a campaign, strangers included."""
