"""What emails and printed papers say."""
