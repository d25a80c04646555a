import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { normalizeUnicode } from '../../../normalize-text.ts';
import { createSlots } from '../../../slots.ts';
import { graphemes } from '../../../words.ts';
import { dropCutWord } from '../text/lines.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'assets', 'fonts');
export const FONT_FAMILY = 'DejaVu Sans Condensed';
/** Covers Latin, Cyrillic, Greek, Hebrew and Arabic, among others. */
const FONT_FILES = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'].map((name) =>
  join(FOLDER, 'dejavu', `${name}.ttf`),
);
/** The renderer takes what the other font lacks from this one. Only one weight, because it is seven times as large. */
const JAPANESE_FILE = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf'),
);
export const ALL_FONT_FILES = [...FONT_FILES, JAPANESE_FILE];

/** `npm run generate` writes the file; assets/fonts/measure-font.ts explains the format. */
const measuredFont = z
  .object({ unitsPerEm: z.number(), missing: z.number(), widths: z.record(z.string(), z.string()) })
  .transform(({ unitsPerEm, missing, widths }) => {
    const emWidths = new Map<number, number>();
    for (const [first, run] of Object.entries(widths)) {
      let codePoint = Number.parseInt(first.slice('U+'.length), 16);
      for (const width of run.split(' ')) {
        emWidths.set(codePoint, Number(width) / unitsPerEm);
        codePoint += 1;
      }
    }
    return { missing: missing / unitsPerEm, widths: emWidths };
  });
/** In the order of `ALL_FONT_FILES`. Widths are in em, by code point. */
const measuredFonts = z.tuple([measuredFont, measuredFont, measuredFont]);

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

/** Chinese and Japanese letters between spaces or punctuation. Without some of them, the others say nothing. */
const HAN_OR_KANA_RUN = /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]&&[\p{L}\p{N}]]+/gv;

/** Removes the characters that the fonts can't draw, and line breaks. Missing letters become "…". */
export function removeUndrawable(text: string): string {
  const wholeRuns = normalizeUnicode(text, 'NFC').replace(HAN_OR_KANA_RUN, (run) =>
    [...run].every(isInFonts) ? run : '…',
  );
  let drawable = '';
  for (const character of wholeRuns) {
    if (isInFonts(character) && !EMOJI_COMPONENT.test(character)) drawable += character;
    else if (/[\p{L}\p{N}]/u.test(character)) drawable += '…';
  }
  const collapsed = drawable
    .replace(/…(?:\s*…)+/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  return collapsed === '' && text.trim() !== '' ? '…' : collapsed;
}

function isInFonts(character: string): boolean {
  const [regular, , japanese] = loadFontTables();
  const codePoint = character.codePointAt(0) ?? 0;
  return regular.widths.has(codePoint) || japanese.widths.has(codePoint);
}

/** Components of emoji sequences. The font has some of them, and would draw them as separate symbols. */
const EMOJI_COMPONENT = /[\u200d\ufe0e\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}]/u;

/** Measures the width of a text in px, without kerning. */
export function measureText(text: string, { size, bold = false }: TextStyle): number {
  const [regular, boldFont, japanese] = loadFontTables();
  const { widths, missing } = bold ? boldFont : regular;
  let ems = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    ems += widths.get(codePoint) ?? japanese.widths.get(codePoint) ?? missing;
  }
  return ems * size;
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
  const wholeWords = isWholeWord ? fittingText : dropCutWord(fittingText);
  return `${wholeWords.replace(/(?<![\s·,…])[\s·,…]+$/, '')}…`;
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
  const cache = new LRUCache<string, Promise<Buffer>>({ max: MAX_CACHED_PICTURES });
  const createSlot = createSlots({ maxSlots: MAX_CONCURRENT, maxSlotsPerKey: MAX_CONCURRENT });
  const renderInTurn = async (svg: string): Promise<Buffer> => {
    const slot = createSlot('pictures');
    await slot.acquire();
    try {
      return await render(svg);
    } finally {
      slot.release();
    }
  };
  return {
    rasterize(svg) {
      const key = createHash('sha256').update(svg).digest('base64');
      const cached = cache.get(key);
      if (cached) return cached;
      const picture = renderInTurn(svg);
      cache.set(key, picture);
      picture.catch(() => cache.delete(key));
      return picture;
    },
  };
}

/** Renders SVG as PNG, with the shipped fonts: without a font, the renderer silently draws no text. */
async function render(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const [regular] = loadFontTables();
  const isCovered = [...new Set(svg)].every((character) => regular.widths.has(character.codePointAt(0) ?? 0));
  const image = await renderAsync(svg, {
    font: {
      loadSystemFonts: false,
      fontFiles: isCovered ? FONT_FILES : ALL_FONT_FILES,
      defaultFontFamily: FONT_FAMILY,
    },
    background: '#ffffff',
  });
  return image.asPng();
}
