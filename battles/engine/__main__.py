"""`python -m battles.engine`."""

import sys

from battles.engine.cli import main

sys.exit(main())
