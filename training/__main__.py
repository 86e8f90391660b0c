"""``python -m training`` is the command ``naips``."""

import sys

from training.cli import main

sys.exit(main())
