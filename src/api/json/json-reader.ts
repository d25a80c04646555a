import { createKeptJson, type JsonLimits, JsonTooLarge, type KeptJson } from './kept-json.ts';

interface JsonReader {
  /** Reads the next bytes, wherever the text is split. Throws JsonTooLarge. */
  add(chunk: Buffer): void;
  end(): KeptJson;
}

/** Levels of nesting. Envelopes and records use about six. */
const MAX_DEPTH = 64;
/** Digits. A longer number isn't an id. */
const MAX_NUMBER_LENGTH = 1_000;
/** Digits. A shorter number is below 2^53. */
const MIN_UNSAFE_LENGTH = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Lookup tables: 1 at the index of each byte that is searched for in skipped text. */
const NESTING = bytesOf('"[]{}');
const NESTING_AND_COMMAS = bytesOf('"[]{},');

/**
 * Scans a JSON text once while it arrives, and keeps the part that is parsed afterwards:
 *
 * - An integer beyond 2^53 becomes a string of its digits. JSON.parse would round it, and a rounded id could be the id
 *   of another record.
 * - Of the outermost list, as many records are kept as the limits allow. The rest is skipped without validation.
 *
 * Invalid JSON stays invalid, unless the error is in the skipped part. The time is linear in the number of bytes, and
 * other requests run between chunks.
 */
export function createJsonReader(limits: JsonLimits): JsonReader {
  const kept = createKeptJson(limits);
  /** By depth: 1 if the open value is a list, 0 if it is an object. */
  const isList = new Uint8Array(MAX_DEPTH + 1);
  let depth = 0;
  /** Depth of the outermost open list; 0 if no list is open. */
  let listDepth = 0;
  let isInString = false;
  let isEscaped = false;
  /** Whether a value, not a key, may begin here. */
  let awaitsValue = true;
  /** The incomplete number at the end of the last chunk. */
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

  /** Handles one byte outside strings and numbers. */
  function step(byte: number, at: number): void {
    if (byte <= 0x20) return;
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) kept.countValue();
    if (byte === COMMA) separate(at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open(byte === OPEN_LIST, at);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) close(at);
    else awaitsValue = byte === COLON;
    isInString = byte === QUOTE;
  }

  /** Skips to the end of the string, or of the chunk. */
  function throughString(bytes: Buffer, from: number): number {
    let at = isEscaped ? from + 1 : from;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    isEscaped = at > bytes.length;
    isInString = at >= bytes.length;
    return Math.min(at + 1, bytes.length);
  }

  /** Skips to the end of the number. Undefined if the number may continue in the next chunk. */
  function throughNumber(bytes: Buffer, from: number, isLast: boolean): number | undefined {
    let end = from + 1;
    while (isNumeric(bytes[end])) end += 1;
    if (end === bytes.length && !isLast) return undefined;
    awaitsValue = false;
    if (end - from >= MIN_UNSAFE_LENGTH) kept.quoteUnsafe(from, end);
    return end;
  }

  /** Skips the rest of the list, or only the rest of this record if the next one may be kept. */
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

/** The first position of one of the `wanted` bytes, or the end. A hostile response spends nearly all its time here. */
function find(wanted: Uint8Array, bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && wanted[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

function isNumberBegin(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}

/** Whether a byte may be part of a number, including `+.eE`. */
function isNumeric(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isNumberBegin(byte) || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65;
}
