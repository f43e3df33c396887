"""Thinking aloud, by any of the marks that models use."""

from __future__ import annotations

PETS = "cat|dog|bird|fish"

_ROWS = [
    ("<think>A</think>B", "B"),
    ("<think>\nThe answer is A.\n</think>\n\nB", "B"),
    ("<think></think>B", "B"),
    ("<think>A</think>", "no_answer"),
    ("<think>The answer is A.</think>\n\n", "no_answer"),
    ("<think>The answer is A.", "no_answer"),
    ("<THINK>A</THINK>B", "B"),
    ("<thinking>A</thinking>B", "B"),
    ("<thinking>A", "no_answer"),
    ("<reasoning>Answer: A</reasoning>Answer: B", "B"),
    ("<analysis>Answer: A</analysis>Answer: B", "B"),
    ("<thought>Answer: A</thought>Answer: B", "B"),
    ("<scratchpad>Answer: A</scratchpad>Answer: B", "B"),
    ("<reflection>Answer: A</reflection>Answer: B", "B"),
    ("<seed:think>A</seed:think>B", "B"),
    ("◁think▷A◁/think▷B", "B"),
    ("◁think▷A", "no_answer"),
    ("[THINK]A[/THINK]B", "B"),
    ("<|begin_of_thought|>A<|end_of_thought|><|begin_of_solution|>B<|end_of_solution|>", "B"),
    ("The answer is A.</think>The answer is B.", "B"),
    ("The answer is A.</think>", "no_answer"),
    ("The answer is A.</thinking>\nB", "B"),
    ("Answer: B<think>hmm, A?</think>", "B"),
    ("Answer: B <think>or is it A", "B"),
    ("Sure. <think>or is it A", "no_answer"),
    ("<think>A <think>C</think> B</think>D", "D"),
    ("<think>x</think>A? <think>y</think>B", "B/ambiguous"),
    ("<think>I write </think> to end.</think>B", "B"),
    ("<think>Answer: A<answer>B</answer>", "B"),
    ("<think>I must write <answer>A</answer> at the end, so let me see", "no_answer"),
    ("<think>A</think><answer>B</answer>", "B"),
    ("<think>A</think>\n<think>C</think>\nB", "B"),
    ("<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>B", "B"),
    ("<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B<|return|>", "B"),
    ("<|channel|>analysis<|message|>The answer is A", "no_answer"),
    ("<|channel|>final<|message|>B", "B"),
    ("analysisWe see a cat? No.assistantfinalB", "B"),
    ("analysisWe need to look. The answer is A", "no_answer"),
    ("analysis: the answer is B", "B"),
    ("I think B", "B"),
    ("Thinking: A? C?\nAnswer: B", "B"),
    ("think A, then B", "unparsed/ambiguous"),
]

ROWS = [
    (f"thinking {number}", PETS, reply, reading) for number, (reply, reading) in enumerate(_ROWS, 1)
]
