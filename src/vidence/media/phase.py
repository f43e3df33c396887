"""Scramble the phases of pictures: the spectrum and the colours stay, what is shown goes.

What stays of a frame is its amplitude spectrum (up to the drift that the match of colours brings)
and its exact histogram in each channel; what goes is every place at which something was. Such
frames are the control of an agent audit: they ask a model's eyes for as much as the originals do
and show nothing.

Source of the method: phase scrambling as in CARVE; the fast ways are ours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from vidence.errors import UnknownNameError, UsageError
from vidence.media.edits import edit
from vidence.media.ranks import match_histogram

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Scramble:
    """How phases are scrambled.

    One field that is added keeps the correlation of the channels and of the frames, so that the
    result is as easy to pack as the original; that is the default.

    Args:
        source: phases drawn `uniform` in the half spectrum, or taken from the spectrum of white
            `noise`: the same distribution, uniform is quicker.
        combine: `add` the phases to the picture's own, or `replace` these.
        channels: one field for the three channels (`shared`), or one each (`independent`).
        time: one field for all frames (`shared`), or one each (`independent`).
        histogram: `exact` gives each channel its own values back, by rank; `none` keeps the mean
            and cuts what leaves 0 to 255.
        iterations: rounds of putting the amplitudes and the values back in turn (IAAFT; Schreiber
            & Schmitz 1996), against the drift of the spectrum.

    Raises:
        UsageError: a word or number that is not allowed.
    """

    source: str = "uniform"
    combine: str = "add"
    channels: str = "shared"
    time: str = "shared"
    histogram: str = "exact"
    iterations: int = 0

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise UsageError(
                    f"phase: {name} = {getattr(self, name)!r} came; "
                    f"{' or '.join(allowed)} is allowed."
                )
        if not 0 <= self.iterations <= 100:
            raise UsageError(f"phase: iterations = {self.iterations} came; 0 to 100 is allowed.")


_ALLOWED = {
    "source": ("uniform", "noise"),
    "combine": ("add", "replace"),
    "channels": ("shared", "independent"),
    "time": ("shared", "independent"),
    "histogram": ("exact", "none"),
}
REFERENCE = Scramble(source="noise", combine="replace", channels="independent", time="independent")


@edit()
def phase(
    images: NDArray[np.uint8], *, rng: Generator, seed: int = 0, **how: Any
) -> NDArray[np.uint8]:
    """Scramble the phases, by one field for all channels and frames unless told otherwise.

    Args:
        images: uint8 [n, h, w, 3].
        rng: named by the edit and its parameters.
        seed: gives another draw.
        how: fields of `Scramble`.

    Raises:
        UsageError: a setting, word or number that is not allowed.
    """
    known = [f.name for f in fields(Scramble)]
    for name in how:
        if name not in known:
            raise UnknownNameError("setting of phase", name, known)
    return scrambled(images, Scramble(**how), rng=rng)


@edit()
def phase_reference(
    images: NDArray[np.uint8], *, rng: Generator, seed: int = 0
) -> NDArray[np.uint8]:
    """Scramble the phases as CARVE's authors do: new noise for every channel and frame."""
    return scrambled(images, REFERENCE, rng=rng)


def scrambled(images: NDArray[np.uint8], how: Scramble, *, rng: Generator) -> NDArray[np.uint8]:
    """Return the frames [n, h, w, 3] with their phases scrambled."""
    _, height, width, depth = images.shape
    draw = _noise_phases if how.source == "noise" else _uniform_phases
    drawn = 1 if how.channels == "shared" else depth
    out = np.empty_like(images)
    field: list[NDArray[np.complex64]] = []
    for i, image in enumerate(images):
        if not field or how.time == "independent":
            field = [draw(rng, height, width) for _ in range(drawn)]
        for c in range(depth):
            plane = np.ascontiguousarray(image[:, :, c])
            out[i, :, :, c] = _scrambled(plane, field[c % drawn], how)
    return out


@edit()
def mean_frame(images: NDArray[np.uint8], *, rng: Generator) -> NDArray[np.uint8]:
    """Fill every frame with its own mean colour, rounded down."""
    means = images.mean(axis=(1, 2), keepdims=True, dtype=np.float64).astype(np.uint8)
    return np.broadcast_to(means, images.shape).copy()


