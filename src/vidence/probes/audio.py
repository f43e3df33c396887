"""The sound track in words, in place of the video."""

from vidence.check import probe
from vidence.media.clip import Sound
from vidence.view import Context, Rendering, View

INSTRUCTION = "Transcribe the speech."


@probe(counts=True)
def audio(view: View, context: Context) -> tuple[View]:
    """Show a transcript of the sound track instead of the video.

    The transcript comes from the panel's `transcriber`: a folder of files or a model. Where it
    has nothing for a video the check does not apply. Source: Video-Oasis, visual dependency
    (Whisper large-v3 there).
    """
    clip = view.clip()
    sound = Sound(clip.video, clip.start, clip.end)
    return (view.with_parts(("transcript", Rendering(sound, "transcriber", INSTRUCTION))),)
