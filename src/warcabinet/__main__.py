"""`warcabinet`, and `python -m warcabinet`, which is the same."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Read the program, which takes a moment in which one may think better of it, and run it."""
    # All that is read now stays to the end: looking through it again and again for what could go is in vain.
    gc.disable()
    try:
        from warcabinet.cli.main import main as run
    except KeyboardInterrupt:
        print("Stopped before anything was begun", file=sys.stderr)
        sys.exit(130)
    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    main()
