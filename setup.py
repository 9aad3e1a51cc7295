"""The one step pyproject.toml cannot say: the folder resources travels inside the package as tapdesk/_data."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithResources(build_py):
    """Build the modules, then copy ``resources`` beside them; an editable install reads the folder where it is."""

    def run(self) -> None:
        """Build, unless nothing is to be copied."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "tapdesk" / "_data"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(Path(__file__).resolve().parent / "resources", target)


setup(cmdclass={"build_py": BuildWithResources})
