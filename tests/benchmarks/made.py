"""One small invented file for each public benchmark, in the form that its authors use."""

from __future__ import annotations

from tests.benchmarks.made_file import Made

LETTERED = {"A": "cat", "B": "dog", "C": "None"}
ASK = "Please provide a step-by-step solution to the given question."
SECRET = "It is plainly the second, as everyone sees."

MADE: dict[str, Made] = {
    "egoschema": Made(
        "test-00000-of-00001.parquet",
        [
            {
                "question_idx": f"0000{i}",
                "video_idx": f"uid-{i}",
                "question": "What is done?",
                "option": [f"{mark}. text {mark}." for mark in "ABCDE"],
                "answer": str(i),
            }
            for i in (0, 4)
        ],
        ["00000", "00004"],
        ["uid-0", "uid-4"],
        ["text A.", "text E."],
        ["answer"],
    ),
    "implicitqa": Made(
        "ImplicitQAv9.jsonl",
        [
            {
                "question_id": name,
                "video_id": f"aB3_-xYz01{i}_uuid",
                "video_url": f"https://www.youtube.com/watch?v=aB3_-xYz01{i}",
                "question_start_time": 1.5,
                "question_stop_time": 4,
                "question_text": "Who hid?",
                "options": LETTERED,
                "answer_choice": "C",
                "answer_text": "None",
                "category": "Motion",
            }
            for i, name in enumerate(("u-1", "u-2"))
        ],
        ["u-1", "u-2"],
        ["aB3_-xYz010", "aB3_-xYz011"],
        ["None", "None"],
        ["answer_choice", "answer_text"],
        "question_text",
        [((1.5, 4.0),)] * 2,
        [{"category": "Motion"}] * 2,
    ),
    "longvideobench": Made(
        "lvb_val.json",
        [
            {
                "id": f"v{i}_0",
                "video_id": f"v{i}",
                "video_path": f"v{i}.mp4",
                "question": "Which?",
                "candidates": ["cat", "dog", "NA"],
                "correct_choice": 2,
                "position": [48, 60],
                "duration": 9.5,
                "duration_group": 15,
                "question_category": "T3E",
                "level": "L2",
                "topic_category": "KG",
            }
            for i in (1, 2)
        ],
        ["v1_0", "v2_0"],
        ["v1.mp4", "v2.mp4"],
        ["NA", "NA"],
        ["correct_choice"],
        spans=[((2.0, 49 / 24), (2.5, 61 / 24))] * 2,
        tags=[
            {
                "question_category": "T3E",
                "level": "L2",
                "topic_category": "KG",
                "duration_group": "15",
            }
        ]
        * 2,
    ),
    "lvbench": Made(
        "video_info.meta.jsonl",
        [
            {
                "key": "yt-1",
                "type": "sport",
                "video_info": {"duration_minutes": 61.5, "fps": 24.0},
                "qa": [
                    {
                        "uid": "7",
                        "question": "Which (of two)?\n(A) cat (old)\n(B) dog\n(C) null\n(D) nan",
                        "answer": "A",
                        "question_type": ["reasoning", "entity"],
                        "time_reference": "60:00-61:05",
                    },
                    {
                        "uid": "8",
                        "question": "Which?\n(A) cat\n(B) dog\n(C) null\n(D) nan",
                        "answer": "D",
                        "question_type": ["entity", "reasoning"],
                        "time_reference": "01:00-None",
                    },
                ],
            }
        ],
        ["7", "8"],
        ["yt-1", "yt-1"],
        ["cat (old)", "nan"],
        ["answer"],
        spans=[((3600.0, 3665.0),), ()],
        tags=[{"question_type": "entity + reasoning", "type": "sport"}] * 2,
    ),
    "minerva": Made(
        "minerva.json",
        [
            {
                "key": f"yt-{i}:hash",
                "video_id": f"yt-{i}",
                "question": "When?",
                **{f"answer_choice_{n}": f"{n}." for n in range(5)},
                "answer_id": 3,
                "answer": "3.",
                "question_type": "Counting",
                "split": "Sports",
                "category": "Golf",
                "reasoning": f"{SECRET} From 00:05 to 00:09, and at 00:20.",
            }
            for i in (1, 2)
        ],
        ["yt-1:hash", "yt-2:hash"],
        ["yt-1", "yt-2"],
        ["3.", "3."],
        ["answer_id", "answer", "reasoning"],
        spans=[((5.0, 9.0),)] * 2,
        tags=[{"question_type": "Counting", "split": "Sports", "category": "Golf"}] * 2,
    ),
    "mlvu": Made(
        "test_mcq_gt.json",
        [
            {
                "question_id": "AR_0",
                "video": "a.mp4",
                "duration": 300.5,
                "question": "Which?",
                "candidates": ["Normal", "Arson"],
                "answer": "Arson",
                "question_type": "anomaly",
            },
            {
                "question_id": "C_1",
                "video": "b.mp4",
                "duration": 200,
                "question": "How many?",
                "candidates": [1, 2, 3],
                "answer": 3,
                "question_type": "count",
            },
        ],
        ["AR_0", "C_1"],
        ["a.mp4", "b.mp4"],
        ["Arson", "3"],
        ["answer"],
        tags=[{"question_type": "anomaly"}, {"question_type": "count"}],
    ),
    "mmrv": Made(
        "test-00000-of-00001.parquet",
        [
            {
                "question_idx": i,
                "video": "घर (2024).f1.mp4",
                "videoType": "Film",
                "question": "Why?",
                "options": options,
                "correctAnswer": "(B)",
                "abilityType_L2": "Theme",
                "abilityType_L3": "Humor",
            }
            for i, options in enumerate(
                (["(A) f(x)", "(B) g(x) = (1)", "(C) none"], ["(A) x", "(B) y", "(D) z", ""])
            )
        ],
        ["0", "1"],
        ["घर (2024).f1.mp4"] * 2,
        ["g(x) = (1)", "y"],
        ["correctAnswer"],
        tags=[{"abilityType_L2": "Theme", "abilityType_L3": "Humor", "videoType": "Film"}] * 2,
    ),
    "mvbench": Made(
        "json/object_interaction.json",
        [
            {
                "video": "v_1.mp4",
                "question": "Which?",
                "candidates": ["cat", "dog"],
                "answer": "dog",
                "start": 1.5,
                "end": 9,
                "accurate_start": 2,
                "accurate_end": 3,
            },
            {"video": "v_2", "question": "Which?", "candidates": ["x", "y"], "answer": "x"}
            | {"subtitle": SECRET, "start": 0.0, "end": 5.5, "fps": 3},
        ],
        ["object_interaction-0", "object_interaction-1"],
        ["v_1.mp4", "v_2"],
        ["dog", "x"],
        ["answer", "subtitle"],
        spans=[((2.0, 3.0),), ()],
        tags=[{"task": "object_interaction"}] * 2,
    ),
    "tvbench": Made(
        "json/action_count.json",
        [
            {
                "video": "1/v_1.MP4",
                "question": "How many?",
                "candidates": ["2", "3"],
                "answer": "3",
            },
            {"video": "v_2.mp4", "question": "How many?", "candidates": ["2", "1"], "answer": "2"},
        ],
        ["action_count-0", "action_count-1"],
        ["1/v_1.MP4", "v_2.mp4"],
        ["3", "2"],
        ["answer"],
        tags=[{"task": "action_count"}] * 2,
    ),
    "rtvbench": Made(
        "QA.json",
        [
            {
                "questionID": f"q-{i}",
                "video": "Cam_1.mp4",
                "type": "Event",
                "field": "cam",
                "start_time": 0,
                "end_time": end,
                "question": "Is it here?",
                "options": LETTERED,
                "answer": "B",
            }
            for i, end in enumerate((20.5, 40.0))
        ],
        ["q-0", "q-1"],
        ["Cam_1.mp4"] * 2,
        ["dog", "dog"],
        ["answer"],
        tags=[{"type": "Event", "field": "cam"}] * 2,
    ),
    "vcrbench": Made(
        "VCR-Bench.tsv",
        [
            {
                "id": "5",
                "video": "v1/a.b__#0-05",
                "video_path": "v1/a.b__#0-05.mp4",
                "duration": "60",
                "dimension": "Time",
                "question": f'What, "now"?\nA. a (cat)\nB. None\n {ASK}',
                "answer": "B",
                "reasoning": f"{SECRET} 0:05-0:09, then 0:50-5:50.",
            },
            {
                "id": "6",
                "video": "v1/c",
                "video_path": "v1/c.mp4",
                "duration": "70",
                "dimension": "Space",
                "question": f"Where? {ASK}",
                "answer": "In the kitchen",
                "reasoning": SECRET,
            },
        ],
        ["5", "6"],
        ["v1/a.b__#0-05.mp4", "v1/c.mp4"],
        ["None", "In the kitchen"],
        ["answer", "reasoning"],
        spans=[((5.0, 9.0),), ()],
        tags=[{"dimension": "Time"}, {"dimension": "Space"}],
    ),
    "vsibench": Made(
        "test.jsonl",
        [
            {
                "id": 0,
                "dataset": "kit",
                "scene_name": "s_00",
                "question_type": "size",
                "question": "How large?",
                "ground_truth": "2.5",
                "options": None,
            },
            {
                "id": 1,
                "dataset": "kit",
                "scene_name": "s_00",
                "question_type": "order",
                "question": "Which first?",
                "ground_truth": "B",
                "options": ["A. bed, sofa", "B. sofa, bed"],
            },
        ],
        ["0", "1"],
        ["kit/s_00"] * 2,
        [2.5, "sofa, bed"],
        ["ground_truth"],
        tags=[{"question_type": t, "dataset": "kit"} for t in ("size", "order")],
    ),
    "videoholmes": Made(
        "test_Video-Holmes.json",
        [
            {
                "video ID": f"yt-{i}",
                "Question ID": i,
                "Question Type": "SR",
                "Question": "Who?",
                "Options": LETTERED,
                "Answer": "A",
                "Explanation": SECRET,
            }
            for i in (1, 2)
        ],
        ["1", "2"],
        ["yt-1", "yt-2"],
        ["cat", "cat"],
        ["Answer", "Explanation"],
        "Question",
        tags=[{"question_type": "SR"}] * 2,
    ),
    "videomme": Made(
        "test-00000-of-00001.parquet",
        [
            {
                "video_id": "001",
                "duration": "short",
                "domain": "Film",
                "sub_category": "Art",
                "videoID": "yt-1",
                "question_id": f"001-{i}",
                "task_type": "Count",
                "question": "How many?",
                "options": ["A. 1.", "B. 2.", "C. None.", "D. 4."],
                "answer": "C",
            }
            for i in (1, 2)
        ],
        ["001-1", "001-2"],
        ["yt-1"] * 2,
        ["None.", "None."],
        ["answer"],
        tags=[{"duration": "short", "domain": "Film", "sub_category": "Art", "task_type": "Count"}]
        * 2,
    ),
}
