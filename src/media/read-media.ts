import { type Budget, BudgetExceeded } from '../budget.ts';
import { formatBytes, formatBytesAbove, type MediaFacts, type MediaType } from '../posts/media-reference.ts';
import { createByteInput, DAMAGED, UnusableMedia, type Write } from './byte-input.ts';
import { detectType, SAMPLE_BYTES } from './detect-type.ts';
import { readHeic, readVideo } from './read-boxes.ts';
import { type FoundFacts, type ReadPicture, readGif, readJpeg, readPng, readWebp } from './read-pictures.ts';

/** Our own limit. Files are stored in the database, unless the operator has a bucket. */
export const MAX_MEDIA_BYTES = 100 * 1024 * 1024;

/** Our own limit: more than any camera has, and far more than any platform takes. */
const MAX_PIXELS = 250_000_000;

const READERS: Readonly<Record<MediaType, ReadPicture>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/heic': readHeic,
  'video/mp4': readVideo,
  'video/quicktime': readVideo,
};

/**
 * Finds out what a file is by its content, and copies it without its private data. `patch` replaces bytes that were
 * already written. Throws UnusableMedia.
 */
export async function readMedia(
  source: AsyncIterable<Uint8Array>,
  write: Write,
  budget: Budget,
): Promise<Omit<MediaFacts, 'bytes'> & Pick<FoundFacts, 'patches'>> {
  const input = createByteInput(limitBytes(source), budget);
  const writeUncounted: Write = async (bytes) => {
    budget.pause();
    await write(bytes);
    budget.resume();
  };
  try {
    const type = detectType(await input.peek(SAMPLE_BYTES));
    const found = await READERS[type](input, writeUncounted, budget);
    checkSize(found);
    return { type, ...found };
  } catch (error) {
    throw error instanceof BudgetExceeded ? new UnusableMedia(DAMAGED, error) : error;
  }
}

function checkSize({ width, height }: FoundFacts): void {
  if (width === undefined || height === undefined) return;
  if (width * height > MAX_PIXELS)
    throw new UnusableMedia(
      `This has ${formatNumber(width)} × ${formatNumber(height)} pixels, and I take at most ${MAX_PIXELS / 1e6} million.`,
    );
  if (width === 0 || height === 0) throw new UnusableMedia('This picture is empty.');
}

const formatNumber = (number: number) => number.toLocaleString('en-US');

/** Ends a file that is longer than it may be. */
async function* limitBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > MAX_MEDIA_BYTES) throw new UnusableMedia(renderTooLarge());
    yield piece;
  }
}

export function renderTooLarge(bytes?: number): string {
  const limit = `I take files up to ${formatBytes(MAX_MEDIA_BYTES)}`;
  return bytes === undefined
    ? `${limit}, and this is larger.`
    : `${limit}, and this has ${formatBytesAbove(MAX_MEDIA_BYTES, bytes)}.`;
}
