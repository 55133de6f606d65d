"""Finds the machine's own Chromium for the browser tests; none is downloaded."""

import os
import shutil

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A window of its own for each test has an address bar, whose list of proposals is a page that costs more than most of the pages tested.
# Nor is a process to wait in reserve for a second page that no test opens.
_OURS_OFF = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
# Chromium heeds the last list of features only, so what the driver turns off for the sake of tests stands in it again.
_DRIVERS_OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable"),
    *("LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
)  # fmt: skip
ARGUMENTS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    f"--disable-features={','.join((*_DRIVERS_OFF, *_OURS_OFF))}",
)


def find_chromium() -> str | None:
    """The path of the browser: the variable CHROMIUM, or the first known name on the PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def why_not() -> str:
    """Why no browser can be driven here; empty when one can."""
    return "" if find_chromium() else f"none of {', '.join(PROGRAMS)} is installed"
