import { createHash } from 'node:crypto';
import { FONT_FAMILY, FONT_FILES } from './fonts.ts';

/** Draws off the main thread; only the PNG itself is packed on it, in about 10 ms. */
export interface Drawer {
  draw(svg: string): Promise<Buffer>;
}

/** Node has four threads for all such work; the rest of the bot needs some of them. */
const TOGETHER = 2;
/** Digests of one minute about the same projects are the same picture. */
const KEPT = 20;

export function createDrawer(): Drawer {
  const kept = new Map<string, Promise<Buffer>>();
  const waiting: (() => void)[] = [];
  let free = TOGETHER;
  const inTurn = async (svg: string): Promise<Buffer> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
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
      const known = kept.get(key);
      if (known) return known;
      const drawn = inTurn(svg);
      kept.set(key, drawn);
      drawn.catch(() => kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return drawn;
    },
  };
}

/** Without a font it would draw no text and say nothing: the shipped one is all that it looks at. */
async function render(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    background: '#ffffff',
  });
  return image.asPng();
}
