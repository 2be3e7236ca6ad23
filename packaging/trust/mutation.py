"""Small faults in C++ text, one a mutant: what a test that looks at the result would see."""
import re

# Spaces on both sides, as the formatter leaves them, tell operators from templates, pointers and signs.
EXCHANGES = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
             (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" += ", " -= "), (" -= ", " += "),
             (" *= ", " /= "), (" /= ", " *= "), (" && ", " || "), (" || ", " && "), ("std::min(", "std::max("),
             ("std::max(", "std::min("), ("return true", "return false"), ("return false", "return true"),
             ("++", "--"), ("std::ceil(", "std::floor("), ("std::floor(", "std::ceil("), ("if (", "if (!("),
             ("continue;", ";"), ("break;", ";")]
NUMBER = re.compile(r"(?<![\w.\"'])(\d+\.\d+|\d+)(?![\w.\"'])")


def code_of(line):
    """-> the line with strings, characters and comments blanked: same length."""
    blank = lambda m: " " * len(m.group())  # noqa: E731
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + " " * (len(m.group()) - 2) + '"', line)
    line = re.sub(r"'(\\.|[^'\\])'", blank, line)
    return re.sub(r"//.*", blank, line)


def closed_of(code, start):
    """-> the index behind the bracket that closes the one before `start`, or None."""
    depth = 1
    for index in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[index], 0)
        if depth == 0:
            return index
    return None


def mutants_of_line(line):
    """-> [(what, new line)]."""
    code = code_of(line)
    if not code.strip() or code.lstrip().startswith(("#", "template", "using", "extern", "static_assert", "namespace", "throw", "for (const auto&")):
        return []
    found = []
    for before, after in EXCHANGES:
        at = code.find(before)
        while at >= 0:
            changed = line[:at] + after + line[at + len(before):]
            if before == "if (":
                end = closed_of(code, at + len(before))
                if "constexpr" in code or ";" in code[at:end] or end is None:  # over several lines, or with a declaration
                    changed = None
                else:
                    changed = line[:at] + after + line[at + len(before):end] + ")" + line[end:]
            if changed:
                found.append((f"{before.strip()} -> {after.strip() or 'nothing'}", changed))
            at = code.find(before, at + len(before))
    for match in NUMBER.finditer(code):
        text = match.group()
        other = str(float(text) * 2 if float(text) else 1.0) if "." in text else str(int(text) + 1)
        found.append((f"{text} -> {other}", line[:match.start()] + other + line[match.end():]))
    return found


def mutants_of(text):
    """-> [(line number from 1, what, new text)] of a source, inside functions."""
    lines = text.split("\n")
    found = []
    for number, line in enumerate(lines):
        if line[:1] not in (" ", "\t"):  # declarations and heads of functions begin at the margin
            continue
        for what, changed in mutants_of_line(line):
            found.append((number + 1, what, "\n".join([*lines[:number], changed, *lines[number + 1:]])))
    return found
