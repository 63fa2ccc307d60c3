#!/usr/bin/env python3
"""Writes src/ui/styles/fonts: the characters and weights of our fonts that the first text needs.

Needs fonttools 4.68.0 and brotli 1.2.0, and node_modules. Run it when a version of the fonts in
package.json, or what is listed here, changes; its output is part of the repository. All other
characters stay in the files of the packages: src/ui/styles/fonts.css divides them.
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FRONTEND = Path(__file__).parent.parent
TO = FRONTEND / "src/ui/styles/fonts"

# Our fonts.css has the same ranges: what is typed in English, and our texts' punctuation.
CHARACTERS = [*range(0x20, 0x7F), 0xA0, 0xB7, 0x2013, 0x2014]
CHARACTERS += [0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026]
# The application writes Sans from regular to bold. Serif has a file for each of its two weights:
# most pages need the one of headings only.
REGULAR, SEMIBOLD, BOLD = 400, 600, 700
FILES = [
    ("public-sans", "basic", "Vault Sans", (REGULAR, BOLD)),
    ("source-serif-4", "regular", "Vault Serif", REGULAR),
    ("source-serif-4", "semibold", "Vault Serif", SEMIBOLD),
]
# These characters need nothing to place marks, and digits are lining ones by default.
FEATURES = ["kern", "liga", "calt", "tnum"]

for package, file, name, weight in FILES:
    folder = FRONTEND / "node_modules/@fontsource-variable" / package
    font = TTFont(folder / f"files/{package}-latin-wght-normal.woff2", recalcTimestamp=False)
    font = instantiateVariableFont(font, {"wght": weight})
    options = Options()
    options.layout_features = FEATURES
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.flavor = "woff2"
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    # The licence keeps the original's name for the original.
    for record in font["name"].names:
        if record.nameID in (1, 4):
            record.string = name
        elif record.nameID in (3, 6):
            record.string = name.replace(" ", "")
    font.flavor = "woff2"
    TO.mkdir(exist_ok=True)
    path = TO / f"{package}-{file}.woff2"
    font.save(path)
    print(path.name, path.stat().st_size)
