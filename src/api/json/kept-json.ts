/** Limits for the part of a JSON text that is kept for parsing. */
export interface JsonLimits {
  /** Records of the outermost list; the rest is skipped. If undefined, a list that is too large is an error. */
  records?: number;
  /** Size of the kept part, in bytes and in JSON values. */
  keptBytes: number;
  values: number;
}

/** `isTruncated`: a list has more records than were kept. */
export interface KeptJson {
  json: Buffer;
  isTruncated: boolean;
}

/** The text is too large outside a list that could be truncated, or nested too deeply. */
export class JsonTooLarge extends Error {
  readonly limit: 'size' | 'depth';

  constructor(limit: 'size' | 'depth') {
    super(`JSON exceeds its limits: ${limit}`);
    this.name = 'JsonTooLarge';
    this.limit = limit;
  }
}

/**
 * Limits for one record of a list. A larger record is replaced by null, which counts as unreadable. The longest post
 * has 63,206 characters (Facebook) of at most 4 bytes.
 */
const RECORD = { bytes: 2 ** 20, values: 1_000 };

/**
 * Collects the kept part of a JSON text that arrives in chunks, as pieces of the chunks. Pieces are removed again if
 * their record, or the whole list, becomes too large.
 */
export function createKeptJson(limits: JsonLimits) {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let values = 0;
  let chunk: Buffer = Buffer.alloc(0);
  /** Position in the chunk where the next piece begins. */
  let from = 0;
  let passing: 'nothing' | 'record' | 'rest' = 'nothing';
  let isTruncated = false;
  /** Records of the current list so far, including the current one. */
  let records = 0;
  /** The state before the current record and the comma before it. */
  let before = { pieces: 0, bytes: 0, values: 0 };

  function keep(piece: Buffer): void {
    pieces.push(piece);
    bytes += piece.length;
  }

  function keepTo(end: number): void {
    if (passing === 'nothing' && end > from) keep(chunk.subarray(from, end));
    from = end;
  }

  function takeBack(): void {
    pieces.length = before.pieces;
    ({ bytes, values } = before);
  }

  function cut(): void {
    passing = 'rest';
    isTruncated = true;
  }

  function makeNull(): void {
    takeBack();
    keep(Buffer.from(records > 1 ? ',null' : 'null'));
    passing = 'record';
  }

  function isLargeRecord(): boolean {
    return bytes - before.bytes > RECORD.bytes || values - before.values > RECORD.values;
  }

  function beginRecord(): void {
    records += 1;
    before = { pieces: pieces.length, bytes, values };
    passing = 'nothing';
  }

  function endRecord(end: number): void {
    if (passing === 'rest') return;
    keepTo(end);
    if (passing === 'nothing' && isLargeRecord()) makeNull();
    if (bytes <= limits.keptBytes && values <= limits.values) return;
    takeBack();
    cut();
  }

  return {
    passesOver: () => passing,
    /** Starts a chunk. All positions now refer to it. */
    begin(next: Buffer) {
      chunk = next;
      from = 0;
    },
    /** Ends a chunk, which was read up to `end`. */
    pause(end: number, isInList: boolean) {
      keepTo(end);
      if (passing !== 'nothing') return;
      if (isInList && isLargeRecord()) makeNull();
      // A list may use up the limits, so the text after it may have the size of one more record.
      const isOver = bytes > limits.keptBytes + RECORD.bytes || values > limits.values + RECORD.values;
      if (!isInList && isOver) throw new JsonTooLarge('size');
    },
    countValue() {
      values += 1;
    },
    /** Quotes the number at these positions if JSON.parse would round it. */
    quoteUnsafe(start: number, end: number) {
      const digits = chunk.toString('latin1', start, end);
      if (!/^-?[1-9]\d*$/.test(digits) || Number.isSafeInteger(Number(digits))) return;
      keepTo(start);
      keep(Buffer.from(`"${digits}"`));
      from = end;
    },
    /** Drops the current record, which is nested too deeply. */
    dropRecord(isInList: boolean) {
      if (!isInList) throw new JsonTooLarge('depth');
      makeNull();
    },
    beginList(at: number) {
      keepTo(at);
      records = 0;
      beginRecord();
    },
    nextRecord(comma: number) {
      endRecord(comma);
      if (passing === 'rest') return;
      from = comma;
      if (records === limits.records) cut();
      else beginRecord();
    },
    endList(at: number) {
      endRecord(at);
      from = at;
      passing = 'nothing';
    },
    all: (): KeptJson => ({ json: Buffer.concat(pieces), isTruncated }),
  };
}
