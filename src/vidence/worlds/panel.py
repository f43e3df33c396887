"""The default panel of the shapes world: three readers, three encoders, makers of text."""

from __future__ import annotations

from math import inf

from vidence.errors import UsageError
from vidence.worlds.generate import World

_PANEL = """\
# Three readers that are weak in different ways.
[answerers.myopic]
kind = "world_reader"
overlooks = 0.75
slip = SLIP
favourite = 0

[answerers.tinted]
kind = "world_reader"
confuses = ["orange", "yellow"]
confusion = 0.25
gaps = 0.02
slip = SLIP
favourite = 2

[answerers.hasty]
kind = "world_reader"
shake = 0.7
trust = 0.5
length_ratio = 1.25
length_excess = 6
refusal = 0.05
slip = SLIP
favourite = 1

# Three encoders that know no order.
[answerers.bag1]
kind = "bag_of_frames"
encoder = { kind = "world_encoder", variant = 1, noise = NOISE }

[answerers.bag2]
kind = "bag_of_frames"
encoder = { kind = "world_encoder", variant = 2, noise = NOISE }

[answerers.bag3]
kind = "bag_of_frames"
encoder = { kind = "world_encoder", variant = 3, noise = NOISE }

# Who makes captions and transcripts.
[answerers.scribe]
kind = "world_captioner"

[answerers.subtitles]
kind = "transcript_files"
folder = "TRANSCRIPTS"

[roles]
captioner = "scribe"
transcriber = "subtitles"
"""


def panel_toml(world: World, *, slip: float = 0.01, noise: float = 0.2) -> str:
    """Return the text of a panel file that is to lie in the world's folder.

    Args:
        world: its transcripts are named in the file.
        slip: chance of each reader to answer without looking.
        noise: length of the encoders' noise beside vectors of length 1.

    Raises:
        UsageError: a number outside its range.
    """
    if not 0 <= slip <= 1 or not 0 <= noise < inf:
        raise UsageError(
            f"slip={slip}, noise={noise} came; slip is a chance from 0 to 1 and noise a length "
            "of 0 or more. Correct it."
        )
    transcripts = world.videos.relative_to(world.folder).as_posix()
    text = _PANEL.replace("TRANSCRIPTS", transcripts)
    return text.replace("SLIP", repr(float(slip))).replace("NOISE", repr(float(noise)))
