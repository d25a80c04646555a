/** What a TrueType font says of its characters. Units are those of its em. */
export interface FontTable {
  /** The glyph of a code point; undefined where the font has none, and would draw an empty box. */
  glyph(codePoint: number): number | undefined;
  advance(glyph: number): number;
  unitsPerEm: number;
}

const UNICODE_BMP = 4;
const UNICODE_FULL = 12;

/** Reads `cmap`, `hhea`, `hmtx` and `head`. https://learn.microsoft.com/en-us/typography/opentype/spec/otff */
export function readFontTable(font: Buffer): FontTable {
  const at = (tag: string): number => {
    const tables = font.readUInt16BE(4);
    for (let index = 0; index < tables; index += 1) {
      const record = 12 + index * 16;
      if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
    }
    throw new Error(`a font without ${tag}`);
  };
  const glyphs = glyphsOf(font, at('cmap'));
  const [widths, metrics] = [at('hmtx'), font.readUInt16BE(at('hhea') + 34)];
  return {
    glyph: (codePoint) => glyphs.get(codePoint),
    // The last width is that of all glyphs after it.
    advance: (glyph) => font.readUInt16BE(widths + Math.min(glyph, metrics - 1) * 4),
    unitsPerEm: font.readUInt16BE(at('head') + 18),
  };
}

function glyphsOf(font: Buffer, cmap: number): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>();
  const tables = font.readUInt16BE(cmap + 2);
  for (let index = 0; index < tables; index += 1) {
    const start = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4);
    const format = font.readUInt16BE(start);
    if (format === UNICODE_BMP) readSegments(font, start, glyphs);
    if (format === UNICODE_FULL) readGroups(font, start, glyphs);
  }
  return glyphs;
}

/** Format 4: segments of 16-bit code points, each with a delta or a place in a list of glyphs. */
function readSegments(font: Buffer, start: number, glyphs: Map<number, number>): void {
  const doubled = font.readUInt16BE(start + 6);
  const ends = start + 14;
  const starts = ends + doubled + 2;
  for (let offset = 0; offset < doubled; offset += 2) {
    const [first, last] = [font.readUInt16BE(starts + offset), font.readUInt16BE(ends + offset)];
    const delta = font.readUInt16BE(starts + doubled + offset);
    const place = starts + 2 * doubled + offset;
    const range = font.readUInt16BE(place);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const listed = range === 0 ? code : font.readUInt16BE(place + range + (code - first) * 2);
      const glyph = range !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
}

/** Format 12: groups of code points of any plane. */
function readGroups(font: Buffer, start: number, glyphs: Map<number, number>): void {
  const groups = font.readUInt32BE(start + 12);
  for (let index = 0; index < groups; index += 1) {
    const group = start + 16 + index * 12;
    const [first, last] = [font.readUInt32BE(group), font.readUInt32BE(group + 4)];
    const glyph = font.readUInt32BE(group + 8);
    for (let code = first; code <= last; code += 1) glyphs.set(code, glyph + code - first);
  }
}
