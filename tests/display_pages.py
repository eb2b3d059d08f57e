"""Pages of notebooks, read back: their text, pictures and formulas; every element must be closed."""

from html.parser import HTMLParser

VOID = {"img"}


class Page(HTMLParser):
    """What a page holds."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.pictures: list[dict[str, str | None]] = []
        self.text, self.formulas = "", 0
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.formulas += tag == "math"
        self.pictures += [dict(attributes)] if tag == "img" else []
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += f"{data} "
