"""What scrambling keeps and what it takes; the oracle is the slow way in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from vidence.errors import UsageError
from vidence.media.clip import Edit
from vidence.media.edits import apply_edits
from vidence.media.phase import flat_frames, spectrum_drift
from vidence.media.ranks import match_histogram

SIZES = [(48, 64), (47, 64), (48, 63), (45, 61), (1, 8), (8, 1), (1, 1), (2, 2), (3, 3)]
PRESETS = [
    Edit.of("phase", seed=1),
    Edit.of("phase", seed=1, source="noise"),
    Edit.of("phase", seed=1, combine="replace", channels="independent"),
    Edit.of("phase", seed=1, iterations=3),
    Edit.of("phase_reference", seed=1),
]


def picture(height: int, width: int, frames: int = 2) -> NDArray[np.uint8]:
    """Make frames with the spectrum of natural pictures, correlated between the channels."""
    rng = np.random.default_rng(height * 1000 + width)
    y, x = np.fft.fftfreq(height)[:, None], np.fft.fftfreq(width)[None]
    fall = np.sqrt(y**2 + x**2 + 1e-4)
    plain = np.fft.ifft2(np.fft.fft2(rng.standard_normal((frames, height, width))) / fall).real
    plain -= plain.min()
    plain *= 220 / max(plain.max(), 1e-9)
    channels = [plain, plain * 0.8 + 15, np.roll(plain, 2, axis=2) * 0.9 + 5]
    return np.stack(channels, axis=-1).clip(0, 255).astype(np.uint8)


@given(
    arrays.arrays(
        np.float32,
        st.tuples(st.integers(1, 9), st.integers(1, 9)),
        elements=st.floats(-1e4, 1e4, width=32),
    ),
    st.data(),
)
def test_values_are_given_by_rank_as_a_stable_sort_gives_them(
    values: NDArray[np.float32], data: st.DataObject
) -> None:
    like = data.draw(arrays.arrays(np.uint8, values.shape))
    wanted = np.empty(values.size, np.uint8)
    wanted[np.argsort(values.ravel(), kind="stable")] = np.sort(like.ravel())
    assert (match_histogram(values, like).ravel() == wanted).all()


def test_values_closer_than_their_precision_are_still_ranked() -> None:
    values = np.array([[3e-45, 0.0, 1.4e-45]], np.float32)
    assert match_histogram(values, np.array([[9, 5, 7]], np.uint8)).tolist() == [[9, 5, 7]]


@pytest.mark.parametrize("tied", [False, True])
def test_a_large_plane_is_matched_exactly(tied: bool) -> None:
    rng = np.random.default_rng(3)
    values = rng.standard_normal((300, 500)).astype(np.float32)
    values = np.round(values, 1) if tied else values
    like = (rng.random(values.shape) ** 3 * 256).astype(np.uint8)
    wanted = np.empty(values.size, np.uint8)
    wanted[np.argsort(values.ravel(), kind="stable")] = np.sort(like.ravel())
    assert (match_histogram(values, like).ravel() == wanted).all()


@pytest.mark.parametrize("edit", PRESETS, ids=str)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_channel_keeps_its_histogram(edit: Edit, size: tuple[int, int]) -> None:
    images = picture(*size)
    out = apply_edits(images, (edit,))
    assert out.shape == images.shape
    for old, new in zip(images, out, strict=True):
        for c in range(3):
            before, after = (np.bincount(a[:, :, c].ravel(), minlength=256) for a in (old, new))
            assert (before == after).all()


@pytest.mark.parametrize("size", [(48, 64), (47, 64), (48, 63), (45, 61)], ids=str)
@pytest.mark.parametrize("combine", ["add", "replace"])
def test_without_the_match_the_spectrum_stays_to_the_rounding(
    size: tuple[int, int], combine: str
) -> None:
    """Low contrast, so that nothing is cut at 0 or 255: only rounding moves the spectrum."""
    images = (picture(*size) // 8) + 100
    edit = Edit.of("phase", seed=2, histogram="none", combine=combine)
    out = apply_edits(images, (edit,))
    a = np.abs(np.fft.fft2(images[0, :, :, 0].astype(float)))
    b = np.abs(np.fft.fft2(out[0, :, :, 0].astype(float)))
    # Rounding adds white noise of variance 1/12 a pixel, so sqrt(h w / 12) a frequency; six of
    # them are never reached, and the spectrum itself is many times larger.
    assert np.abs(a - b).max() < 6 * np.sqrt(size[0] * size[1] / 12)
    assert np.sort(a.ravel())[-20] > 20 * np.sqrt(size[0] * size[1] / 12)
    assert abs(out.mean() - images.mean()) < 0.5


def test_places_are_lost_and_the_correlation_of_channels_is_kept_only_by_a_shared_field() -> None:
    images = picture(180, 240)
    shared = apply_edits(images, (Edit.of("phase", seed=3),))
    alone = apply_edits(images, (Edit.of("phase_reference", seed=3),))

    def together(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
        return float(np.corrcoef(a.ravel().astype(float), b.ravel().astype(float))[0, 1])

    assert together(images[0, :, :, 0], images[0, :, :, 1]) > 0.99
    assert together(shared[0, :, :, 0], shared[0, :, :, 1]) > 0.95
    assert abs(together(alone[0, :, :, 0], alone[0, :, :, 1])) < 0.5
    for out in (shared, alone):
        assert abs(together(images[0], out[0])) < 0.5


def test_one_field_for_all_frames_moves_equal_frames_alike() -> None:
    still = np.repeat(picture(40, 50, 1), 3, axis=0)
    shared = apply_edits(still, (Edit.of("phase", seed=4),))
    each = apply_edits(still, (Edit.of("phase", seed=4, time="independent"),))
    assert (shared[0] == shared[1]).all()
    assert (shared[0] == shared[2]).all()
    assert (each[0] != each[1]).any()


@pytest.mark.parametrize("name", ["phase", "phase_reference"])
def test_a_seed_is_a_draw(name: str) -> None:
    images = picture(40, 50)
    one, same, other = (apply_edits(images, (Edit.of(name, seed=s),)) for s in (5, 5, 6))
    assert (one == same).all()
    assert (one != other).any()


def test_more_frames_do_not_change_those_before() -> None:
    images = picture(40, 50, 4)
    edit = (Edit.of("phase", seed=7, time="independent"),)
    assert (apply_edits(images, edit)[:2] == apply_edits(images[:2], edit)).all()


def test_rounds_bring_the_spectrum_back() -> None:
    """A picture with edges drifts; the drift is the plain formula in float64."""
    images = np.zeros((1, 60, 80, 3), np.uint8)
    images[:, 20:40, 30:60] = (250, 120, 30)
    drift = {}
    for rounds in (0, 2, 10):
        out = apply_edits(images, (Edit.of("phase", seed=8, iterations=rounds),))
        drift[rounds] = spectrum_drift(images, out)[0]
        moved = total = 0.0
        for c in range(3):
            a = np.abs(np.fft.fft2(images[0, :, :, c].astype(float)))
            b = np.abs(np.fft.fft2(out[0, :, :, c].astype(float)))
            a[0, 0] = b[0, 0] = 0.0
            moved, total = moved + np.abs(a - b).sum(), total + a.sum()
        assert drift[rounds] == pytest.approx(moved / total, rel=1e-4)
    assert drift[10] < drift[2] < drift[0]
    assert drift[0] > 0.3


def test_flat_frames_are_told_from_pictures() -> None:
    flat = np.zeros((1, 60, 80, 3), np.uint8)
    flat[:, 20:40, 30:60] = 255
    assert list(flat_frames(np.concatenate([picture(60, 80, 1), flat]))) == [False, True]
    assert spectrum_drift(flat * 0, flat * 0) == [0.0]


def test_a_frame_of_its_mean_is_rounded_down() -> None:
    image = np.zeros((1, 1, 2, 3), np.uint8)
    image[0, 0] = [(1, 255, 0), (2, 255, 0)]
    assert apply_edits(image, (Edit("mean_frame"),))[0, 0].tolist() == [[1, 255, 0], [1, 255, 0]]


@pytest.mark.parametrize(
    "edit",
    [
        Edit.of("phase", source="pink"),
        Edit.of("phase", iterations=-1),
        Edit.of("phase", chanels="x"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_named(edit: Edit) -> None:
    with pytest.raises(UsageError, match=edit.params[0][0]):
        apply_edits(picture(8, 8), (edit,))
