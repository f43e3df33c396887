"""The default panel of the shapes world: three readers, three encoders, makers of text."""

from __future__ import annotations

from vidence.worlds.generate import World

_PANEL = """\
# Three readers that are weak in different ways.
[answerers.myopic]
kind = "world_reader"
overlooks = 0.75
favourite = 0

[answerers.tinted]
kind = "world_reader"
confuses = ["orange", "yellow"]
confusion = 0.25
gaps = 0.02
favourite = 2

[answerers.hasty]
kind = "world_reader"
shake = 0.7
trust = 0.5
length_ratio = 1.25
length_excess = 6
refusal = 0.05
favourite = 1

# Three encoders that know no order.
[answerers.bag1]
kind = "bag_of_frames"
encoder = { kind = "world_encoder", variant = 1 }

[answerers.bag2]
kind = "bag_of_frames"
encoder = { kind = "world_encoder", variant = 2 }

[answerers.bag3]
kind = "bag_of_frames"
encoder = { kind = "world_encoder", variant = 3 }

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


def panel_toml(world: World) -> str:
    """Return the text of a panel file that is to lie in the world's folder."""
    return _PANEL.replace("TRANSCRIPTS", world.videos.relative_to(world.folder).as_posix())
