"""Image-text encoders of the shapes world: pictures and words as vectors of one space."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.answer import ANSWERERS
from vidence.seeds import rng_of
from vidence.worlds.eyes import VERSION, see
from vidence.worlds.grammar import backdrop_of, colours_of, shapes_of
from vidence.worlds.vocabulary import COLOURS, PATTERNS, SHAPES, TONES, Glimpse

_VERSION = 1
_PAIR = re.compile(rf"({'|'.join(COLOURS)}) ({'|'.join(SHAPES)})")
_FEATURES: dict[tuple[str, ...], int] = {
    name: i
    for i, name in enumerate(
        [
            *product(COLOURS, SHAPES),
            *((colour,) for colour in COLOURS),
            *((shape,) for shape in SHAPES),
            *product(TONES, PATTERNS),
        ]
    )
}
_LOOSE = 0.2  # weight of a colour or a shape without the other, beside a colour on a shape
_SCENERY = 0.35

Vectors = NDArray[np.float32]


@dataclass(kw_only=True)
class WorldEncoder:
    """Embed pictures and texts of the shapes world by the coloured shapes in them.

    A vector holds which colour is on which shape, loose colours and shapes, and the background,
    with gains of the encoder's own, turned by a random rotation, plus noise that is the same for
    the same picture or text. There is no order of frames in it, and none of the words but noise.

    Args:
        name: of the panel member.
        variant: another number is another encoder.
        noise: length of the noise beside a vector of length 1.
        spread: spread of the gains around 1.
        size: length of the vectors.
    """

    name: str = "world_encoder"
    variant: int = 0
    noise: float = 0.2
    spread: float = 0.15
    size: int = 128
    identity: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Draw the encoder's gains and rotation."""
        self.identity = {
            "kind": "world_encoder",
            "version": [_VERSION, VERSION],
            "variant": self.variant,
            "noise": self.noise,
            "spread": self.spread,
            "size": self.size,
        }
        rng = rng_of("encoder", self.variant)
        self._gains = np.exp(rng.normal(0, self.spread, size=len(_FEATURES)))
        turn = rng.normal(size=(max(self.size, len(_FEATURES)), len(_FEATURES)))
        self._turn = np.linalg.qr(turn)[0][: self.size].T

    def embed_images(self, images: Sequence[NDArray[np.uint8]]) -> Vectors:
        """Return [n, size] for RGB images, uint8 [h, w, 3]."""
        rows = [(_of_glimpse(see(image)), image.tobytes()) for image in images]
        return self._embed(rows)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return [n, size] for texts."""
        return self._embed(
            [(_of_text(text), text.encode("utf-8", "surrogatepass")) for text in texts]
        )

    def _embed(self, rows: Sequence[tuple[NDArray[np.float64], bytes]]) -> Vectors:
        found = np.zeros((len(rows), self.size), dtype=np.float32)
        for i, (features, content) in enumerate(rows):
            vector = (features * self._gains) @ self._turn
            length = float(np.linalg.norm(vector))
            rng = rng_of("encoder", self.variant, blake2b(content, digest_size=16).hexdigest())
            dust = rng.normal(size=self.size)
            found[i] = vector / (length or 1) + self.noise * dust / np.linalg.norm(dust)
        return found


def _of_glimpse(glimpse: Glimpse) -> NDArray[np.float64]:
    features = np.zeros(len(_FEATURES))
    for sight in glimpse.sights:
        weight = min(1.0, sight.contrast / 150) * (sight.size / 0.2) ** 0.5
        features[_FEATURES[sight.colour, sight.shape]] += weight
        features[_FEATURES[sight.colour,]] += _LOOSE * weight
        features[_FEATURES[sight.shape,]] += _LOOSE * weight
    if glimpse.tone and glimpse.pattern:
        features[_FEATURES[glimpse.tone, glimpse.pattern]] += _SCENERY
    return features


def _of_text(text: str) -> NDArray[np.float64]:
    features = np.zeros(len(_FEATURES))
    for colour, shape in _PAIR.findall(text.lower()):
        features[_FEATURES[colour, shape]] += 1
    for word in (*colours_of(text), *shapes_of(text)):
        features[_FEATURES[word,]] += _LOOSE
    scenery = backdrop_of(text)
    if all(scenery):
        features[_FEATURES[scenery]] += 1
    return features


ANSWERERS.add("world_encoder", WorldEncoder)  # type: ignore[arg-type]
