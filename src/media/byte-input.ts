import { setImmediate as waitForTurn } from 'node:timers/promises';
import { countBuffer } from '../count-buffers.ts';

/** A file can't become part of a post. `problem`: a sentence or two for the person. Plain text. */
export class UnusableMedia extends Error {
  override readonly name = 'UnusableMedia';
  readonly problem: string;
  constructor(problem: string, cause?: unknown) {
    super('the file is not usable', { cause });
    this.problem = problem;
  }
}

/** Says why a file couldn't be taken. Plain text. */
export function explainFailedFile(error: unknown): string {
  return error instanceof UnusableMedia ? error.problem : 'I couldn’t store this file. Try again.';
}

export const DAMAGED = 'This file is damaged. Save it again, and upload the copy.';
export const TRUNCATED = 'This file ends too early. Upload it again.';

/** Takes the bytes of a file, and resolves when it can take more. */
export type Write = (bytes: Buffer) => Promise<void>;

/** Longest piece that is read at once. A JPEG segment is shorter. */
const MAX_PIECE_BYTES = 1024 * 1024;

/**
 * Parts of a file: segments, chunks, boxes or frames. Enough for a PNG of 100 MB in chunks of 4 KB. A hostile file has
 * millions of empty ones, and each takes time.
 */
const MAX_PARTS = 50_000;
/** A piece of 64 KB can have 16,000 parts. */
const PARTS_PER_TURN = 1_000;

/** Reads a file from beginning to end, with little of it in memory. Throws UnusableMedia if the file ends too early. */
export type ByteInput = ReturnType<typeof createByteInput>;

export function createByteInput(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let [position, parts] = [0, 0];

  async function readPiece(): Promise<Buffer | undefined> {
    // Lets others work between two pieces. Pieces that have already arrived would be read one after the other.
    await waitForTurn();
    const { done, value } = await iterator.next();
    if (done) return undefined;
    countBuffer(value.byteLength);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  /** Reads until `rest` has this many bytes, or the file ends. */
  async function fill(length: number): Promise<void> {
    if (length > MAX_PIECE_BYTES) throw new UnusableMedia(DAMAGED);
    if (rest.length >= length) return;
    const pieces = [rest];
    let bytes = rest.length;
    while (bytes < length) {
      const piece = await readPiece();
      if (!piece) break;
      pieces.push(piece);
      bytes += piece.length;
    }
    rest = Buffer.concat(pieces, bytes);
  }
  function takeBuffered(length: number): Buffer {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    position += taken.length;
    return taken;
  }
  async function takePiece(maxLength = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
    if (rest.length === 0) rest = (await readPiece()) ?? rest;
    return rest.length === 0 ? undefined : takeBuffered(Math.min(rest.length, maxLength));
  }
  async function pass(length: number, write: Write): Promise<void> {
    for (let left = length; left > 0; ) {
      const piece = await takePiece(left);
      if (!piece) throw new UnusableMedia(TRUNCATED);
      left -= piece.length;
      await write(piece);
    }
  }
  return {
    getPosition: () => position,
    /** Reads exactly this many bytes. */
    async take(length: number): Promise<Buffer> {
      await fill(length);
      if (rest.length < length) throw new UnusableMedia(TRUNCATED);
      return takeBuffered(length);
    },
    /** Returns up to this many of the next bytes without reading them. Fewer at the end of the file. */
    async peek(length: number): Promise<Buffer> {
      await fill(length);
      return rest.subarray(0, length);
    },
    /** Reads the next bytes in the pieces in which they arrive. */
    pass,
    skip: (length: number) => pass(length, async () => {}),
    /** Reads the next piece. Undefined at the end of the file. */
    takePiece: () => takePiece(),
    /** Returns the end of the piece that was read last. */
    unread(bytes: Buffer) {
      rest = rest.length === 0 ? bytes : Buffer.concat([bytes, rest]);
      position -= bytes.length;
    },
    /** Counts a part of the file, and lets others work now and then. */
    async countPart() {
      parts += 1;
      if (parts % PARTS_PER_TURN === 0) await waitForTurn();
      if (parts > MAX_PARTS) throw new UnusableMedia(DAMAGED);
    },
  };
}
