/**
 * Messages of Postgres' wire protocol (version 3). Each has a type of one byte, a length that includes its own four
 * bytes, and a body. The first message of a client has no type.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

const PROTOCOL_3 = 196_608;

interface Frame {
  /** Empty for messages before the session starts. */
  type: string;
  body: Buffer;
}

/** Splits a stream of chunks into messages. */
class Frames {
  #unparsed: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #isStarting: boolean;

  constructor(side: 'client' | 'server') {
    this.#isStarting = side === 'client';
  }

  *parse(chunk: Buffer): Generator<Frame> {
    this.#unparsed = Buffer.concat([this.#unparsed, chunk]);
    for (;;) {
      const lengthIndex = this.#isStarting ? 0 : 1;
      if (this.#unparsed.length < lengthIndex + 4) return;
      const end = lengthIndex + this.#unparsed.readUInt32BE(lengthIndex);
      if (this.#unparsed.length < end) return;
      const frame = {
        type: this.#unparsed.toString('latin1', 0, lengthIndex),
        body: this.#unparsed.subarray(lengthIndex + 4, end),
      };
      // A client may request encryption before the start-up message.
      if (this.#isStarting && frame.body.readUInt32BE(0) === PROTOCOL_3) this.#isStarting = false;
      this.#unparsed = this.#unparsed.subarray(end);
      yield frame;
    }
  }
}

/** Extracts the statements that a client executes. */
export class ClientStatements {
  readonly #frames = new Frames('client');
  readonly #prepared = new Map<string, string>();
  #bound: string | undefined;

  /** Parses a chunk, and returns the statements that are complete with it. */
  extractStatements(chunk: Buffer): string[] {
    const statements: string[] = [];
    for (const { type, body } of this.#frames.parse(chunk)) {
      const [first = '', second = ''] = type === 'Q' || type === 'P' || type === 'B' ? parseTexts(body) : [];
      if (type === 'Q') statements.push(first);
      else if (type === 'P') this.#prepared.set(first, second);
      else if (type === 'B') this.#bound = this.#prepared.get(second);
      else if (type === 'S' && this.#bound !== undefined) {
        statements.push(this.#bound);
        this.#bound = undefined;
      }
    }
    return statements;
  }
}

/** Parses two texts that end with a zero byte. */
function parseTexts(body: Buffer): [string, string] {
  const end = body.indexOf(0);
  const next = body.indexOf(0, end + 1);
  return [body.toString('utf8', 0, end), body.toString('utf8', end + 1, next < 0 ? end + 1 : next)];
}

/** Detects the end of a server's answer. */
export class ServerAnswers {
  readonly #frames = new Frames('server');

  /** Parses a chunk. Returns true if an answer ends in it (ReadyForQuery). */
  hasAnswerEnd(chunk: Buffer): boolean {
    return [...this.#frames.parse(chunk)].some(({ type }) => type === 'Z');
  }
}
