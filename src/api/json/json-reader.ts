import { type BoundedJson, createJsonBuffer, type JsonLimits, JsonTooLarge } from './json-buffer.ts';

function createByteTable(characters: string): Uint8Array {
  const all = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) all[byte] = 1;
  return all;
}

/** Returns the position of the first byte that `table` contains, or else the end. The hot loop of large responses. */
function findByte(table: Uint8Array, bytes: Buffer, from: number): number {
  let position = from;
  while (position < bytes.length && table[bytes[position] ?? 0] === 0) position += 1;
  return position;
}

/**
 * Creates a search for a byte in a chunk, for positions that never decrease. It stores the last position found, so that each
 * part of the chunk is searched once. Call `reset` for each new chunk. `find` returns the end of the chunk if there is no such byte.
 */
function createByteSearch(byte: number) {
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

/** Maximum number of nested lists and objects. Envelopes and records have about six levels. */
const MAX_DEPTH = 64;
/** Maximum number of digits. A longer number isn't an id. */
const MAX_NUMBER_LENGTH = 1_000;
/** Number of digits. A shorter integer is below 2^53, so JSON.parse doesn't round it. */
const MIN_UNSAFE_LENGTH = 16;

/**
 * Number of bytes of a string without escapes that are scanned one by one, before Node's search takes over. A
 * call of that search costs about as much as these bytes, but it passes a long text 20 times as fast.
 */
const MAX_SCANNED_BYTES = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Lookup tables for bytes that are searched for in skipped text. The entry of such a byte is 1. */
const NESTING = createByteTable('"[]{}');
const NESTING_AND_COMMAS = createByteTable('"[]{},');

/**
 * Creates a reader that scans a JSON text while it arrives, and buffers the part that will be parsed:
 *
 * - An integer beyond 2^53 becomes a string of its digits. JSON.parse would round it, and a rounded id could be the id
 *   of another record.
 * - The buffer contains as many records of the outermost list as the limits allow. Further records are skipped without
 *   validation.
 *
 * Invalid JSON stays invalid, unless the error is in a skipped record. The time is linear in the number of bytes, and
 * other requests can run between chunks.
 */
export function createJsonReader(limits: JsonLimits) {
  const buffer = createJsonBuffer(limits);
  /** The kind of the open value at each depth: 1 for a list, 0 for an object. */
  const isList = new Uint8Array(MAX_DEPTH + 1);
  let depth = 0;
  /** Depth of the outermost open list. 0 if no list is open. */
  let listDepth = 0;
  let isInString = false;
  let isEscaped = false;
  /** Whether a value may begin at the current position. False after a value, and where only a key may follow. */
  let awaitsValue = true;
  const nextQuote = createByteSearch(QUOTE);
  const nextBackslash = createByteSearch(BACKSLASH);
  /** The incomplete number at the end of the last chunk. */
  let partialNumber: Buffer | undefined;

  function openContainer(isNewList: boolean, position: number): void {
    depth += 1;
    awaitsValue = isNewList;
    if (depth > MAX_DEPTH) buffer.dropRecord(listDepth > 0);
    else isList[depth] = isNewList ? 1 : 0;
    if (!isNewList || listDepth > 0 || limits.maxRecords === undefined) return;
    listDepth = depth;
    buffer.beginList(position + 1);
  }

  function closeContainer(position: number): void {
    if (depth === listDepth && listDepth > 0) {
      buffer.endList(position);
      listDepth = 0;
    }
    depth = Math.max(0, depth - 1);
    awaitsValue = false;
  }

  function handleComma(position: number): void {
    if (depth === listDepth && listDepth > 0) buffer.nextRecord(position);
    awaitsValue = isList[depth] === 1;
  }

  /** Reads one byte outside strings and numbers. */
  function readStructure(byte: number, position: number): void {
    if (byte <= 0x20) return;
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) buffer.countValue();
    if (byte === COMMA) handleComma(position);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) openContainer(byte === OPEN_LIST, position);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) closeContainer(position);
    else awaitsValue = byte === COLON;
    isInString = byte === QUOTE;
  }

  /** Returns the position after the string, or the end of the chunk. */
  function skipString(bytes: Buffer, from: number): number {
    let position = isEscaped ? from + 1 : from;
    while (position < bytes.length) {
      const scanEnd = Math.min(position + MAX_SCANNED_BYTES, bytes.length);
      while (position < scanEnd && bytes[position] !== QUOTE && bytes[position] !== BACKSLASH) position += 1;
      if (position === scanEnd)
        position = Math.min(nextQuote.find(bytes, position), nextBackslash.find(bytes, position));
      if (bytes[position] !== BACKSLASH) break;
      position += 2;
    }
    isEscaped = position > bytes.length;
    isInString = position >= bytes.length;
    return Math.min(position + 1, bytes.length);
  }

  /** Returns the position after the number. Undefined if the number may continue in the next chunk. */
  function skipNumber(bytes: Buffer, from: number, isLast: boolean): number | undefined {
    let end = from + 1;
    while (isNumeric(bytes[end])) end += 1;
    if (end === bytes.length && !isLast) return undefined;
    awaitsValue = false;
    if (end - from >= MIN_UNSAFE_LENGTH) buffer.quoteUnsafeInteger(from, end);
    return end;
  }

  /** Skips all further records of the list, or only the current record if the next record may be buffered. */
  function skipRecords(bytes: Buffer, from: number): number {
    const listTable = buffer.getSkipMode() === 'list' ? NESTING : NESTING_AND_COMMAS;
    let position = from;
    for (; !isInString; position += 1) {
      position = findByte(depth === listDepth ? listTable : NESTING, bytes, position);
      const byte = bytes[position];
      if (byte === undefined) break;
      if (byte === QUOTE) position = skipString(bytes, position + 1) - 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
      else if (depth > listDepth) depth -= 1;
      else {
        readStructure(byte, position);
        break;
      }
    }
    return position + 1;
  }

  function readChunk(bytes: Buffer, isLast: boolean): void {
    buffer.beginChunk(bytes);
    nextQuote.reset();
    nextBackslash.reset();
    let position = 0;
    while (position < bytes.length) {
      const byte = bytes[position] ?? 0;
      if (isInString) position = skipString(bytes, position);
      else if (buffer.getSkipMode() !== 'none') position = skipRecords(bytes, position);
      else if (awaitsValue && isNumberStart(byte)) {
        const end = skipNumber(bytes, position, isLast);
        if (end === undefined) break;
        position = end;
      } else {
        readStructure(byte, position);
        position += 1;
      }
    }
    buffer.endChunk(Math.min(position, bytes.length), listDepth > 0);
    partialNumber = position < bytes.length ? Buffer.from(bytes.subarray(position)) : undefined;
    if (partialNumber && partialNumber.length > MAX_NUMBER_LENGTH) throw new JsonTooLarge('size');
  }

  return {
    /** Reads the next chunk. The text may be split at any byte. Throws JsonTooLarge. */
    add: (chunk: Buffer): void =>
      readChunk(partialNumber ? Buffer.concat([partialNumber, chunk]) : chunk, false),
    /** Ends the text, and returns the part to parse. Throws JsonTooLarge. */
    end(): BoundedJson {
      if (partialNumber) readChunk(partialNumber, true);
      return buffer.build();
    },
  };
}

function isNumberStart(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}

/** True if a byte may be part of a number: a digit or one of `-+.eE`. */
function isNumeric(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isNumberStart(byte) || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65;
}
