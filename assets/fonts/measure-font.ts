/**
 * Advance widths of a TrueType font, in units of its em: `missing` is that of the box for a character without a glyph,
 * `widths` has those of all other characters in runs of successive code points, by the run's first one ("U+0041").
 * Read from `head`, `hhea`, `hmtx` and format 12 of `cmap`.
 * https://learn.microsoft.com/en-us/typography/opentype/spec/otff
 */
export function measureFont(font: Buffer): {
  unitsPerEm: number;
  missing: number;
  widths: Readonly<Record<string, string>>;
} {
  const tables = readTables(font);
  const table = (tag: string) => {
    const start = tables.get(tag);
    if (start === undefined) throw new Error(`the font has no ${tag} table`);
    return start;
  };
  const [advances, count] = [table('hmtx'), font.readUInt16BE(table('hhea') + 34)];
  // The last width is that of all glyphs after it.
  const advance = (glyph: number) => font.readUInt16BE(advances + Math.min(glyph, count - 1) * 4);
  const runs: Record<string, string> = {};
  let [run, next] = ['', -1];
  for (const [codePoint, glyph] of readGlyphs(font, table('cmap'))) {
    if (codePoint !== next) run = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
    runs[run] = codePoint === next ? `${runs[run]} ${advance(glyph)}` : `${advance(glyph)}`;
    next = codePoint + 1;
  }
  return { unitsPerEm: font.readUInt16BE(table('head') + 18), missing: advance(0), widths: runs };
}

/** Where each table begins. */
function readTables(font: Buffer): ReadonlyMap<string, number> {
  const records = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  return new Map(
    records.map((record) => [font.toString('latin1', record, record + 4), font.readUInt32BE(record + 8)]),
  );
}

const UNICODE_FULL = 12;

/** Code points in ascending order, each with its glyph. */
function* readGlyphs(font: Buffer, cmap: number): Generator<readonly [codePoint: number, glyph: number]> {
  const starts = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, index) => cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4),
  );
  const start = starts.find((at) => font.readUInt16BE(at) === UNICODE_FULL);
  if (start === undefined) throw new Error('the font has no cmap table of format 12');
  for (let index = 0; index < font.readUInt32BE(start + 12); index += 1) {
    const group = start + 16 + index * 12;
    const [first, last] = [font.readUInt32BE(group), font.readUInt32BE(group + 4)];
    const glyph = font.readUInt32BE(group + 8);
    for (let code = first; code <= last; code += 1) yield [code, glyph + code - first];
  }
}
