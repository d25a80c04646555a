import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS = new Map([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** The encodings that an answer may come in; a body in any other is left as it is. */
export const ACCEPT_ENCODING = [...DECODERS.keys()].join(', ');

/** An answer went over its limit; reading stopped there. */
export class BodyTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The answer is over ${limitBytes} bytes`);
    this.name = 'BodyTooLarge';
    this.limitBytes = limitBytes;
  }
}

/**
 * Reads a body, decoded, up to `limitBytes`, and gives `take` each chunk; a bomb is never inflated further than that.
 * The next is read when `take` is done with it. Throws BodyTooLarge, and what `take` throws.
 */
export async function readBounded(
  body: Readable,
  { encoding, limitBytes }: { encoding: string; limitBytes: number },
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const collect = async (source: AsyncIterable<Buffer>) => {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limitBytes) throw new BodyTooLarge(limitBytes);
      await take(chunk);
    }
  };
  const decoder = DECODERS.get(encoding.trim().toLowerCase())?.();
  await (decoder ? pipeline(body, decoder, collect) : pipeline(body, collect));
}
