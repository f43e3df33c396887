"""The annotated evidence in place of what was found."""

from dataclasses import replace

from vidence.check import probe
from vidence.errors import NotApplicableError
from vidence.media.clip import At, Clip, Fps
from vidence.replay import WITHHELD, Frames, rendering
from vidence.view import Context, Evidence, Part, Text, View


@probe()
def gold_evidence(
    view: View,
    context: Context,
    *,
    fps: float = 1.0,
    frames: int = 128,
    codec: str = "jpeg-90-420",
) -> tuple[View]:
    """Replay with the frames of the annotated spans in place of those that were retrieved.

    Tells evidence that was missed from evidence that was seen and not used. The first piece that
    has frames is replaced by the spans, the others are taken away.
    """
    how = Frames(fps, frames, codec)
    if not context.spans:
        raise NotApplicableError("no annotated evidence")
    evidence = [part for part in view.evidence() if part.clip is not None]
    if not evidence:
        raise NotApplicableError("no evidence whose frames can be rebuilt")
    first, spans = evidence[0], iter(context.spans)

    def gold(clip: Clip) -> Clip:
        start, end = next(spans)
        sampling = Fps(2.0, 32) if isinstance(clip.sampling, At) else clip.sampling
        return replace(how.of(clip), start=start, end=end, sampling=sampling)

    shown: list[tuple[str, Part]] = []
    for role, part in view.parts:
        if part is first and first.clip is not None:
            for number in range(len(context.spans)):
                anew = replace(first, item=number)
                shown.append((role, rendering(anew, gold(first.clip), context)))
                shown.append((role, Text("\n")))
        elif isinstance(part, Evidence):
            shown.append((role, Text(WITHHELD)))
        else:
            shown.append((role, part))
    return (view.with_parts(*shown),)
