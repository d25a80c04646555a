/** How much of a text of JSON is kept to be parsed. */
export interface JsonLimits {
  /** Of the outermost list; those after it are passed over. Without, all are kept, or none where that is too much. */
  records?: number;
  /** All that is kept, in bytes and in JSON values. */
  keptBytes: number;
  values: number;
}

/** `isTruncated`: the list had more than is kept of it. */
export interface KeptJson {
  json: Buffer;
  isTruncated: boolean;
}

/** More than is kept, outside of any list that could be cut; or nested deeper than anything that is read. */
export class JsonTooLarge extends Error {
  readonly why: 'size' | 'depth';

  constructor(why: 'size' | 'depth') {
    super(`The JSON is over its limits: ${why}`);
    this.name = 'JsonTooLarge';
    this.why = why;
  }
}

/**
 * The largest record of a list; a larger one is kept as null, which counts as one that can't be read. The longest text
 * of a post has 63,206 characters (Facebook), of 4 bytes at most.
 */
const RECORD = { bytes: 2 ** 20, values: 1_000 };

/**
 * What is kept of a text of JSON that arrives in chunks: pieces of these, each taken back if its record, or the list
 * as a whole, gets too large.
 */
export function createKeptJson(limits: JsonLimits) {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let values = 0;
  let chunk: Buffer = Buffer.alloc(0);
  /** Where in the chunk the next piece begins. */
  let from = 0;
  let passing: 'nothing' | 'record' | 'rest' = 'nothing';
  let isTruncated = false;
  /** Records of the present list so far, with the one that has begun. */
  let records = 0;
  /** How much there was before that one, and before the comma in front of it. */
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
    /** Positions are those in this chunk from now on. */
    begin(next: Buffer) {
      chunk = next;
      from = 0;
    },
    /** The chunk has been read up to there. */
    pause(end: number, isInList: boolean) {
      keepTo(end);
      if (passing !== 'nothing') return;
      if (isInList && isLargeRecord()) makeNull();
      // A list may fill the limits: what follows it is given as much as one record.
      const isOver = bytes > limits.keptBytes + RECORD.bytes || values > limits.values + RECORD.values;
      if (!isInList && isOver) throw new JsonTooLarge('size');
    },
    countValue() {
      values += 1;
    },
    /** The number at these positions stays as its digits where JSON.parse would round it. */
    quoteUnsafe(start: number, end: number) {
      const digits = chunk.toString('latin1', start, end);
      if (!/^-?[1-9]\d*$/.test(digits) || Number.isSafeInteger(Number(digits))) return;
      keepTo(start);
      keep(Buffer.from(`"${digits}"`));
      from = end;
    },
    /** What has begun is nested too deep. */
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
