#!/usr/bin/env python3
"""Generates the PDFs in this folder, which the end-to-end tests cannot build themselves.

Needs Debian's qpdf and libopenjp2-tools; otherwise only Python's standard library. Run it in this
folder. Each picture is one black square on white, each text uses a standard font; everything is
generated here, nothing is taken from another file.
"""

import subprocess
import tempfile
from pathlib import Path

SIDE = 64
HERE = Path(__file__).parent


def is_black(x: int, y: int) -> bool:
    return 16 <= x < 48 and 16 <= y < 48


def pdf(*objects: tuple[str, bytes]) -> bytes:
    """Builds a file from objects, the catalog first: each a dictionary with an optional stream."""
    out = b"%PDF-1.7\n"
    offsets = []
    for number, (dictionary, stream) in enumerate(objects, 1):
        offsets.append(len(out))
        body = f"<<{dictionary}>>"
        if stream:
            body = f"<<{dictionary}/Length {len(stream)}>>stream\n"
        out += f"{number} 0 obj\n{body}".encode() + stream + (b"\nendstream" if stream else b"")
        out += b"\nendobj\n"
    table = len(out)
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n".encode()


def pictures(*images: tuple[str, bytes]) -> bytes:
    """Builds a page for each picture, which fills it."""
    kids = " ".join(f"{3 + 3 * index} 0 R" for index in range(len(images)))
    objects = [
        ("/Type/Catalog/Pages 2 0 R", b""),
        (f"/Type/Pages/Kids[{kids}]/Count {len(images)}/MediaBox[0 0 300 300]", b""),
    ]
    for dictionary, data in images:
        image, content = len(objects) + 2, len(objects) + 3
        resources = f"/Resources<</XObject<</I {image} 0 R>>>>"
        size = f"/Width {SIDE}/Height {SIDE}"
        objects += [
            (f"/Type/Page/Parent 2 0 R{resources}/Contents {content} 0 R", b""),
            (f"/Type/XObject/Subtype/Image{size}{dictionary}", data),
            ("", b"q 300 0 0 300 0 0 cm /I Do Q"),
        ]
    return pdf(*objects)


def words(text: str) -> bytes:
    resources = "/Resources<</Font<</F 4 0 R>>>>"
    return pdf(
        ("/Type/Catalog/Pages 2 0 R", b""),
        ("/Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]", b""),
        (f"/Type/Page/Parent 2 0 R{resources}/Contents 5 0 R", b""),
        ("/Type/Font/Subtype/Type1/BaseFont/Helvetica", b""),
        ("", f"BT /F 24 Tf 24 150 Td ({text}) Tj ET".encode()),
    )


# The states of the MQ coder (ITU-T T.88, table E.1): Qe, next on MPS, next on LPS, switch.
STATES = [
    (0x5601, 1, 1, 1), (0x3401, 2, 6, 0), (0x1801, 3, 9, 0), (0x0AC1, 4, 12, 0),
    (0x0521, 5, 29, 0), (0x0221, 38, 33, 0), (0x5601, 7, 6, 1), (0x5401, 8, 14, 0),
    (0x4801, 9, 14, 0), (0x3801, 10, 14, 0), (0x3001, 11, 17, 0), (0x2401, 12, 18, 0),
    (0x1C01, 13, 20, 0), (0x1601, 29, 21, 0), (0x5601, 15, 14, 1), (0x5401, 16, 14, 0),
    (0x5101, 17, 15, 0), (0x4801, 18, 16, 0), (0x3801, 19, 17, 0), (0x3401, 20, 18, 0),
    (0x3001, 21, 19, 0), (0x2801, 22, 19, 0), (0x2401, 23, 20, 0), (0x2201, 24, 21, 0),
    (0x1C01, 25, 22, 0), (0x1801, 26, 23, 0), (0x1601, 27, 24, 0), (0x1401, 28, 25, 0),
    (0x1201, 29, 26, 0), (0x1101, 30, 27, 0), (0x0AC1, 31, 28, 0), (0x09C1, 32, 29, 0),
    (0x08A1, 33, 30, 0), (0x0521, 34, 31, 0), (0x0441, 35, 32, 0), (0x02A1, 36, 33, 0),
    (0x0221, 37, 34, 0), (0x0141, 38, 35, 0), (0x0111, 39, 36, 0), (0x0085, 40, 37, 0),
    (0x0049, 41, 38, 0), (0x0025, 42, 39, 0), (0x0015, 43, 40, 0), (0x0009, 44, 41, 0),
    (0x0005, 45, 42, 0), (0x0001, 45, 43, 0), (0x5601, 46, 46, 0),
]


