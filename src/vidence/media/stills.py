"""Read frames that are stored as images."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vidence.media.errors import VideoDamagedError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def still(path: Path, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """Return an image file as upright RGB [h, w, 3].

    Args:
        path: the file; its EXIF turn is applied, transparency is dropped.
        size: (width, height) to resize to, None for its own.

    Raises:
        VideoDamagedError: the file is no whole image, or one of more than 178 million pixels.
    """
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                upright = ImageOps.exif_transpose(image).convert("RGB")
    except (
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombWarning,
        Image.DecompressionBombError,
    ) as error:
        raise VideoDamagedError(
            path.parent,
            f"the frame {path.name} cannot be read ({error})",
            "Fetch it again, or leave the item out.",
        ) from error
    if size is not None and upright.size != size:
        upright = upright.resize(size, Image.Resampling.BICUBIC)
    return np.asarray(upright)
