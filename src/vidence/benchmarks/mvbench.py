"""MVBench: twenty tasks, one file each; their videos come from many sources."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import build
from vidence.annotation.files import find_files
from vidence.annotation.reading import read_rows
from vidence.annotation.tasks import TASK_FILES, task_id, task_item
from vidence.benchmark import Benchmark, benchmark

TITLE = "MVBench"

FOLDERS = {
    "action_antonym": "ssv2_video",
    "action_count": "perception/videos",
    "action_localization": "sta/sta_video",
    "action_prediction": "star/Charades_v1_480",
    "action_sequence": "star/Charades_v1_480",
    "character_order": "perception/videos",
    "counterfactual_inference": "clevrer/video_validation",
    "egocentric_navigation": "vlnqa",
    "episodic_reasoning": "tvqa/frames_fps3_hq",
    "fine_grained_action": "Moments_in_Time_Raw/videos",
    "fine_grained_pose": "nturgbd",
    "moving_attribute": "clevrer/video_validation",
    "moving_count": "clevrer/video_validation",
    "moving_direction": "clevrer/video_validation",
    "object_existence": "clevrer/video_validation",
    "object_interaction": "star/Charades_v1_480",
    "object_shuffle": "perception/videos",
    "scene_transition": "scene_qa/video",
    "state_change": "perception/videos",
    "unexpected_action": "FunQA_test/test",
}
"""Task -> where the authors' video archives put its videos; two sources share file names."""


@benchmark("mvbench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read MVBench (one JSON file a task, or one of them): the task is the file's name."""
    rows = read_rows(*find_files(path, *TASK_FILES))
    return build(
        TITLE, rows, videos, name=task_id, read=lambda row: task_item(row, FOLDERS.get(row.stem))
    )
