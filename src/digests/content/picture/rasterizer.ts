import { createHash } from 'node:crypto';
import { FONT_FAMILY, FONT_FILES } from './fonts.ts';

/** Turns SVG into PNG outside the main thread. Only encoding the PNG, about 10 ms, runs on the main thread. */
export interface Rasterizer {
  rasterize(svg: string): Promise<Buffer>;
}

/**
 * Maximum number of pictures that are drawn concurrently. Node's thread pool has four threads, which the whole app
 * shares.
 */
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

/**
 * Renders SVG as PNG. Uses only the shipped fonts, because the renderer silently draws no text if a font is missing.
 */
async function render(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    background: '#ffffff',
  });
  return image.asPng();
}
