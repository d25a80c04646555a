import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Shipped, with its licence beside it: Latin, Cyrillic, Greek, Hebrew and Arabic among others. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'assets', 'fonts', 'dejavu');
export const FONT_FAMILY = 'DejaVu Sans Condensed';
const FONTS = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'] as const;
export const FONT_FILES = FONTS.map((name) => join(FOLDER, `${name}.ttf`));

/** `npm run generate` writes the file; assets/fonts/measure-font.ts explains the format. */
const measured = z
  .record(
    z.enum(FONTS),
    z.object({ unitsPerEm: z.number(), missing: z.number(), widths: z.record(z.string(), z.string()) }),
  )
  .transform((fonts) => FONTS.map((name) => ({ ...fonts[name], widths: byCodePoint(fonts[name].widths) })));

function byCodePoint(runs: Readonly<Record<string, string>>): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  for (const [first, run] of Object.entries(runs)) {
    let codePoint = Number.parseInt(first.slice('U+'.length), 16);
    for (const width of run.split(' ')) {
      widths.set(codePoint, Number(width));
      codePoint += 1;
    }
  }
  return widths;
}

let tables: z.infer<typeof measured> | undefined;

function fontTables(): z.infer<typeof measured> {
  tables ??= measured.parse(JSON.parse(readFileSync(join(FOLDER, 'widths.json'), 'utf8')));
  return tables;
}

/** How text is written: px, and in bold. */
export interface Writing {
  size: number;
  bold?: boolean;
}

/** What the font can draw of a text, on one line. Letters that it lacks become "…", emoji and other signs go. */
export function drawable(text: string): string {
  const [regular] = fontTables();
  let drawn = '';
  for (const character of text.normalize('NFC')) {
    const isThere = regular?.widths.has(character.codePointAt(0) ?? 0) ?? false;
    if (isThere && !IN_EMOJI.test(character)) drawn += character;
    else if (/[\p{L}\p{N}]/u.test(character)) drawn += '…';
  }
  const tidy = drawn
    .replace(/…(?:\s*…)+/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  return tidy === '' && text.trim() !== '' ? '…' : tidy;
}

/** What emoji are put together with: alone they would be drawn as signs of their own. */
const IN_EMOJI = /[\u200d\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}]/u;

/** Px, without kerning. */
export function textWidth(text: string, { size, bold = false }: Writing): number {
  const table = fontTables()[bold ? 1 : 0];
  if (!table) return 0;
  let units = 0;
  for (const character of text) {
    units += table.widths.get(character.codePointAt(0) ?? 0) ?? table.missing;
  }
  return (units / table.unitsPerEm) * size;
}

/** As much of a text as fits, with an ellipsis; never through a character that people see as one. */
export function fitted(text: string, width: number, writing: Writing): string {
  if (textWidth(text, writing) <= width) return text;
  let fitting = '';
  for (const { segment } of graphemes.segment(text.slice(0, LONGEST))) {
    if (textWidth(`${fitting}${segment}…`, writing) > width) break;
    fitting += segment;
  }
  return `${fitting.trimEnd().replace(/…$/, '')}…`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** No line of a picture holds more characters. */
const LONGEST = 400;
