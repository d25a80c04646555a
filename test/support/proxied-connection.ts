import { connect, type Socket } from 'node:net';
import { ClientStatements, ServerAnswers } from './postgres-frames.ts';

/** The fault of one answer: lost with its connection, or delayed by `ms`. */
export interface AnswerFault {
  kind: 'lose' | 'delay';
  ms: number;
  /** Matches the statement whose answer is affected. */
  statement: RegExp;
  /** Called with true when the server has executed the statement, or with false if the fault is cancelled. */
  onEnd: (isExecuted: boolean) => void;
}

interface ConnectionOptions {
  target: { host: string; port: number } | { socketPath: string };
  isCut: boolean;
  /** The current delay of answers, ms. */
  delayMs: () => number;
  /** Removes and returns the planned fault for this statement. Undefined if there is none. */
  takePlannedFault: (statement: string) => AnswerFault | undefined;
  onClose: () => void;
}

/** A pair of connections: from the client to the proxy, and from the proxy to the server. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #options: ConnectionOptions;
  readonly #statements = new ClientStatements();
  readonly #answers = new ServerAnswers();
  /** Delayed answers in order. `bytes` is undefined for the end of the server's stream. */
  readonly #delayedAnswers: { at: number; bytes: Buffer | undefined }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #fault: AnswerFault | undefined;
  #isCut: boolean;

  constructor(client: Socket, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#isCut = options.isCut;
    const { target } = options;
    const address = 'socketPath' in target ? { path: target.socketPath } : target;
    this.#server = connect({ ...address, allowHalfOpen: true, noDelay: true });
    client.on('data', (chunk: Buffer) => this.#receiveFromClient(chunk));
    client.on('end', () => this.#isCut || this.#server.end());
    client.on('error', () => client.destroy());
    client.on('close', () => {
      clearTimeout(this.#timer);
      // After a silent cut, the server doesn't notice that the client closed.
      if (!this.#isCut) this.#server.destroy();
      options.onClose();
    });
    this.#server.on('data', (chunk: Buffer) => this.#receiveFromServer(chunk));
    this.#server.on('end', () => this.#enqueue(undefined, this.#options.delayMs()));
    this.#server.on('error', () => this.#isCut || this.#resetClient());
  }

  /** Cuts the connection silently: no data arrives any more, and neither side notices that the other closes. */
  cutSilently(): void {
    this.#isCut = true;
  }

  /** Delivers delayed answers. A silently cut connection is closed on the server's side only. */
  restore(): void {
    if (this.#isCut) this.#server.destroy();
    for (const answer of this.#delayedAnswers) answer.at = 0;
    this.#sendDueAnswers();
  }

  reset(): void {
    this.#isCut = false;
    this.#server.destroy();
    this.#resetClient();
  }

  /** Node never closes a socket that is reset after it was ended. */
  #resetClient(): void {
    if (this.#client.writableEnded) this.#client.destroy();
    else this.#client.resetAndDestroy();
  }

  #receiveFromClient(chunk: Buffer): void {
    if (this.#isCut) return;
    for (const statement of this.#statements.extractStatements(chunk))
      this.#fault ??= this.#options.takePlannedFault(statement);
    this.#server.write(chunk);
  }

  #receiveFromServer(chunk: Buffer): void {
    const fault = this.#fault;
    const isComplete = this.#answers.hasAnswerEnd(chunk) && fault !== undefined;
    if (fault?.kind !== 'lose') this.#enqueue(chunk, Math.max(fault?.ms ?? 0, this.#options.delayMs()));
    if (!isComplete) return;
    this.#fault = undefined;
    if (fault.kind === 'lose') this.reset();
    fault.onEnd(true);
  }

  #enqueue(bytes: Buffer | undefined, ms: number): void {
    const at = Math.max(performance.now() + ms, this.#delayedAnswers.at(-1)?.at ?? 0);
    this.#delayedAnswers.push({ at: ms === 0 && this.#delayedAnswers.length === 0 ? 0 : at, bytes });
    this.#sendDueAnswers();
  }

  #sendDueAnswers(): void {
    clearTimeout(this.#timer);
    for (let [next] = this.#delayedAnswers; next; [next] = this.#delayedAnswers) {
      const wait = next.at - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#sendDueAnswers(), wait);
        return;
      }
      this.#delayedAnswers.shift();
      if (this.#isCut || this.#client.destroyed) continue;
      if (next.bytes === undefined) this.#client.end();
      else this.#client.write(next.bytes);
    }
  }
}
