/** Limits for the part of a JSON text that is buffered for parsing. */
export interface JsonLimits {
  /** Maximum number of records of the outermost list. Further records are skipped. Undefined for a single record. */
  maxRecords?: number;
  maxParsedBytes: number;
  /** Maximum number of JSON values in the buffered part. */
  maxValues: number;
}

/** A JSON text within the limits. `isTruncated`: the text has a list with more records than were buffered. */
export interface BoundedJson {
  json: Buffer;
  isTruncated: boolean;
}

/** The text is nested too deeply, or it is too large and has no list that could be truncated. */
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
const RECORD_LIMITS = { maxBytes: 2 ** 20, maxValues: 1_000 };

/**
 * Creates a buffer for the part of a JSON text that will be parsed. The text arrives in chunks, and the buffer consists
 * of pieces of the chunks. The pieces of a record are removed again if the record or the list becomes too large.
 */
export function createJsonBuffer(limits: JsonLimits) {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let values = 0;
  let chunk: Buffer = Buffer.alloc(0);
  /** Position in the chunk at which the next piece begins. */
  let pieceStart = 0;
  /** The part of the list that is being skipped: the current record, or the current and all further records. */
  let skipMode: 'none' | 'record' | 'list' = 'none';
  let isTruncated = false;
  /** Number of records of the current list, including the current record. */
  let recordCount = 0;
  /** The state before the current record and before the comma in front of it. */
  let checkpoint = { pieces: 0, bytes: 0, values: 0 };

  function addPiece(piece: Buffer): void {
    pieces.push(piece);
    bytes += piece.length;
  }

  function addPieceUpTo(end: number): void {
    if (skipMode === 'none' && end > pieceStart) addPiece(chunk.subarray(pieceStart, end));
    pieceStart = end;
  }

  function restoreCheckpoint(): void {
    pieces.length = checkpoint.pieces;
    ({ bytes, values } = checkpoint);
  }

  function truncateList(): void {
    skipMode = 'list';
    isTruncated = true;
  }

  function replaceRecordWithNull(): void {
    restoreCheckpoint();
    addPiece(Buffer.from(recordCount > 1 ? ',null' : 'null'));
    skipMode = 'record';
  }

  function isLargeRecord(): boolean {
    return (
      bytes - checkpoint.bytes > RECORD_LIMITS.maxBytes ||
      values - checkpoint.values > RECORD_LIMITS.maxValues
    );
  }

  function beginRecord(): void {
    recordCount += 1;
    checkpoint = { pieces: pieces.length, bytes, values };
    skipMode = 'none';
  }

  function endRecord(end: number): void {
    if (skipMode === 'list') return;
    addPieceUpTo(end);
    if (skipMode === 'none' && isLargeRecord()) replaceRecordWithNull();
    if (bytes <= limits.maxParsedBytes && values <= limits.maxValues) return;
    restoreCheckpoint();
    truncateList();
  }

  return {
    getSkipMode: () => skipMode,
    /** Starts a chunk. All positions refer to the current chunk. */
    beginChunk(next: Buffer) {
      chunk = next;
      pieceStart = 0;
    },
    /** Ends the current chunk, which was read up to `end`. */
    endChunk(end: number, isInList: boolean) {
      addPieceUpTo(end);
      if (skipMode !== 'none') return;
      if (isInList && isLargeRecord()) replaceRecordWithNull();
      // A truncated list can fill the limits completely. Text outside the list therefore gets an extra allowance, the
      // size of one record.
      const isTooLarge =
        bytes > limits.maxParsedBytes + RECORD_LIMITS.maxBytes ||
        values > limits.maxValues + RECORD_LIMITS.maxValues;
      if (!isInList && isTooLarge) throw new JsonTooLarge('size');
    },
    countValue() {
      values += 1;
    },
    /** Quotes the number between the positions if JSON.parse would round it. */
    quoteUnsafeInteger(start: number, end: number) {
      const digits = chunk.toString('latin1', start, end);
      if (!/^-?[1-9]\d*$/.test(digits) || Number.isSafeInteger(Number(digits))) return;
      addPieceUpTo(start);
      addPiece(Buffer.from(`"${digits}"`));
      pieceStart = end;
    },
    /** Replaces the current record, which is nested too deeply, with null. */
    dropRecord(isInList: boolean) {
      if (!isInList) throw new JsonTooLarge('depth');
      replaceRecordWithNull();
    },
    beginList(position: number) {
      addPieceUpTo(position);
      recordCount = 0;
      beginRecord();
    },
    nextRecord(commaPosition: number) {
      endRecord(commaPosition);
      if (skipMode === 'list') return;
      pieceStart = commaPosition;
      if (recordCount === limits.maxRecords) truncateList();
      else beginRecord();
    },
    endList(position: number) {
      endRecord(position);
      pieceStart = position;
      skipMode = 'none';
    },
    build: (): BoundedJson => ({ json: Buffer.concat(pieces), isTruncated }),
  };
}
