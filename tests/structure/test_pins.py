"""The pinned versions install together: no pin breaks what an installed package asks for."""

from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINS = Path(__file__).parents[2] / "constraints.txt"


def pinned() -> dict[str, str]:
    """Name to version, as constraints.txt states them."""
    lines = (line.partition("#")[0].strip() for line in PINS.read_text().splitlines())
    pairs = (line.partition("==") for line in lines if line)
    return {canonicalize_name(name): number for name, _, number in pairs}


def test_a_pin_names_one_version_once() -> None:
    lines = [line for line in PINS.read_text().splitlines() if line and line[0] != "#"]
    assert len(pinned()) == len(lines)
    assert all(pinned().values())


def test_no_pin_breaks_a_requirement_of_an_installed_package() -> None:
    pins = pinned()
    clashes = []
    for package in distributions():
        for text in package.requires or ():
            need = Requirement(text)
            applies = need.marker is None or need.marker.evaluate({"extra": ""})
            pin = pins.get(canonicalize_name(need.name))
            if applies and pin and not need.specifier.contains(pin, prereleases=True):
                clashes.append(f"{package.name} asks for {text}; constraints.txt pins {pin}")
    assert clashes == []


def test_what_is_installed_is_what_is_pinned() -> None:
    """`make test` installs with the pins, so a difference means a pin that was edited by hand."""
    drifted = {}
    for name, number in pinned().items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if installed.partition("+")[0] != number:
            drifted[name] = f"{installed} installed, {number} pinned"
    assert drifted == {}
