"""What happened, as its reader may know it: reports, news, letters, score, chronicle."""
