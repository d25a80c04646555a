import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { isRecord, stringIn } from '../json.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { makeSecret } from '../state/ids.ts';
import type { Delivery, Parcel, WireAnswer } from './delivery.ts';

/** The lifetime of a ticket for one socket. */
const TICKET_LIFETIME_MS = 30_000;
/** Clients disconnect after 30 s without a ping from the server. */
const PING_INTERVAL_MS = 10_000;
/** The oldest unacknowledged payload above this number is no longer waited for. */
const MAX_UNACKNOWLEDGED = 1_000;

/** Socket Mode. Each payload goes to one of the open sockets, in turn. */
export class SocketDelivery implements Delivery {
  readonly wire = 'socket';
  readonly #sockets: WebSocket[] = [];
  readonly #tickets = new Map<string, number>();
  readonly #unacknowledged = new Map<string, { socket: WebSocket; resolve: (answer: WireAnswer) => void }>();
  /** Called when the next socket connects. */
  readonly #connectionListeners = new Set<() => void>();
  readonly #appId: string;
  readonly #changed: () => void;
  #next = 0;

  /** `changed` is called when the app connects or leaves. */
  constructor(appId: string, changed: () => void) {
    this.#appId = appId;
    this.#changed = changed;
  }

  get connected(): boolean {
    return this.#sockets.length > 0;
  }

  /** Creates a ticket for `apps.connections.open`, with which one socket can connect. */
  createTicket(): string {
    const now = Date.now();
    for (const [ticket, until] of this.#tickets) if (until < now) this.#tickets.delete(ticket);
    const ticket = makeSecret();
    this.#tickets.set(ticket, now + TICKET_LIFETIME_MS);
    return ticket;
  }

  takeTicket(ticket: string): boolean {
    const until = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return until !== undefined && until >= Date.now();
  }

  accept(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    if (this.#sockets.length >= SLACK_LIMITS.sockets.value) {
      const reason = 'too_many_websockets';
      socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'local' } }));
      socket.close(1000);
      return;
    }
    this.#sockets.push(socket);
    const pinging = setInterval(() => socket.ping(), PING_INTERVAL_MS);
    socket.on('message', (data) => this.#handleAcknowledgement(String(data)));
    socket.on('close', () => {
      clearInterval(pinging);
      this.#sockets.splice(this.#sockets.indexOf(socket), 1);
      this.#refuseUnacknowledged(socket);
      this.#changed();
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#sockets.length,
        debug_info: { host: 'local', build_number: 1, approximate_connection_time: 18060 },
        connection_info: { app_id: this.#appId },
      }),
    );
    this.#changed();
    for (const done of this.#connectionListeners) done();
  }

  ready(withinMs: number): Promise<void> {
    if (this.connected) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => done(), withinMs);
    timer.unref();
    const done = () => {
      clearTimeout(timer);
      this.#connectionListeners.delete(done);
      resolve();
    };
    this.#connectionListeners.add(done);
    return promise;
  }

  send(parcel: Parcel): Promise<WireAnswer> {
    const socket = this.#sockets[this.#next++ % Math.max(this.#sockets.length, 1)];
    if (!socket) return Promise.resolve({ kind: 'not-connected' });
    const { promise, resolve } = Promise.withResolvers<WireAnswer>();
    const id = parcel.envelopeId ?? randomUUID();
    // An envelope that is sent again needs only one acknowledgement.
    if (!this.#unacknowledged.has(id)) this.#unacknowledged.set(id, { socket, resolve });
    const [oldest] = this.#unacknowledged.keys();
    if (this.#unacknowledged.size > MAX_UNACKNOWLEDGED && oldest !== undefined)
      this.#unacknowledged.delete(oldest);
    socket.send(
      JSON.stringify({
        envelope_id: id,
        type: parcel.type,
        accepts_response_payload: parcel.acceptsResponse,
        payload: parcel.payload,
        ...(parcel.type === 'events_api'
          ? { retry_attempt: parcel.retry?.num ?? 0, retry_reason: parcel.retry?.reason ?? '' }
          : {}),
      }),
    );
    return promise;
  }

  close(): void {
    for (const done of this.#connectionListeners) done();
    for (const socket of [...this.#sockets]) {
      socket.close(1001);
      socket.terminate();
    }
  }

  #handleAcknowledgement(text: string): void {
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      return;
    }
    const id = isRecord(answer) ? stringIn(answer, 'envelope_id') : undefined;
    const waiting = id === undefined ? undefined : this.#unacknowledged.get(id);
    if (!isRecord(answer) || id === undefined || !waiting) return;
    this.#unacknowledged.delete(id);
    const payload = answer.payload;
    const empty = payload === undefined || (isRecord(payload) && Object.keys(payload).length === 0);
    waiting.resolve({ kind: 'acknowledged', payload: empty ? undefined : payload });
  }

  #refuseUnacknowledged(socket: WebSocket): void {
    for (const [id, waiting] of this.#unacknowledged) {
      if (waiting.socket !== socket) continue;
      this.#unacknowledged.delete(id);
      waiting.resolve({ kind: 'refused', reason: 'the connection was closed' });
    }
  }
}
