import { connect, type Socket } from 'node:net';
import { ClientStatements, ServerAnswers } from './postgres-frames.ts';

/** What is to become of one answer: lost with its connection, or passed on so many ms late. */
export interface AnswerFault {
  kind: 'lose' | 'delay';
  ms: number;
  /** The statement that it is about. */
  to: RegExp;
  /** Told once the server has executed the statement; false: it was called off before. */
  happened: (isSo: boolean) => void;
}

interface Wishes {
  target: { host: string; port: number } | { socketPath: string };
  isSwallowed: boolean;
  /** How late answers are passed on now, ms. */
  delayMs: () => number;
  /** Takes the fault that this statement's answer is to meet, if any. */
  takeFault: (statement: string) => AnswerFault | undefined;
  closed: () => void;
}

/** One connection of a client, and the one to the server behind it. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #wishes: Wishes;
  readonly #statements = new ClientStatements();
  readonly #answers = new ServerAnswers();
  /** Answers in their order; `undefined`: the server's end of the stream. */
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
      // The other side of a silent cut hears of nothing.
      if (!this.#isSwallowed) this.#server.destroy();
      wishes.closed();
    });
    this.#server.on('data', (chunk: Buffer) => this.#fromServer(chunk));
    this.#server.on('end', () => this.#hold(undefined, this.#wishes.delayMs()));
    this.#server.on('error', () => this.#isSwallowed || client.resetAndDestroy());
  }

  /** From now on nothing that either side sends arrives, and neither hears that the other has left. */
  swallow(): void {
    this.#isSwallowed = true;
  }

  /** The server gives a silently cut connection up; its client goes on hearing nothing. What was late arrives now. */
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
