"""Puts compiled kernels into the wheel, if a folder of them is named; `make wheel` names one.

Such a wheel is for one platform and one version of Python. Without the variable the wheel is pure
Python, and kernels are compiled at first use.
"""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Adds the folder of ``TAMAYA_PRECOMPILED`` as ``tamaya/precompiled``."""

    def initialize(self, version, build_data):
        """Called before anything is packed."""
        folder = os.environ.get("TAMAYA_PRECOMPILED")
        if folder:
            build_data["force_include"][folder] = "tamaya/precompiled"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
