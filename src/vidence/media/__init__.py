"""Video, frames and sound: recipes that cost nothing, and the modules that carry them out.

`clip` holds recipes and needs neither numpy nor PyAV; `video` measures files, `pixels` makes
frames, `audio` makes sound, `edits` changes frames, `write` makes files, `find` names them.
"""
