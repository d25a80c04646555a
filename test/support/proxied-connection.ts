import { connect, type Socket } from 'node:net';
import { ClientStatements, ServerAnswers } from './postgres-frames.ts';

/** The fault of one answer: lost with its connection, or delayed by so many ms. */
export interface AnswerFault {
  kind: 'lose' | 'delay';
  ms: number;
  /** The statement whose answer it affects. */
  to: RegExp;
  /** Called when the server has executed the statement; false if the fault was cancelled before. */
  happened: (isSo: boolean) => void;
}

interface Wishes {
  target: { host: string; port: number } | { socketPath: string };
  isSwallowed: boolean;
  /** The current delay of answers, ms. */
  delayMs: () => number;
  /** Takes the fault for this statement's answer, if any. */
  takeFault: (statement: string) => AnswerFault | undefined;
  closed: () => void;
}

/** A client's connection and its connection to the server. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #wishes: Wishes;
  readonly #statements = new ClientStatements();
  readonly #answers = new ServerAnswers();
  /** Delayed answers in order; `undefined` is the end of the server's stream. */
  readonly #held: { at: number; bytes: Buffer | undefined }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #fault: AnswerFault | undefined;
  #isSwallowed: boolean;

  constructor(client: Socket, wishes: Wishes) {
    this.#client = client;
    this.#wishes = wishes;
    this.#isSwallowed = wishes.isSwallowed;
    const { target } = wishes;
    const place = 'socketPath' in target ? { path: target.socketPath } : target;
    this.#server = connect({ ...place, allowHalfOpen: true, noDelay: true });
    client.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    client.on('end', () => this.#isSwallowed || this.#server.end());
    client.on('error', () => client.destroy());
    client.on('close', () => {
      clearTimeout(this.#timer);
      // After a silent cut, neither side notices that the other closed.
      if (!this.#isSwallowed) this.#server.destroy();
      wishes.closed();
    });
    this.#server.on('data', (chunk: Buffer) => this.#fromServer(chunk));
    this.#server.on('end', () => this.#hold(undefined, this.#wishes.delayMs()));
    this.#server.on('error', () => this.#isSwallowed || client.resetAndDestroy());
  }

  /** Silent cut: nothing arrives any more, and neither side notices that the other closed. */
  swallow(): void {
    this.#isSwallowed = true;
  }

  /** Delivers delayed answers. A silently cut connection is closed on the server's side only. */
  restore(): void {
    if (this.#isSwallowed) this.#server.destroy();
    for (const one of this.#held) one.at = 0;
    this.#release();
  }

  reset(): void {
    this.#isSwallowed = false;
    this.#server.destroy();
    this.#client.resetAndDestroy();
  }

  #fromClient(chunk: Buffer): void {
    if (this.#isSwallowed) return;
    for (const statement of this.#statements.in(chunk)) this.#fault ??= this.#wishes.takeFault(statement);
    this.#server.write(chunk);
  }

  #fromServer(chunk: Buffer): void {
    const fault = this.#fault;
    const isOver = this.#answers.endIn(chunk) && fault !== undefined;
    if (fault?.kind !== 'lose') this.#hold(chunk, Math.max(fault?.ms ?? 0, this.#wishes.delayMs()));
    if (!isOver) return;
    this.#fault = undefined;
    if (fault.kind === 'lose') this.reset();
    fault.happened(true);
  }

  #hold(bytes: Buffer | undefined, ms: number): void {
    const at = Math.max(performance.now() + ms, this.#held.at(-1)?.at ?? 0);
    this.#held.push({ at: ms === 0 && this.#held.length === 0 ? 0 : at, bytes });
    this.#release();
  }

  #release(): void {
    clearTimeout(this.#timer);
    for (let [next] = this.#held; next; [next] = this.#held) {
      const wait = next.at - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#release(), wait);
        return;
      }
      this.#held.shift();
      if (this.#isSwallowed || this.#client.destroyed) continue;
      if (next.bytes === undefined) this.#client.end();
      else this.#client.write(next.bytes);
    }
  }
}
