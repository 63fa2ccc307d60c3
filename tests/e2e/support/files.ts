import { brotliCompressSync, crc32, deflateSync } from "node:zlib";

/** Generated files to upload, so that no binaries are kept. */

/** A file for a file chooser. */
export interface Upload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

interface PdfOptions {
  /** Invisible bytes to add to the file. */
  padding?: number;
  /** Width of each page, in points. */
  width?: number;
  height?: number;
}

/** Builds a PDF with one page per line of text, whose letters scale with the page. */
export function pdf(
  name: string,
  lines: string[],
  { padding = 0, width = 612, height = 792 }: PdfOptions = {},
): Upload {
  const kids = lines.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${lines.length}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...lines.flatMap((line, index) => {
      const size = Math.round(width / 25);
      const text = `BT /F1 ${size} Tf ${3 * size} ${height - 4 * size} Td (${line}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + 2 * index} 0 R>>`,
        `<</Length ${text.length}>>stream\n${text}\nendstream`,
      ];
    }),
  ];
  return assemble(name, `%PDF-1.4\n%${"-".repeat(padding)}\n`, objects);
}

/**
 * Builds a PDF of so many pages with a line of text and a picture of about 80 KB each, in the order
 * of most writers: pages from the first to the last, and the index at the end.
 */
export function pictureBook(name: string, pageCount: number): Upload {
  const side = 164;
  const kids = Array.from({ length: pageCount }, (_, index) => `${4 + 3 * index} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${pageCount}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  // Noise, which no compression makes smaller; the same in every run.
  let seed = 1;
  const noise = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed & 0xff;
  };
  for (let index = 0; index < pageCount; index += 1) {
    const text = `BT /F1 24 Tf 72 700 Td (Page ${index + 1}) Tj ET q 400 0 0 400 100 200 cm /I Do Q`;
    const picture = Buffer.from(Array.from({ length: side * side * 3 }, noise)).toString("latin1");
    const number = 4 + 3 * index;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>/XObject<</I ${number + 2} 0 R>>>>/Contents ${number + 1} 0 R>>`,
      `<</Length ${text.length}>>stream\n${text}\nendstream`,
      `<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceRGB/BitsPerComponent 8/Length ${picture.length}>>stream\n${picture}\nendstream`,
    );
  }
  return assemble(name, "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", objects);
}

/**
 * Builds a PDF that tries to run a script in every possible place: on opening, on its page or a
 * field of it, behind a link, and in the matrix of a font (CVE-2024-4367).
 */
export function hostilePdf(name: string, line: string): Upload {
  const script = "<</S/JavaScript/JS(app.alert\\(1\\);alert\\(1\\))>>";
  const matrix = "/FontMatrix[1 2 3 4 5 (1\\); alert\\(1\\); //)]";
  const text = `BT /F1 24 Tf 72 700 Td (${line}) Tj /F2 24 Tf 0 -40 Td (a) Tj ET`;
  const glyph = "1000 0 0 0 750 750 d1 0 0 750 750 re f";
  return assemble(name, "%PDF-1.7\n", [
    `<</Type/Catalog/Pages 2 0 R/OpenAction ${script}/AA<</WC ${script}/WS ${script}>>/Names<</JavaScript<</Names[(x) ${script}]>>>>/AcroForm<</Fields[8 0 R]>>>>`,
    "<</Type/Pages/Kids[4 0 R]/Count 1>>",
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica${matrix}>>`,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/AA<</O ${script}>>/Resources<</Font<</F1 3 0 R/F2 6 0 R>>>>/Contents 5 0 R/Annots[8 0 R 9 0 R]>>`,
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]${matrix}/CharProcs<</a 7 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]>>`,
    `<</Length ${glyph.length}>>stream\n${glyph}\nendstream`,
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(x)/Rect[72 600 300 640]/AA<</F ${script}/C ${script}>>>>`,
    "<</Type/Annot/Subtype/Link/Rect[72 500 300 540]/A<</S/URI/URI(javascript:alert\\(1\\))>>>>",
  ]);
}

/** Numbers the objects; the first is the catalogue. */
function assemble(name: string, head: string, objects: string[]): Upload {
  let file = head;
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = file.length;
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  file += `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return { name, mimeType: "application/pdf", buffer: Buffer.from(file, "latin1") };
}

/** Builds a PDF of one page whose text is compressed with Brotli, by words of its dictionary. */
export function brotliPdf(name: string, line: string): Upload {
  const text = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET % which is available throughout the world`;
  const compressed = brotliCompressSync(Buffer.from(text, "latin1")).toString("latin1");
  return assemble(name, "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[4 0 R]/Count 1>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>",
    `<</Filter/BrotliDecode/Length ${compressed.length}>>stream\n${compressed}\nendstream`,
  ]);
}

/** Builds a file that begins like a PDF and is none. */
export function corruptPdf(name: string): Upload {
  return {
    name,
    mimeType: "application/pdf",
    buffer: Buffer.from(`%PDF-1.4\n${"?".repeat(2048)}`),
  };
}

/** Builds a PNG: a square of one colour. */
export function png(name: string, side = 240, colour = [176, 58, 46]): Upload {
  const row = Buffer.from([0, ...Array.from({ length: side }, () => colour).flat()]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const buffer = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return { name, mimeType: "image/png", buffer };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
