"""The results of tests/bench as a page: bars where a peer was measured beside, tables of the rows' numbers."""
import html
import json

BARS = 24  # of a chart
COLUMNS = 8


def ratios(rows):
    """(case, time as a share of the peer's) of rows that hold one."""
    found = []
    for row in rows:
        ratio = row.get("ratio")
        if isinstance(ratio, dict):
            ratio = ratio.get("execute")
        if isinstance(ratio, (int, float)) and "case" in row:
            found.append((row["case"], float(ratio)))
    return found


def chart(found):
    """Bars as SVG; the line is where both take the same time."""
    height, label, width = 18, 330, 300
    most = max(2.0, *(ratio for _, ratio in found))
    scale = width / most
    lines = [f'<svg viewBox="0 0 {label + width + 60} {height * len(found) + 24}" role="img" style="max-width: 46em">']
    for i, (case, ratio) in enumerate(found):
        y = height * i
        colour = "#2a7d6f" if ratio <= 1 else "#b5562a"
        lines.append(f'<text x="{label - 6}" y="{y + 13}" text-anchor="end" font-size="11" fill="currentColor">'
                     f"{html.escape(case)}</text>")
        lines.append(f'<rect x="{label}" y="{y + 3}" width="{ratio * scale:.1f}" height="12" fill="{colour}"/>')
        lines.append(f'<text x="{label + ratio * scale + 4:.1f}" y="{y + 13}" font-size="11" fill="currentColor">'
                     f"{ratio:.2f}</text>")
    x = label + scale
    lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height * len(found)}" stroke="currentColor"/>')
    return "".join(lines) + "</svg>"


def text(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).replace("|", "\\|")


def table(rows):
    columns = [name for name, value in rows[0].items() if isinstance(value, (int, float, str, bool))][:COLUMNS]
    if not columns:
        return ""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(text(row.get(name, "")) for name in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def section(file):
    found = json.loads(file.read_text(encoding="utf-8"))
    place = " · ".join(str(found[name]) for name in ("device", "gpu", "cpu", "date") if isinstance(found.get(name), str))
    lines = [f"## {file.stem}\n", f"{place}\n" if place else ""]
    if isinstance(found.get("note"), str):
        lines.append(found["note"] + "\n")
    for name, rows in found.items():
        if not (isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)):
            continue
        bars = ratios(rows)[:BARS]
        if bars:
            lines.append("Time as a share of the peer's; the line is 1, shorter is faster.\n")
            lines.append(chart(bars) + "\n")
        words = table(rows)
        if words:
            lines.append(f'??? note "{name}: {len(rows)} rows"\n')
            lines.append("\n".join("    " + line for line in words.splitlines()) + "\n")
    return "\n".join(line for line in lines if line)


def page(folder):
    files = sorted(folder.glob("*.json"))
    head = ("# Benchmarks\n\nWhat the programs of `tests/bench` measured, as it lies in `tests/bench/results`: "
            f"{len(files)} files. Each names its device and date; ratios are of turns in one run.\n")
    return head + "\n" + "\n\n".join(section(file) for file in files) + "\n"
