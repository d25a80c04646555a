import { createHash } from 'node:crypto';
import { FONT_FAMILY, FONT_FILES } from './fonts.ts';

/** Renders off the main thread; only encoding the PNG, about 10 ms, runs on it. */
export interface Drawer {
  draw(svg: string): Promise<Buffer>;
}

/** Pictures rendered at the same time. Node's thread pool has four threads, and the rest of the app needs some. */
const MAX_CONCURRENT = 2;
/** Digests of the same projects at the same minute have the same picture. */
const MAX_CACHED = 20;

export function createDrawer(): Drawer {
  const cache = new Map<string, Promise<Buffer>>();
  const waiting: (() => void)[] = [];
  let free = MAX_CONCURRENT;
  const renderQueued = async (svg: string): Promise<Buffer> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await render(svg);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
  return {
    draw(svg) {
      const key = createHash('sha256').update(svg).digest('base64');
      const cached = cache.get(key);
      if (cached) return cached;
      const drawn = renderQueued(svg);
      cache.set(key, drawn);
      drawn.catch(() => cache.delete(key));
      const [oldest] = cache.keys();
      if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
      return drawn;
    },
  };
}

/** The renderer silently draws no text if a font is missing, so it gets the shipped fonts and no others. */
async function render(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    background: '#ffffff',
  });
  return image.asPng();
}
