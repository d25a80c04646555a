import type { Budget } from '../budget.ts';
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
 * Reads a file from beginning to end, with little of it in memory. Each read is a step of the budget, so that no reader
 * can go on without end, and may give way to others. Throws UnusableMedia if the file ends too early.
 */
export type ByteInput = ReturnType<typeof createByteInput>;

export function createByteInput(source: AsyncIterable<Uint8Array>, budget: Budget) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;

  function beginRead(): Promise<void> {
    budget.spend();
    return budget.giveWay();
  }
  async function readPiece(): Promise<Buffer | undefined> {
    // Pieces that have already arrived are read one after the other.
    await budget.giveWay();
    budget.pause();
    const { done, value } = await iterator.next();
    budget.resume();
    if (done) return undefined;
    countBuffer(value.byteLength);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  /** Reads until `rest` has this many bytes, or the file ends. */
  async function fill(length: number): Promise<void> {
    await beginRead();
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
  /** Reads a piece if `rest` is empty. Resolves with false at the end of the file. */
  async function fillPiece(): Promise<boolean> {
    while (rest.length === 0) {
      const piece = await readPiece();
      if (!piece) return false;
      rest = piece;
    }
    return true;
  }
  async function pass(length: number, write: Write): Promise<void> {
    await beginRead();
    for (let left = length; left > 0; ) {
      if (!(await fillPiece())) throw new UnusableMedia(TRUNCATED);
      const piece = takeBuffered(Math.min(rest.length, left));
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
    /**
     * Reads pieces as they arrive, up to the position in one of them that `findEnd` returns. Resolves with false if the
     * file ends before. `findEnd` gets each byte once, so that its work is bounded by the length of the file.
     */
    async passUntil(findEnd: (piece: Buffer) => number | undefined, write: Write): Promise<boolean> {
      await beginRead();
      while (await fillPiece()) {
        const end = findEnd(rest);
        await write(takeBuffered(end ?? rest.length));
        if (end !== undefined) return true;
      }
      return false;
    },
  };
}
