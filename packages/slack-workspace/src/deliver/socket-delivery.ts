import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { getString, isRecord, parseJson } from '../json.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { makeSecret } from '../state/ids.ts';
import type { AppRequest, Delivery, DeliveryAnswer } from './app-connection.ts';

const TICKET_LIFETIME_MS = 30_000;
/** Slack's clients disconnect after 30 s without a ping from the server. */
const PING_INTERVAL_MS = 10_000;
/** With more unacknowledged requests, the acknowledgement of the oldest one is ignored. */
const MAX_UNACKNOWLEDGED = 1_000;

/** Whether the acknowledgement may contain a response: for commands, submissions and requests for options. */
function acceptsResponse({ type, payload }: AppRequest): boolean {
  return (
    type === 'slash_commands' || payload.type === 'view_submission' || payload.type === 'block_suggestion'
  );
}

/** Socket Mode. Each request goes to one of the open sockets, in turn. */
export class SocketDelivery implements Delivery {
  readonly transport = 'socket';
  readonly #sockets: WebSocket[] = [];
  readonly #tickets = new Map<string, number>();
  readonly #unacknowledged = new Map<
    string,
    { socket: WebSocket; resolve: (answer: DeliveryAnswer) => void }
  >();
  /** They are called when a socket connects. */
  readonly #connectionListeners = new Set<() => void>();
  readonly #appId: string;
  readonly #changed: () => void;
  #next = 0;

  /** `changed` is called when the app connects or disconnects. */
  constructor(appId: string, changed: () => void) {
    this.#appId = appId;
    this.#changed = changed;
  }

  get connected(): boolean {
    return this.#sockets.length > 0;
  }

  /** Creates a ticket for apps.connections.open. One socket can connect with it. */
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
    for (const listener of this.#connectionListeners) listener();
  }

  ready(withinMs: number): Promise<void> {
    if (this.connected) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => finish(), withinMs);
    timer.unref();
    const finish = () => {
      clearTimeout(timer);
      this.#connectionListeners.delete(finish);
      resolve();
    };
    this.#connectionListeners.add(finish);
    return promise;
  }

  send(request: AppRequest): Promise<DeliveryAnswer> {
    const socket = this.#sockets[this.#next++ % Math.max(this.#sockets.length, 1)];
    if (!socket) return Promise.resolve({ kind: 'not-connected' });
    const { promise, resolve } = Promise.withResolvers<DeliveryAnswer>();
    const id = request.envelopeId ?? randomUUID();
    // An envelope that is sent again needs only one acknowledgement.
    if (!this.#unacknowledged.has(id)) this.#unacknowledged.set(id, { socket, resolve });
    const [oldest] = this.#unacknowledged.keys();
    if (this.#unacknowledged.size > MAX_UNACKNOWLEDGED && oldest !== undefined)
      this.#unacknowledged.delete(oldest);
    socket.send(
      JSON.stringify({
        envelope_id: id,
        type: request.type,
        accepts_response_payload: acceptsResponse(request),
        payload: request.payload,
        ...(request.type === 'events_api'
          ? { retry_attempt: request.retry?.num ?? 0, retry_reason: request.retry?.reason ?? '' }
          : {}),
      }),
    );
    return promise;
  }

  close(): void {
    for (const listener of this.#connectionListeners) listener();
    for (const socket of [...this.#sockets]) {
      socket.close(1001);
      socket.terminate();
    }
  }

  #handleAcknowledgement(text: string): void {
    const answer = parseJson(text, () => undefined);
    const id = isRecord(answer) ? getString(answer, 'envelope_id') : undefined;
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
