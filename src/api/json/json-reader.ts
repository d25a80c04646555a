import { createKeptJson, type JsonLimits, JsonTooLarge, type KeptJson } from './kept-json.ts';

interface JsonReader {
  /** The next bytes of the text, wherever they are divided. Throws JsonTooLarge. */
  add(chunk: Buffer): void;
  end(): KeptJson;
}

/** Envelopes and records use about six. */
const MAX_DEPTH = 64;
/** A longer one is no id. */
const MAX_NUMBER_LENGTH = 1_000;
/** A shorter one is below 2^53. */
const MIN_UNSAFE_LENGTH = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes that a skipped text is searched for: 1 at the index of each. */
const NESTING = bytesOf('"[]{}');
const NESTING_AND_COMMAS = bytesOf('"[]{},');

/**
 * Goes once through a text of JSON while it arrives, and keeps as much as is parsed afterwards:
 *
 * - An integer beyond 2^53, which JSON.parse would round, becomes a string of its digits: an id rounded is somebody
 *   else's id.
 * - Of the outermost list as many records are kept as the limits let through; the rest is passed over, unchecked.
 *
 * A text that is no JSON is none afterwards either, but for what was passed over. It takes as many steps as there are
 * bytes, and the turns between chunks belong to everybody else.
 */
export function createJsonReader(limits: JsonLimits): JsonReader {
  const kept = createKeptJson(limits);
  /** By depth: whether it is a list that is open there. */
  const isList = new Uint8Array(MAX_DEPTH + 1);
  let depth = 0;
  /** The depth of the outermost open list; 0: none is open. */
  let listDepth = 0;
  let isInString = false;
  let isEscaped = false;
  /** A value may begin here, and no key. */
  let awaitsValue = true;
  /** The number with which the last chunk ended. */
  let begun: Buffer | undefined;

  function open(list: boolean, at: number): void {
    depth += 1;
    awaitsValue = list;
    if (depth > MAX_DEPTH) kept.dropRecord(listDepth > 0);
    else isList[depth] = list ? 1 : 0;
    if (!list || listDepth > 0 || limits.records === undefined) return;
    listDepth = depth;
    kept.beginList(at + 1);
  }

  function close(at: number): void {
    if (depth === listDepth && listDepth > 0) {
      kept.endList(at);
      listDepth = 0;
    }
    depth = Math.max(0, depth - 1);
    awaitsValue = false;
  }

  function separate(at: number): void {
    if (depth === listDepth && listDepth > 0) kept.nextRecord(at);
    awaitsValue = isList[depth] === 1;
  }

  /** One byte outside of strings and numbers. */
  function step(byte: number, at: number): void {
    if (byte <= 0x20) return;
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) kept.countValue();
    if (byte === COMMA) separate(at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open(byte === OPEN_LIST, at);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) close(at);
    else awaitsValue = byte === COLON;
    isInString = byte === QUOTE;
  }

  /** The end of the string, or of the chunk. */
  function throughString(bytes: Buffer, from: number): number {
    let at = isEscaped ? from + 1 : from;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    isEscaped = at > bytes.length;
    isInString = at >= bytes.length;
    return Math.min(at + 1, bytes.length);
  }

  /** The end of the number; undefined where it may go on in the next chunk. */
  function throughNumber(bytes: Buffer, from: number, isLast: boolean): number | undefined {
    let end = from + 1;
    while (isNumeric(bytes[end])) end += 1;
    if (end === bytes.length && !isLast) return undefined;
    awaitsValue = false;
    if (end - from >= MIN_UNSAFE_LENGTH) kept.quoteUnsafe(from, end);
    return end;
  }

  /** Skips what is not kept: the rest of the list or, where the next record may be kept, the rest of this record. */
  function passOver(bytes: Buffer, from: number): number {
    const atLowest = kept.passesOver() === 'rest' ? NESTING : NESTING_AND_COMMAS;
    let at = from;
    for (; !isInString; at += 1) {
      at = find(depth === listDepth ? atLowest : NESTING, bytes, at);
      const byte = bytes[at];
      if (byte === undefined) break;
      if (byte === QUOTE) at = throughString(bytes, at + 1) - 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
      else if (depth > listDepth) depth -= 1;
      else {
        step(byte, at);
        break;
      }
    }
    return at + 1;
  }

  function read(bytes: Buffer, isLast: boolean): void {
    kept.begin(bytes);
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (isInString) at = throughString(bytes, at);
      else if (kept.passesOver() !== 'nothing') at = passOver(bytes, at);
      else if (awaitsValue && isNumberBegin(byte)) {
        const end = throughNumber(bytes, at, isLast);
        if (end === undefined) break;
        at = end;
      } else {
        step(byte, at);
        at += 1;
      }
    }
    kept.pause(Math.min(at, bytes.length), listDepth > 0);
    begun = at < bytes.length ? Buffer.from(bytes.subarray(at)) : undefined;
    if (begun && begun.length > MAX_NUMBER_LENGTH) throw new JsonTooLarge('size');
  }

  return {
    add: (chunk) => read(begun ? Buffer.concat([begun, chunk]) : chunk, false),
    end() {
      if (begun) read(begun, true);
      return kept.all();
    },
  };
}

function bytesOf(characters: string): Uint8Array {
  const all = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) all[byte] = 1;
  return all;
}

/** The first position of one of `wanted`, or the end. A hostile answer spends nearly all of its time in this loop. */
function find(wanted: Uint8Array, bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && wanted[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

function isNumberBegin(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}

/** One of the bytes that a number is written with, `+.eE` too. */
function isNumeric(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isNumberBegin(byte) || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65;
}
