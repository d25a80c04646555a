import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { graphemes } from '../../../graphemes.ts';

/** The shipped font and its licence. It covers Latin, Cyrillic, Greek, Hebrew and Arabic, among others. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'assets', 'fonts', 'dejavu');
export const FONT_FAMILY = 'DejaVu Sans Condensed';
const FONTS = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'] as const;
export const FONT_FILES = FONTS.map((name) => join(FOLDER, `${name}.ttf`));

/** `npm run generate` writes the file; assets/fonts/measure-font.ts explains the format. */
const measuredFonts = z
  .record(
    z.enum(FONTS),
    z.object({ unitsPerEm: z.number(), missing: z.number(), widths: z.record(z.string(), z.string()) }),
  )
  .transform((fonts) => FONTS.map((name) => ({ ...fonts[name], widths: parseWidths(fonts[name].widths) })));

function parseWidths(runs: Readonly<Record<string, string>>): ReadonlyMap<number, number> {
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

let tables: z.infer<typeof measuredFonts> | undefined;

function loadFontTables(): z.infer<typeof measuredFonts> {
  tables ??= measuredFonts.parse(JSON.parse(readFileSync(join(FOLDER, 'widths.json'), 'utf8')));
  return tables;
}

/** `size` in px. */
export interface TextStyle {
  size: number;
  bold?: boolean;
}

/** Removes the characters that the font can't draw, and line breaks. Missing letters become "…". */
export function removeUndrawable(text: string): string {
  const [regular] = loadFontTables();
  let drawable = '';
  for (const character of text.normalize('NFC')) {
    const isInFont = regular?.widths.has(character.codePointAt(0) ?? 0) ?? false;
    if (isInFont && !EMOJI_COMPONENT.test(character)) drawable += character;
    else if (/[\p{L}\p{N}]/u.test(character)) drawable += '…';
  }
  const collapsed = drawable
    .replace(/…(?:\s*…)+/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  return collapsed === '' && text.trim() !== '' ? '…' : collapsed;
}

/** Components of emoji sequences. The font has some of them, and would draw them as separate symbols. */
const EMOJI_COMPONENT = /[\u200d\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}]/u;

/** Measures the width of a text in px, without kerning. */
export function measureText(text: string, { size, bold = false }: TextStyle): number {
  const table = loadFontTables()[bold ? 1 : 0];
  if (!table) return 0;
  let units = 0;
  for (const character of text) {
    units += table.widths.get(character.codePointAt(0) ?? 0) ?? table.missing;
  }
  return (units / table.unitsPerEm) * size;
}

/** Shortens a text to `width` px with an ellipsis after a whole word, or inside the first if that is wider. */
export function fitText(text: string, width: number, style: TextStyle): string {
  if (measureText(text, style) <= width) return text;
  let fittingText = '';
  for (const { segment } of graphemes.segment(text.slice(0, MAX_CHARACTERS))) {
    if (measureText(`${fittingText}${segment}…`, style) > width) break;
    fittingText += segment;
  }
  const isWholeWord = text.charAt(fittingText.length) === ' ';
  const wholeWords = isWholeWord ? fittingText : fittingText.replace(/(\S)\s+\S*$/, '$1');
  return `${wholeWords.replace(/[\s·,…]+$/, '')}…`;
}

/** Maximum number of characters to fit. Every line of a picture holds fewer. */
const MAX_CHARACTERS = 400;

/** Turns SVG into PNG outside the main thread. Only encoding the PNG, about 10 ms, runs on the main thread. */
export interface Rasterizer {
  rasterize(svg: string): Promise<Buffer>;
}

/** Maximum pictures that are drawn concurrently. The whole app shares the four threads of Node's pool. */
const MAX_CONCURRENT = 2;
/** Maximum number of cached pictures. Digests of the same projects at the same minute share a picture. */
const MAX_CACHED_PICTURES = 20;

export function createRasterizer(): Rasterizer {
  const cache = new Map<string, Promise<Buffer>>();
  const queue: (() => void)[] = [];
  let freeSlots = MAX_CONCURRENT;
  const renderQueued = async (svg: string): Promise<Buffer> => {
    if (freeSlots > 0) freeSlots -= 1;
    else await new Promise<void>((start) => queue.push(start));
    try {
      return await render(svg);
    } finally {
      const startNext = queue.shift();
      if (startNext) startNext();
      else freeSlots += 1;
    }
  };
  return {
    rasterize(svg) {
      const key = createHash('sha256').update(svg).digest('base64');
      const cached = cache.get(key);
      if (cached) return cached;
      const picture = renderQueued(svg);
      cache.set(key, picture);
      picture.catch(() => cache.delete(key));
      const [oldest] = cache.keys();
      if (cache.size > MAX_CACHED_PICTURES && oldest !== undefined) cache.delete(oldest);
      return picture;
    },
  };
}

/** Renders SVG as PNG, with the shipped fonts: without a font, the renderer silently draws no text. */
async function render(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    background: '#ffffff',
  });
  return image.asPng();
}
