/** A minor collection takes less than a millisecond. */
const BYTES_PER_COLLECTION = 1024 * 1024;
let countedBytes = 0;

/**
 * Counts the bytes of a buffer that is used once, and frees such buffers now and then. They are outside of V8's heap, so
 * V8 alone would let 30 to 60 MB of them accumulate in each thread. Works only with `node --expose-gc`.
 */
export function countBuffer(bytes: number): void {
  countedBytes += bytes;
  if (countedBytes < BYTES_PER_COLLECTION) return;
  countedBytes = 0;
  globalThis.gc?.({ type: 'minor' });
}
