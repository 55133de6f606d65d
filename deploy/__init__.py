"""How it runs: settings, addresses, tasks, supervision. Importing it loads neither Django nor Celery: supervisor and beat do without."""
