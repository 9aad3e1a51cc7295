"""The program's version, said once; a frozen bundle has no package metadata to ask."""

VERSION = "0.1.0"


def libraries() -> str:
    """Python and what the numbers are worked out with, each with its version."""
    import platform

    # Late: the version is asked for before anything else is loaded.
    import numpy as np
    import scipy

    return f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}"
