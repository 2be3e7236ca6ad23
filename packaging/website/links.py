"""Links of a folder of HTML pages: each leads to a file that is there, and to a place that is in it."""
import html.parser
import pathlib
import urllib.parse


class Page(html.parser.HTMLParser):
    """Places of a page, and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.places, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src") and value and tag != "link":
                self.links.append(value)


def check(folder):
    """-> the links that lead nowhere, in words, and how many were looked at. Links to other hosts are not followed."""
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(pathlib.Path(folder).rglob("*.html"))}
    broken, checked = [], 0
    for file, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or file.name == "404.html":
                continue
            checked += 1
            path = urllib.parse.unquote(parts.path)
            target = (file.parent / path).resolve() if path else file
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                broken.append(f"{file.relative_to(folder)}: {link} names no file")
            elif parts.fragment and target in pages:
                place = urllib.parse.unquote(parts.fragment)
                if place not in pages[target].places and not place.startswith("__"):
                    broken.append(f"{file.relative_to(folder)}: {link} names no place")
    return broken, checked
