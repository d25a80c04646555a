import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS = new Map([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** The encodings that are decoded. A body in any other encoding is read as it is. */
export const ACCEPT_ENCODING = [...DECODERS.keys()].join(', ');

/** A response exceeded its size limit, and reading stopped there. */
export class BodyTooLarge extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`response body exceeds ${limitBytes} bytes`);
    this.name = 'BodyTooLarge';
    this.limitBytes = limitBytes;
  }
}

/**
 * Decodes a body and passes each chunk to `take`, up to `limitBytes` in all, which also stops decompression bombs. The
 * next chunk is read when `take` has resolved. Throws BodyTooLarge, and errors of `take`.
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
