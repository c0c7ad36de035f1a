"""`python -m touchstone`, the same as the command."""

import sys

from touchstone.cli import main

sys.exit(main())
