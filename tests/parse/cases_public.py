"""The reported troubles of answer extraction, kind a, with the rows of other kinds that touch it.

A row is (id, options, reply, reading): options are parted by "|", a reading is a letter as shown
or a status; "B/ambiguous" means that either is right.
"""

from __future__ import annotations

PETS = "cat|dog|bird|fish"
TEN = "ant|bee|cow|doe|elk|fox|gnu|hen|ibis|jay"
EIGHT = "he sits|he runs|he swims|he reads|he cooks|he sings|he paints a fence|he sleeps"

ROWS = [
    ("a1", PETS, "The right choice is (B).", "B"),
    ("a3", PETS, "Answer: **D**", "D"),
    ("a5 none", PETS, "ANSWER: None of the above", "refused"),
    ("a5 unknown", PETS, "ANSWER: I don't know", "refused"),
    ("a6 bold", PETS, "ANSWER: **A**", "A"),
    ("a6 maths", PETS, "ANSWER: $A$", "A"),
    ("a6 brackets", PETS, "ANSWER: (A)", "A"),
    ("a8 text macro", "cat|dog|bird|fish|frog", r"\boxed{\text{E}}", "E"),
    ("a8 letter and text", PETS, r"\boxed{C: bird}", "C"),
    ("a10 article", PETS, "The answer is B because a car stops.", "B"),
    ("a10 lower", PETS, "d", "D"),
    ("a10 lower and text", PETS, "b. dog", "B"),
    ("a11 later letter", PETS, "The answer is B. Note that A is a usual trap.", "B"),
    ("a11 pronoun", TEN, "The answer is C because I counted twice.", "C"),
    ("a12", PETS, "C. A young bird lands", "C"),
    ("a14", PETS, "It depends on the light.", "unparsed"),
    ("a15 two letters", PETS, "ANSWER: AB", "ambiguous"),
    ("a15 withdrawn", PETS, "ANSWER: A. No, wait. ANSWER: B", "B"),
    ("a18", PETS, "The mark (M) is on the sign.\n\nAnswer: $B", "B"),
    ("a19", PETS, "Answer seems to be A.\n\nAnswer: A", "A"),
    ("a20 five options", "cat|dog|bird|fish|frog", "E", "E"),
    ("a20 four options", PETS, "E", "off_list"),
    ("a22", "yes|no", "Yes, there is a notice on the wall.", "A"),
    ("a23", PETS, "A dog runs past.", "B/ambiguous"),
    (
        "a24",
        PETS,
        "The correct answer is B. Reason: option A would need wings, option D water.",
        "B",
    ),
    ("a26", PETS, "(A) cat (B) dog (C) bird (D) fish\n\nAnswer: B", "B"),
    ("a28", "Yes|No", "yes", "A"),
    ("a29 one", "1|2|3", "1", "A"),
    ("a29 two", "1|2|3", "2.", "B"),
    ("a31 closed", PETS, "<think>A? no, C?</think>\nB", "B"),
    ("a31 lone closing", PETS, "A? no</think>B", "B"),
    ("a31 never closed", PETS, "<think>I lean to A", "no_answer"),
    ("a33 or", PETS, "(B) or (C)", "ambiguous"),
    ("a33 both", PETS, "Both A and B", "ambiguous"),
    ("a35 empty", PETS, "", "no_answer"),
    ("a35 blank", PETS, "   ", "no_answer"),
    ("a35 hmm", PETS, "hmm", "unparsed"),
    ("a35 wrong", PETS, "C", "C"),
    ("a36 letter", "10|11|12|13", "C", "C"),
    ("a36 letter and text", "10|11|12|13", "C. 12", "C"),
    ("a36 text", "10|11|12|13", "12", "C"),
    ("a37 bold", EIGHT, "**Final Answer: G**", "G"),
    ("a37 text", EIGHT, "he paints a fence", "G"),
    ("a38 json", PETS, '{"answer": "C", "why": "A and B are out"}', "C"),
    ("a38 fence", PETS, '```json\n{"answer": "C", "why": "A and B are out"}\n```', "C"),
    ("a38 bad json", PETS, "{'answer': C}", "C"),
    ("b3 None", "None|NA|null|nan", "None", "A"),
    ("b3 NA", "None|NA|null|nan", "NA", "B"),
    ("b3 null", "None|NA|null|nan", "null", "C"),
    ("b3 nan", "None|NA|null|nan", "nan", "D"),
    ("b3 labelled", "one|None|two|NA", "Answer: None", "B"),
    ("b15 repeated text", "blue cup|red cup|green cup|red cup", "red cup", "ambiguous"),
    ("b15 letter", "blue cup|red cup|green cup|red cup", "D", "D"),
    ("b15 letter and text", "blue cup|red cup|green cup|red cup", "D. red cup", "D"),
]
