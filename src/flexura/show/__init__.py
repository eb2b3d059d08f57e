"""Reports from equations: one document, one writer for each format.

`document.py` says what a report is made of, `story.py` tells a derivation with it, and `html.py`, `tex.py`, `typst.py`
and `markdown.py` write it. A new format is one writer file and a line in `report.py`.

Files:

    animate        Moving pictures of modes and runs: members and bodies where they are, as .gif, .html or .mp4
    animate_file   A moving picture into a file: its name's ending says how, and ffmpeg is found where it is
    animate_frame  Moving pictures of frames and mechanisms: members where they are, bent by what was found, as
                   .gif, .html or .mp4
    answers        What was asked of a system, as sections of its report: modes, a frequency response, a run
    document       What a report is made of: sections, paragraphs, formulas, tables, steps and a verdict
    docx           A document for word processors: headings, tables and equations that can be edited there
    html           A document as one HTML file that needs nothing else: KaTeX, its fonts and the styles are inside
    lines          How wide a formula is on the page, and the lines a long one is broken into
    markdown       A document as Markdown with LaTeX formulas between dollars, as GitHub, Jupyter and pandoc read
                   them
    notebook       Pictures of results inside the pages of a notebook
    pictures       Figures as the files that documents hold: the same figure is the same bytes, whenever it is written
    plot           `fx.plot`: pictures of answers, one file for each kind in `plots/`
    report         `write_report`: a derivation and its proof as a file to read, print or hand in
    space          What stands where in space, as plain data that the viewer in a page draws
    story          The story of a derivation as a document: the system, its equations, how they came about, and
                   their proof
    tex            A document as a LaTeX article; amsmath, geometry, graphicx and longtable are all it loads
    view           `fx.view`: a model, modes, a run or a state of rest in space, in a page that a mouse turns
    typst          A document in Typst, pictures inside; and as a PDF, where the compiler `typst` is installed
    schematic/     The schematic of a model: bodies, members, joints, springs and loads by the symbols engineers draw
    plots/         Pictures, one file for each kind of answer; `show/plot.py` chooses
"""
