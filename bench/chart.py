"""The chart of bench/run: wall times as bars, a panel for each program and file system, as SVG.

Each panel has its own scale from zero, since a slow file system takes a hundred times as long as a fast one; the
bar is the median, the thin line the range, and the number says the median.
"""

import statistics
from xml.sax.saxutils import escape

COLOURS = {"native": "#8a8f98", "patched": "#5b8db8", "copied": "#b8a25b", "no traces": "#c9ccd1", "traceshim": "#c8502d"}
LABEL, PANEL, VALUE, GAP = 225, 170, 62, 14          # widths
BAR, STEP, HEAD, FOOT = 15, 23, 46, 26               # heights


def colour(name):
    for key in ("traceshim", "copied", "no traces", "patched", "native"):
        if key in name:
            return COLOURS[key]
    return COLOURS["native"]


def text(x, y, content, size=12, anchor="start", weight="normal", fill="#24292f"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{fill}">{escape(content)}</text>')


def bar(x, y, times, longest, name):
    median, low, high = statistics.median(times), min(times), max(times)
    scale = PANEL / longest
    middle = y + BAR / 2
    shown = f"{median:.2f} s" if median < 10 else f"{median:.1f} s"
    return [
        f'<rect x="{x}" y="{y}" width="{max(median * scale, 1):.1f}" height="{BAR}" fill="{colour(name)}"/>',
        f'<line x1="{x + low * scale:.1f}" x2="{x + high * scale:.1f}" y1="{middle}" y2="{middle}" stroke="#24292f"/>',
        text(x + high * scale + 5, y + BAR - 3, shown, 11, weight="bold" if name == "traceshim" else "normal"),
    ]


def draw(results):
    labels = results["labels"]
    width = LABEL + len(labels) * (PANEL + VALUE + GAP) + GAP
    parts, y = [], 12
    for program, result in results["programs"].items():
        names = [row["name"] for row in result["rows"]]
        parts.append(text(GAP, y + 18, f"{program}: {result['lines']:,} lines in {result['files']} trace files", 14, weight="bold"))
        for i, name in enumerate(names):
            parts.append(text(LABEL - 8, y + HEAD + i * STEP + BAR - 3, name, 12, "end",
                              "bold" if name == "traceshim" else "normal"))
        for column, (place, label) in enumerate(labels.items()):
            x = LABEL + column * (PANEL + VALUE + GAP)
            longest = max(max(row["seconds"][place]) for row in result["rows"])
            parts.append(text(x, y + HEAD - 9, label, 12, weight="bold"))
            parts.append(f'<line x1="{x}" x2="{x}" y1="{y + HEAD - 3}" y2="{y + HEAD + len(names) * STEP - 4}" stroke="#8a8f98"/>')
            for i, row in enumerate(result["rows"]):
                parts += bar(x, y + HEAD + i * STEP, row["seconds"][place], longest, row["name"])
        y += HEAD + len(names) * STEP + FOOT
    parts.append(text(GAP, y - 4, "Wall time in seconds; each panel has its own scale. Bars are medians, thin lines the range.",
                      11, fill="#57606a"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y + 10}" font-family="DejaVu Sans, sans-serif">'
            f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
