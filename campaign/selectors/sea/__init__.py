"""Places and the paper chart under everything else."""