class Coder:
    """The arithmetic coder of JBIG2 (ITU-T T.88, annex E)."""

    def __init__(self) -> None:
        self.range, self.code, self.count = 0x8000, 0, 12
        self.out = bytearray([0])
        self.contexts: dict[int, tuple[int, int]] = {}

    def encode(self, context: int, bit: int) -> None:
        index, likely = self.contexts.get(context, (0, 0))
        estimate, on_likely, on_unlikely, switch = STATES[index]
        self.range -= estimate
        if bit == likely:
            if self.range & 0x8000:
                self.code += estimate
                return
            if self.range < estimate:
                self.range = estimate
            else:
                self.code += estimate
            self.contexts[context] = (on_likely, likely)
        else:
            if self.range < estimate:
                self.code += estimate
            else:
                self.range = estimate
            self.contexts[context] = (on_unlikely, likely ^ switch)
        while not self.range & 0x8000:
            self.range <<= 1
            self.code <<= 1
            self.count -= 1
            if self.count == 0:
                self.byte_out()

    def byte_out(self) -> None:
        if self.out[-1] != 0xFF and self.code >= 0x8000000:
            self.out[-1] += 1
            self.code &= 0x7FFFFFF
        if self.out[-1] == 0xFF:
            self.out.append(self.code >> 20 & 0xFF)
            self.code &= 0xFFFFF
            self.count = 7
        else:
            self.out.append(self.code >> 19 & 0xFF)
            self.code &= 0x7FFFF
            self.count = 8

    def finish(self) -> bytes:
        limit = self.code + self.range
        self.code |= 0xFFFF
        if self.code >= limit:
            self.code -= 0x8000
        for _ in range(2):
            self.code <<= self.count
            self.byte_out()
        return bytes(self.out[1:]) + b"\xff\xac"


def jbig2() -> bytes:
    """Encodes page information and one generic region of template 0, as PDF requires."""
    coder = Coder()

    def pixel(x: int, y: int) -> int:
        return int(0 <= x < SIDE and 0 <= y < SIDE and is_black(x, y))

    # The preceding pixels, from the context's highest bit down (figure 3); the adaptive pixels A1
    # to A4 are at their nominal positions.
    a1, a2, a3, a4 = adaptive = [(3, -1), (-3, -1), (2, -2), (-2, -2)]
    places = [a4, (-1, -2), (0, -2), (1, -2), a3, a2]
    places += [*((x, -1) for x in range(-2, 3)), a1, *((x, 0) for x in range(-4, 0))]
    for y in range(SIDE):
        for x in range(SIDE):
            context = 0
            for dx, dy in places:
                context = context << 1 | pixel(x + dx, y + dy)
            coder.encode(context, pixel(x, y))

    def segment(number: int, kind: int, data: bytes) -> bytes:
        return number.to_bytes(4, "big") + bytes([kind, 0, 1]) + len(data).to_bytes(4, "big") + data

    size = SIDE.to_bytes(4, "big") * 2
    information = size + bytes(8) + bytes([0]) + bytes(2)
    region = size + bytes(8) + bytes([0]) + bytes([0])
    region += b"".join(bytes([x & 0xFF, y & 0xFF]) for x, y in adaptive)
    return segment(0, 48, information) + segment(1, 38, region + coder.finish())


def jpeg2000() -> bytes:
    pixels = bytes(0 if is_black(x, y) else 255 for y in range(SIDE) for x in range(SIDE))
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "square.pgm"), Path(folder, "square.jp2")
        source.write_bytes(f"P5\n{SIDE} {SIDE}\n255\n".encode() + pixels)
        command = ["opj_compress", "-i", source, "-o", made, "-n", "3"]
        subprocess.run(command, check=True, capture_output=True)
        return made.read_bytes()


def encrypted(text: str, password: str) -> bytes:
    """Encrypts with AES-256: this password opens the file, another one (the owner's) allows changes."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.pdf"), Path(folder, "after.pdf")
        before.write_bytes(words(text))
        encryption = ["--encrypt", password, "owner", "256", "--"]
        subprocess.run(["qpdf", "--static-id", *encryption, before, after], check=True)
        return after.read_bytes()


samples = {
    "pictures.pdf": pictures(
        ("/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode", jbig2()),
        ("/Filter/JPXDecode", jpeg2000()),
    ),
    "password.pdf": encrypted("Behind a password", "open"),
    "owner-password.pdf": encrypted("Nobody may change this", ""),
}
for name, content in samples.items():
    (HERE / name).write_bytes(content)
    print(name, len(content))
