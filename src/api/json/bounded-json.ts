/** Limits for the JSON that is parsed of one response. */
export interface JsonLimits {
  /** Maximum number of bytes that are read. */
  maxBytes: number;
  /** Maximum number of JSON values. */
  maxValues: number;
  /** Maximum number of records of the outermost list. A list over any limit is cut. Undefined for a single record. */
  maxRecords?: number;
}

/** A JSON text within the limits. `isTruncated`: its list was cut, and what followed the list in the text is missing. */
export interface BoundedJson {
  json: Buffer;
  isTruncated: boolean;
}

/** Maximum number of nested lists and objects. Envelopes and records have about six levels. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** The distance from an opening bracket or brace to the closing one. */
const OPEN_TO_CLOSE = CLOSE_LIST - OPEN_LIST;

/** Returns the position of the quote that ends the string, or the end of the text. `start`: position of its first quote. */
function findStringEnd(text: Buffer, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== QUOTE) end += text[end] === BACKSLASH ? 2 : 1;
  return end;
}

/**
 * Cuts the outermost list after the last whole record within the limits, and closes it and what is around it. If the
 * limit is behind a whole list, cuts at the end of that. Undefined if a text over the limits has no such list. `isWhole`:
 * whether `text` is the whole text, or only its beginning.
 */
export function boundJson(text: Buffer, isWhole: boolean, limits: JsonLimits): BoundedJson | undefined {
  const { maxValues, maxRecords } = limits;
  /** The closing brackets and braces of the open lists and objects. */
  const closers: number[] = [];
  /** Depth of the outermost open list. 0 if no list is open. */
  let listDepth = 0;
  /** The closers at the end of the last whole list. */
  let lastClosers: number[] = [];
  let recordCount = 0;
  /** The end of the last whole record, or of the last whole list. */
  let cutPosition = 0;
  let valueCount = 0;
  let isWithin = true;
  for (let position = 0; position < text.length && isWithin; position += 1) {
    const byte = text[position];
    if (byte === QUOTE) position = findStringEnd(text, position);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      valueCount += 1;
      closers.push(byte + OPEN_TO_CLOSE);
      if (byte === OPEN_LIST && listDepth === 0 && maxRecords !== undefined) {
        listDepth = closers.length;
        recordCount = 0;
        cutPosition = position + 1;
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (closers.length === listDepth) {
        listDepth = 0;
        cutPosition = position;
        lastClosers = closers.slice();
      }
      closers.pop();
    } else if (byte === COMMA) {
      valueCount += 1;
      if (listDepth > 0 && closers.length === listDepth) {
        recordCount += 1;
        cutPosition = position;
      }
    }
    isWithin = valueCount <= maxValues && closers.length <= MAX_DEPTH && recordCount !== maxRecords;
  }
  if (isWithin && isWhole) return { json: text, isTruncated: false };
  const endingClosers = listDepth > 0 ? closers.slice(0, listDepth) : lastClosers;
  if (endingClosers.length === 0) return undefined;
  const ending = Buffer.from(endingClosers.reverse());
  return { json: Buffer.concat([text.subarray(0, cutPosition), ending]), isTruncated: true };
}

/** Like JSON.parse, but an integer beyond 2^53 becomes its digits: if rounded, an id could be that of another record. */
export function parseJson(text: string): unknown {
  // With a function, parsing takes six times as long.
  return /[[,:]\s*-?\d{16}/.test(text) ? JSON.parse(text, preserveDigits) : JSON.parse(text);
}

function preserveDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const digits = context?.source ?? '';
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits);
  return isRounded ? digits : value;
}