def _scrambled(
    plane: NDArray[np.uint8],
    field: NDArray[np.complex64],
    how: Scramble,
) -> NDArray[np.uint8]:
    """Scramble one channel [h, w] by unit numbers [h, w // 2 + 1]."""
    from scipy import fft

    shape = plane.shape
    spectrum = fft.rfft2(plane.astype(np.float32))
    amplitude = np.abs(spectrum)
    mixed = fft.irfft2((spectrum if how.combine == "add" else amplitude) * field, s=shape)
    for _ in range(how.iterations):
        values = match_histogram(mixed, plane).astype(np.float32)
        now = fft.rfft2(values)
        size = np.abs(now)
        unit = np.divide(now, size, out=np.ones_like(now), where=size > 0)
        mixed = fft.irfft2(amplitude * unit, s=shape)
    if how.histogram == "exact":
        return match_histogram(mixed, plane)
    cut: NDArray[np.uint8] = np.clip(np.rint(mixed), 0, 255).astype(np.uint8)
    return cut


def _uniform_phases(rng: Generator, height: int, width: int) -> NDArray[np.complex64]:
    """Draw unit numbers [height, width // 2 + 1], those of a real picture, 1 at the mean."""
    half = width // 2 + 1
    angle = rng.random((height, half), dtype=np.float32)
    angle *= np.float32(2 * np.pi)
    unit = np.empty((height, half), np.complex64)
    np.cos(angle, out=unit.real)
    np.sin(angle, out=unit.imag)
    for column in {0, width // 2} if width % 2 == 0 else {0}:
        _mirror(unit[:, column])
    unit[0, 0] = 1
    return unit


def _noise_phases(rng: Generator, height: int, width: int) -> NDArray[np.complex64]:
    """Return the unit numbers of the spectrum of white noise [height, width]."""
    from scipy import fft

    noise = fft.rfft2(rng.standard_normal((height, width), dtype=np.float32))
    size = np.abs(noise)
    return np.asarray(
        np.divide(noise, size, out=np.ones_like(noise), where=size > 0), dtype=np.complex64
    )


def _mirror(column: NDArray[np.complex64]) -> None:
    """Make a column its own mirrored conjugate in place, as that of a real picture is."""
    n = len(column)
    column[n // 2 + 1 :] = np.conj(column[1 : (n + 1) // 2][::-1])
    for own in {0, n // 2} if n % 2 == 0 else {0}:
        column[own] = 1 if column[own].real >= 0 else -1


def spectrum_drift(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how far the amplitude spectrum of each frame has moved, float [n].

    Formula: sum over frequencies but the mean, and over channels, of | |F after| - |F before| |,
    divided by the sum of |F before|. 0 for frames without any contrast.

    Args:
        before, after: uint8 [n, h, w, 3].
    """
    from scipy import fft

    drifts = []
    for old, new in zip(before, after, strict=True):
        moved = total = 0.0
        for c in range(old.shape[-1]):
            a = np.abs(fft.fft2(old[:, :, c].astype(np.float32)))
            b = np.abs(fft.fft2(new[:, :, c].astype(np.float32)))
            a[0, 0] = b[0, 0] = 0
            moved += float(np.abs(b - a).sum(dtype=np.float64))
            total += float(a.sum(dtype=np.float64))
        drifts.append(moved / total if total else 0.0)
    return np.array(drifts)


FLAT_BITS = 4.0


def flat_frames(images: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which frames are flat, bool [n]: the entropy of each channel's values is below 4 bits.

    On flat frames (cartoons, slides, test pictures) the match of values moves the spectrum far, so
    that scrambling removes more than places.

    Args:
        images: uint8 [n, h, w, 3].
    """
    flat = []
    for image in images:
        bits = []
        for c in range(image.shape[-1]):
            share = np.bincount(image[:, :, c].ravel(), minlength=256) / image[:, :, c].size
            share = share[share > 0]
            bits.append(float(-(share * np.log2(share)).sum()))
        flat.append(max(bits) < FLAT_BITS)
    return np.array(flat, dtype=np.bool_)
