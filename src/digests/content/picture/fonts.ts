import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The shipped font and its licence. It covers Latin, Cyrillic, Greek, Hebrew and Arabic, among others. */
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

/** `size` in px. */
export interface TextStyle {
  size: number;
  bold?: boolean;
}

/** The part of a text that the font can draw, on one line. Missing letters become "…"; emoji and symbols are dropped. */
export function keepDrawable(text: string): string {
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

/** The components of emoji sequences. The font has some of them, and would draw them as separate symbols. */
const IN_EMOJI = /[\u200d\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}]/u;

/** The width of a text in px, without kerning. */
export function textWidth(text: string, { size, bold = false }: TextStyle): number {
  const table = fontTables()[bold ? 1 : 0];
  if (!table) return 0;
  let units = 0;
  for (const character of text) {
    units += table.widths.get(character.codePointAt(0) ?? 0) ?? table.missing;
  }
  return (units / table.unitsPerEm) * size;
}

/** Shortens a text to `width` px with an ellipsis, between grapheme clusters. */
export function fitText(text: string, width: number, style: TextStyle): string {
  if (textWidth(text, style) <= width) return text;
  let fitting = '';
  for (const { segment } of graphemes.segment(text.slice(0, MAX_CHARACTERS))) {
    if (textWidth(`${fitting}${segment}…`, style) > width) break;
    fitting += segment;
  }
  return `${fitting.trimEnd().replace(/…$/, '')}…`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** More characters than fit into any line of a picture. */
const MAX_CHARACTERS = 400;
