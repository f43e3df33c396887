"""Phase scrambling against the way it is written down: seconds a frame, side by side.

    python benchmarks/scrambling.py [--repeats 5]

Every row is a way, every ratio is taken inside one round, and the median round is printed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vidence.media.clip import Edit
from vidence.media.edits import apply_edits
from vidence.media.phase import spectrum_drift

Image = NDArray[np.uint8]
WAYS = {
    "phase_reference": Edit.of("phase_reference", seed=1),
    "phase, independent": Edit.of(
        "phase", seed=1, combine="replace", channels="independent", time="independent"
    ),
    "phase (shared)": Edit.of("phase", seed=1),
    "phase, 2 rounds": Edit.of("phase", seed=1, iterations=2),
    "phase, 10 rounds": Edit.of("phase", seed=1, iterations=10),
}


def picture(height: int, width: int) -> Image:
    """Make a frame with a spectrum that falls as 1/f."""
    rng = np.random.default_rng(0)
    fall = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.fftfreq(width)[None])
    fall[0, 0] = 1
    plain = np.fft.ifft2(np.fft.fft2(rng.standard_normal((height, width))) / fall).real
    plain = (plain - plain.min()) / (plain.max() - plain.min()) * 220
    channels = np.stack([plain, plain * 0.8 + 15, np.roll(plain, 3, 1) * 0.9 + 5], axis=-1)
    return channels.astype(np.uint8)[None]


def written_down(images: Image) -> Image:
    """Scramble as the method is usually written: whole transforms, angles, a full sort."""
    rng = np.random.default_rng(1)
    out = np.empty_like(images)
    for i, image in enumerate(images):
        for c in range(3):
            plane = image[:, :, c].astype(np.float64)
            size = np.abs(np.fft.fft2(plane))
            angle = np.angle(np.fft.fft2(rng.standard_normal(plane.shape)))
            mixed = np.fft.ifft2(size * np.exp(1j * angle)).real.ravel()
            ranked = np.empty(plane.size)
            ranked[np.argsort(mixed)] = np.sort(plane.ravel())
            out[i, :, :, c] = ranked.reshape(plane.shape).clip(0, 255).astype(np.uint8)
    return out


def seconds(call: Callable[[], object]) -> float:
    """Time one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print(f"{'frame':>10}  {'way':<20} {'ms':>7} {'times as fast':>14} {'drift':>7}")
    for height, width in ((360, 640), (720, 1280), (1080, 1920)):
        compare(picture(height, width), repeats)


def compare(images: Image, repeats: int) -> None:
    """Print the rows of one size."""
    ways: dict[str, Callable[[], Image]] = {"as written down": lambda: written_down(images)}
    for name, edit in WAYS.items():
        ways[name] = partial(apply_edits, images, (edit,))
    times = np.array([[seconds(call) for call in ways.values()] for _ in range(repeats)])
    for place, (name, call) in enumerate(ways.items()):
        size = "" if place else f"{images.shape[2]}x{images.shape[1]}"
        drift = spectrum_drift(images, call())[0]
        ratio = np.median(times[:, 0] / times[:, place])
        mine = 1000 * np.median(times[:, place])
        print(f"{size:>10}  {name:<20} {mine:7.0f} {ratio:14.1f} {drift:7.3f}")


if __name__ == "__main__":
    main()
