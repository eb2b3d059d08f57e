"""Reports from equations: one document, one writer for each format.

`document.py` says what a report is made of, `story.py` tells a derivation with it, and `html.py`, `tex.py` and
`markdown.py` write it. A new format is one writer file and a line in `report.py`.
"""
