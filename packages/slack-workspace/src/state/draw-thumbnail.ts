import type { StoredFile } from './saved-state.ts';

interface ThumbnailSize {
  width: number;
  height: number;
}

/** Sizes of square thumbnails, which have no `_w` and `_h`. Slack crops the middle of the picture. */
export const SQUARE_SIZES: readonly number[] = [64, 80, 160];
/** Longest sides of the other thumbnails. All pictures have the first, and only larger pictures have the rest. */
const THUMBNAIL_SIDES: readonly number[] = [360, 480, 720, 800, 960, 1024];

/** Larger pictures would take too much memory. */
const MAX_PIXELS = 50_000_000;

/**
 * The sizes of a picture's thumbnails by longest side, without the squares. Thumbnails are never larger than the
 * picture.
 */
export function listThumbnailSizes({
  width = 0,
  height = 0,
}: StoredFile): ReadonlyMap<number, ThumbnailSize> {
  const longestSide = Math.max(width, height);
  const sides = THUMBNAIL_SIDES.filter((side, index) => index === 0 || side < longestSide);
  return new Map(
    sides.map((side) => {
      const scale = Math.min(1, side / longestSide);
      const shorten = (length: number) => Math.max(1, Math.floor(length * scale));
      return [side, { width: shorten(width), height: shorten(height) }];
    }),
  );
}

/** Finds the size of a thumbnail by the end of its address, such as `_360.png`. Undefined if the picture has none. */
export function findThumbnailSize(file: StoredFile, path: string): ThumbnailSize | undefined {
  const side = Number(/_(\d+)(?:\.\w+)?$/.exec(path)?.[1]);
  if (file.width === undefined) return undefined;
  return SQUARE_SIZES.includes(side) ? { width: side, height: side } : listThumbnailSizes(file).get(side);
}

/** Loads the renderer. It is large, so the emulator's package doesn't depend on it. */
async function loadRenderer() {
  try {
    return await import('@resvg/resvg-js');
  } catch {
    return undefined;
  }
}

/** Draws a thumbnail as a PNG. Undefined without the renderer, and for pictures that are too large or unreadable. */
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
