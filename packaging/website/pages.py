"""Writes the pages and the configuration that mkdocs makes the site of."""
import ast
import os
import re
import shutil
import subprocess

import benchmarks

CONFIGURATION = """site_name: Spokelab
site_description: Reconstruct non-Cartesian MRI, and see where the time goes
docs_dir: docs
use_directory_urls: false
theme:
  name: material
  font: false
  logo: spokelab.svg
  favicon: spokelab.svg
  features: [navigation.tabs, navigation.indexes, navigation.top, search.highlight, content.code.copy]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      primary: teal
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      primary: teal
plugins: [search]
validation:
  links:
    anchors: warn
    unrecognized_links: warn
markdown_extensions:
  - tables
  - admonition
  - pymdownx.details
  - pymdownx.superfences
  - toc: {permalink: true, slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}
nav:
"""


def commit_time(root):
    done = subprocess.run(["git", "-C", root, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return done.stdout.strip() or "0"


def title(text, fallback):
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return (found.group(1) if found else fallback).replace("`", "")


def outside(text, place, root, taken):
    """Links to files that are not pages of the site become their names; the others stay."""
    def named(match):
        words, link = match.group(1), match.group(2)
        path = link.split("#")[0]
        if not path or "://" in path or (place / path).resolve() in taken:
            return match.group(0)
        return f"{words} (`{os.path.relpath((place / path).resolve(), root)}`)"

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", named, text)


def listed(text):
    """A list needs an empty line before it here, which readers of the sources do not."""
    lines, code = [], False
    for line in text.split("\n"):
        if line.startswith("```"):
            code = not code
        before = lines[-1] if lines else ""
        item = re.match(r"(- |\d+\. )", line)
        if not code and item and before and not re.match(r"(- |\d+\. |\s)", before):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def python_names(root):
    """Public names of the package with their docstrings, from the sources."""
    package = root / "app/python/spokelab"
    start = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    names = next(ast.literal_eval(node.value) for node in start.body if isinstance(node, ast.Assign)
                 and getattr(node.targets[0], "id", "") == "__all__")
    found = {}
    for file in sorted(package.glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in names and ast.get_docstring(node):
                found[node.name] = node
    lines = ["# Names of the Python package\n", ast.get_docstring(start) and "What `help(spokelab.NAME)` says.\n"]
    for name in sorted(found, key=str.lower):
        node = found[name]
        arguments = node.args if isinstance(node, ast.FunctionDef) else next(
            (own.args for own in node.body if isinstance(own, ast.FunctionDef) and own.name == "__init__"), None)
        words = ast.unparse(arguments) if arguments else ""
        lines.append(f"## {name}\n\n```python\n{name}({words.removeprefix('self').removeprefix(', ')})\n```\n")
        lines.append("```text\n" + ast.get_docstring(node) + "\n```\n")
        for own in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(own, ast.FunctionDef) and not own.name.startswith("_") and ast.get_docstring(own):
                lines.append(f"**`{name}.{own.name}`**\n\n```text\n{ast.get_docstring(own)}\n```\n")
    return "\n".join(lines)


def c_names(root):
    header = (root / "app/api/spokelab.h").read_text(encoding="utf-8")
    return ("# Names of the C interface\n\nThe header `spokelab.h`; [from C and C++](guide/c-interface.md) explains it.\n\n"
            f"```c\n{header}```\n")


def write(root, work):
    """-> the number of pages."""
    docs = work / "docs"
    docs.mkdir(parents=True)
    rooms = [("guide", "Guide"), ("developer", "For developers")]
    sources = {(root / "resources" / room).resolve() for room, _ in rooms}
    taken = {file.resolve() for room in sources for file in room.rglob("*") if file.is_file()} | sources
    navigation = ["  - Start: index.md"]
    count = 0
    for room, heading in rooms:
        shutil.copytree(root / "resources" / room, docs / room)
        navigation.append(f"  - {heading}:")
        for file in sorted((docs / room).rglob("*.md"), key=lambda f: (f.name != "index.md", f)):
            place = root / "resources" / file.relative_to(docs).parent
            text = listed(outside(file.read_text(encoding="utf-8"), place, root, taken))
            file.write_text(text, encoding="utf-8")
            navigation.append(f"      - {title(text, file.stem)!r}: {file.relative_to(docs)}")
            count += 1
    shutil.copy(root / "resources/icons/spokelab.svg", docs / "spokelab.svg")
    readme = (root / "README.md").read_text(encoding="utf-8").replace("](resources/guide)", "](resources/guide/index.md)")
    single = {
        "index.md": outside(readme, root, root, taken).replace("](resources/", "]("),
        "python-names.md": python_names(root),
        "c-names.md": c_names(root),
        "benchmarks.md": benchmarks.page(root / "tests/bench/results"),
        "changelog.md": (root / "CHANGELOG.md").read_text(encoding="utf-8"),
    }
    for name, text in single.items():
        (docs / name).write_text(listed(text), encoding="utf-8")
    navigation += ["  - Reference:", "      - Python: python-names.md", "      - C: c-names.md",
                   "  - Benchmarks: benchmarks.md", "  - Changes: changelog.md"]
    (work / "mkdocs.yml").write_text(CONFIGURATION + "\n".join(navigation) + "\n", encoding="utf-8")
    return count + len(single)
