"""Answer by an image-text encoder that knows no order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from vidence.answer import ANSWERERS, Reply, Request, answerer
from vidence.errors import PanelError
from vidence.prompt import Prompt, render
from vidence.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vidence.media.pixels import FrameCache


@runtime_checkable
class Encoder(Protocol):
    """Images and texts in one space.

    Attributes:
        identity: everything that can change its vectors.
    """

    identity: Mapping[str, Any]

    def embed_images(self, images: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """Return [n, d] for n RGB images [h, w, 3]."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return [n, d] for n texts."""
        ...


@answerer("bag_of_frames")
class BagOfFrames:
    """Choose the option nearest to the frames that are nearest to the question.

    With unit vectors f_i (frames), q (question), o_j (options) and S the k frames of highest
    <f_i, q>: `mean` scores option j by <m / |m|, o_j>, m the mean of S; `max` by the largest
    <f_i, o_j> over S. Source: Video-Oasis, k = 32, mean.

    Args:
        name: unique in the panel.
        encoder: an `Encoder`, or settings of one (`{kind = "...", ...}`).
        k: how many frames count, all of them if there are fewer.
        aggregate: `mean` or `max`.
        size: longest side of the frames in pixels.

    The reply has one score an option; equal best scores make the answer ambiguous, never the
    first option. Frames equal in similarity to the question at the k-th place enter by time.
    """

    panel = "encoder"
    batch = 1

    def __init__(
        self,
        *,
        name: str,
        encoder: Encoder | Mapping[str, Any],
        k: int = 32,
        aggregate: str = "mean",
        size: int = 224,
        concurrency: int = 2,
    ) -> None:
        if aggregate not in ("mean", "max"):
            raise PanelError(f"aggregate = {aggregate!r} came; 'mean' or 'max' is allowed.")
        if k < 1:
            raise PanelError(f"k = {k} came; at least 1 frame is needed.")
        if isinstance(encoder, Mapping):
            settings = dict(encoder)
            kind = settings.pop("kind", None)
            if not isinstance(kind, str):
                raise PanelError(
                    f"The encoder of {name!r} has no kind. Write encoder = {{kind = '...'}}."
                )
            encoder = ANSWERERS[kind](name=name, **settings)  # type: ignore[assignment]
        self.name, self.concurrency = name, concurrency
        self._encoder: Encoder = encoder  # type: ignore[assignment]
        self._k, self._aggregate, self._size = k, aggregate, size
        self.identity: Mapping[str, Any] = {
            "kind": "bag_of_frames",
            "encoder": dict(self._encoder.identity),
            "k": k,
            "aggregate": aggregate,
            "size": size,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt; question and options enter the encoder one by one."""
        return render(view, size=self._size)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one reply a request, with scores."""
        return [self._one(request.prompt, media) for request in requests]

    def _one(self, prompt: Prompt, media: FrameCache) -> Reply:
        import numpy as np
        from PIL import Image

        images = []
        notes: list[str] = []
        for clip in prompt.clips():
            encoded = media.encoded(clip)
            notes += encoded.notes
            images += [np.asarray(Image.open(BytesIO(b)).convert("RGB")) for b in encoded.images]
        if not images or not prompt.options:
            return Reply(status="absent", error="an encoder needs frames and options")
        frames = unit(self._encoder.embed_images(images))
        texts = unit(self._encoder.embed_texts([prompt.question, *prompt.options]))
        nearest = np.argsort(-(frames @ texts[0]), kind="stable")[: self._k]
        scores = pool(frames[nearest], texts[1:], self._aggregate)
        return Reply(
            text="",
            finish_reason="stop",
            scores=tuple(float(score) for score in scores),
            usage={"frames": len(images), "frames_kept": len(nearest)},
            notes=tuple(notes),
        )


def unit(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return [n, d] vectors at length 1; a zero vector stays zero."""
    import numpy as np

    wide = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(wide, axis=1, keepdims=True)
    return wide / np.where(length == 0, 1.0, length)


def pool(
    frames: NDArray[np.float64], options: NDArray[np.float64], aggregate: str
) -> NDArray[np.float64]:
    """Score options [m, d] against kept frames [k, d]; returns [m].

    Scores are rounded to 12 digits so that equal options tie whatever the order of the sums.
    """
    import numpy as np

    if aggregate == "max":
        scores = (frames @ options.T).max(axis=0)
    else:
        scores = options @ unit(frames.mean(axis=0)[None])[0]
    return np.asarray(np.round(scores, 12), dtype=np.float64)
