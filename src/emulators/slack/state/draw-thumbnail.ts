import type { StoredFile } from './saved-file.ts';

interface ThumbnailSize {
  width: number;
  height: number;
}

/** Squares, which have no `_w` and `_h`. Slack cuts them out of the middle. */
export const SQUARES: readonly number[] = [64, 80, 160];
/** Longest sides of the others. The first is always there, the rest only for larger pictures. */
const LONGEST_SIDES: readonly number[] = [360, 480, 720, 800, 960, 1024];

/** Larger pictures would take too much memory. */
const MAX_PIXELS = 50_000_000;

/** The sizes of a picture's thumbnails apart from the squares, by longest side. A picture isn't enlarged. */
export function listThumbnailSizes({
  width = 0,
  height = 0,
}: StoredFile): ReadonlyMap<number, ThumbnailSize> {
  const longest = Math.max(width, height);
  const sides = LONGEST_SIDES.filter((side, index) => index === 0 || side < longest);
  return new Map(
    sides.map((side) => {
      const scale = Math.min(1, side / longest);
      const shorten = (length: number) => Math.max(1, Math.floor(length * scale));
      return [side, { width: shorten(width), height: shorten(height) }];
    }),
  );
}

/** The size that an address ending in `_360.png` stands for. Undefined if the picture has no such thumbnail. */
export function findThumbnailSize(file: StoredFile, path: string): ThumbnailSize | undefined {
  const side = Number(/_(\d+)(?:\.\w+)?$/.exec(path)?.[1]);
  if (file.width === undefined) return undefined;
  return SQUARES.includes(side) ? { width: side, height: side } : listThumbnailSizes(file).get(side);
}

/** The renderer is large, so the package of this workspace leaves it to its users. */
async function loadRenderer() {
  try {
    return await import('@resvg/resvg-js');
  } catch {
    return undefined;
  }
}

/** A smaller PNG of a picture. Undefined if nothing here can draw it. */
export async function drawThumbnail(
  file: StoredFile,
  bytes: Buffer,
  { width, height }: ThumbnailSize,
): Promise<Buffer | undefined> {
  if ((file.width ?? 0) * (file.height ?? 0) > MAX_PIXELS) return undefined;
  const renderer = await loadRenderer();
  const source = `data:${file.mimetype};base64,${bytes.toString('base64')}`;
  const size = `width="${width}" height="${height}"`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>` +
    `<image ${size} preserveAspectRatio="xMidYMid slice" href="${source}"/></svg>`;
  const image = await renderer?.renderAsync(svg, { font: { loadSystemFonts: false } }).catch(() => undefined);
  return image?.asPng();
}
