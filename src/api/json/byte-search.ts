/** Creates a lookup table for the bytes of the characters. */
export function createByteTable(characters: string): Uint8Array {
  const all = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) all[byte] = 1;
  return all;
}

/**
 * Returns the position of the first byte that `table` contains, or the end if there is none. This is the hot loop of
 * large responses.
 */
export function findByte(table: Uint8Array, bytes: Buffer, from: number): number {
  let position = from;
  while (position < bytes.length && table[bytes[position] ?? 0] === 0) position += 1;
  return position;
}

/**
 * Creates a search for a byte in a chunk, for positions that never decrease. It stores the last position found, so that each
 * part of the chunk is searched once. Call `reset` for each new chunk. `find` returns the end of the chunk if there is no such byte.
 */
export function createByteSearch(byte: number) {
  let found = -1;
  return {
    reset() {
      found = -1;
    },
    find(bytes: Buffer, from: number): number {
      if (found < from) {
        const index = bytes.indexOf(byte, from);
        found = index < 0 ? bytes.length : index;
      }
      return found;
    },
  };
}
