"""Find the video that a dataset's name stands for, or say why it cannot be told."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from vidence.media.clip import Video
from vidence.media.errors import AmbiguousVideoError, MissingVideoError
from vidence.media.folder import IMAGE_SUFFIXES

_CONTAINERS = "mp4 m4v mov mkv webm avi flv wmv asf ts mts m2ts mpg mpeg 3gp ogv gif"
VIDEO_SUFFIXES = frozenset(f".{suffix}" for suffix in _CONTAINERS.split())


def find_video(folder: Path, name: str, fps: float | None = None) -> Video:
    """Return the video of a name below a folder.

    A name with folders in it is that path and no other. A bare name is looked for in all folders
    below; where several files answer to it, none is chosen, since two sources may give different
    videos one name. The suffix may be left out. Sidecars (`._clip.mp4`) and hidden files are never
    found. For many names make one `VideoFolder`, which lists the files once.

    Args:
        folder: where the videos are.
        name: as the dataset has it, with or without suffix, `/` between folders.
        fps: frames a second, for names of frame folders.

    Raises:
        MissingVideoError: nothing has this name, or it leads out of the folder.
        AmbiguousVideoError: several files answer to it.
    """
    return VideoFolder(folder).find(name, fps)


class VideoFolder:
    """The videos below a folder, listed once.

    Args:
        folder: where they are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._by_name: dict[str, list[Path]] | None = None

    def find(self, name: str, fps: float | None = None) -> Video:
        """Return the video of a name; see `find_video`."""
        here = self.answering(name)
        relative = _relative(name)
        if not here:
            raise self._missing(relative)
        if len(here) > 1:
            places = ", ".join(sorted(p.relative_to(self.folder).as_posix() for p in here)[:5])
            raise AmbiguousVideoError(
                self.folder / relative,
                f"{len(here)} files answer to the name {name!r} ({places})",
                "Give the name with its folder.",
            )
        return Video(here[0], fps=fps if here[0].is_dir() else None)

    def answering(self, name: str) -> list[Path]:
        """Return every file that answers to a name; none is an answer too, and a quick one.

        Raises:
            MissingVideoError: the name leads out of the folder, or is a hidden file's.
        """
        relative = _relative(name)
        if relative.is_absolute() or ".." in relative.parts or not relative.parts:
            raise MissingVideoError(
                self.folder / "?",
                f"the name {name!r} leads out of {self.folder.name}",
                "Names are relative to the videos folder.",
            )
        if relative.name.startswith("."):
            raise MissingVideoError(
                self.folder / relative, "a hidden file or sidecar is no video", ""
            )
        here = self._at(self.folder / relative)
        if not here and len(relative.parts) == 1:
            here = self._anywhere(relative.name)
        return here

    def _at(self, path: Path) -> list[Path]:
        if path.exists():
            return [path]
        if path.suffix.lower() in VIDEO_SUFFIXES or not path.parent.is_dir():
            return []
        return [p for p in self._named(path.name) if p.parent == path.parent]

    def _anywhere(self, name: str) -> list[Path]:
        return self._named(name) or self._named(name, any_case=True)

    def _named(self, name: str, any_case: bool = False) -> list[Path]:
        found = []
        for path in self._listed().get(name.lower(), ()):
            if any_case or name in (path.name, path.stem):
                found.append(path)
        return found

    def _listed(self) -> dict[str, list[Path]]:
        """Return every video by its lower-case name and by its name without suffix."""
        if self._by_name is None:
            self._by_name = {}
            for path in sorted(self.folder.rglob("*")):
                hidden = any(p.startswith(".") for p in path.relative_to(self.folder).parts)
                if hidden or not _is_video(path):
                    continue
                for name in {path.name.lower(), path.stem.lower()}:
                    self._by_name.setdefault(name, []).append(path)
        return self._by_name

    def _missing(self, relative: PurePosixPath) -> MissingVideoError:
        close = get_close_matches(relative.name.lower(), self._listed(), n=1, cutoff=0.8)
        hint = f" Did you mean {self._listed()[close[0]][0].name!r}?" if close else ""
        return MissingVideoError(
            self.folder / relative,
            f"no video of the name {relative.as_posix()!r} in {self.folder.name}",
            f"Fetch it, or leave the item out.{hint}",
        )


def _relative(name: str) -> PurePosixPath:
    return PurePosixPath(name.replace("\\", "/"))


def _is_video(path: Path) -> bool:
    if path.suffix.lower() in VIDEO_SUFFIXES:
        return path.is_file()
    return path.is_dir() and any(p.suffix.lower() in IMAGE_SUFFIXES for p in path.iterdir())
