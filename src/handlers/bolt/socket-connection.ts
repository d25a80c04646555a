import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { SocketModeReceiver } from '@slack/bolt';
import { isObject } from '../../api/records.ts';
import { computeFullJitterMs } from '../../engine/backoff.ts';
import { within } from '../../promises.ts';
import type { Log } from '../../slack/log.ts';
import { getSlackErrorCode, SlackRefused } from '../../slack/slack-errors.ts';

/**
 * Errors that are permanent until somebody changes the app or its token
 * (https://docs.slack.dev/reference/methods/apps.connections.open).
 */
const PERMANENT_ERRORS = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'user_removed_from_team',
  'team_disabled',
  'not_allowed_token_type',
  'missing_scope',
];
const MAX_BACKOFF_MS = 30_000;
/** Maximum time during which the first connection is retried after transient failures. */
const MAX_START_MS = 30_000;
/** Time limit for the closing handshake, which never completes if Slack is unreachable. */
const MAX_CLOSE_MS = 2_000;
/** How long a replaced connection stays open: requests that have come over it are answered over it, within Slack's 3 s. */
const ANSWER_MS = 3_000;

/** A client of Socket Mode for one connection. */
export interface SocketClient {
  /** Resolves when Slack's hello message has arrived. */
  start(): Promise<unknown>;
  disconnect(): Promise<void>;
  on(event: 'disconnected', listener: () => void): unknown;
  off(event: 'disconnected', listener: () => void): unknown;
  /** Calls the listener when Slack is about to close the connection. It returns whether it will close the client. */
  onRefresh(listener: () => boolean): void;
}

/** Slack's announcement that it closes the connection is shorter. Longer messages, which are requests, aren't parsed twice. */
const MAX_DISCONNECT_LENGTH = 1_000;

function isDisconnect(data: unknown): boolean {
  if (typeof data !== 'string' || data.length > MAX_DISCONNECT_LENGTH || !data.includes('"disconnect"'))
    return false;
  try {
    const message: unknown = JSON.parse(data);
    return isObject(message) && message.type === 'disconnect';
  } catch {
    return false;
  }
}

/**
 * Lets somebody else decide when the client closes its connection. Slack closes a connection every few hours, and says so
 * some seconds before, so that another one can be opened first
 * (https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect). Slack's client closes it at once, and presses of that
 * moment are lost, because Slack doesn't send them again.
 */
export function withRefreshes(client: SocketModeReceiver['client']): SocketClient {
  let onRefresh = () => false;
  const handlers = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (...message: unknown[]) => {
    if (isDisconnect(message[0]) && onRefresh()) return;
    for (const handler of handlers) handler.apply(client, message as never[]);
  });
  return {
    start: () => client.start(),
    disconnect: () => client.disconnect(),
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    onRefresh(listener) {
      onRefresh = listener;
    },
  };
}

/**
 * Keeps a connection open, until `stop`, or until Slack refuses permanently. A connection that Slack is about to close is
 * replaced before. The automatic reconnection of a client must be off (`autoReconnectEnabled: false`), because it ends the
 * process with an unhandled rejection if the token is revoked.
 */
export function createSocketConnection(options: {
  createClient: () => SocketClient;
  log: Log;
  onFatal: (reason: Error) => void;
  /** Backoff after the first failed attempt. Doubles with each attempt, with full jitter. Defaults to 1 s. */
  firstBackoffMs?: number;
  /** Defaults to MAX_START_MS. */
  maxStartMs?: number;
  /** Defaults to ANSWER_MS. */
  answerMs?: number;
}) {
  const { createClient, log, onFatal, firstBackoffMs = 1_000, maxStartMs = MAX_START_MS } = options;
  const { answerMs = ANSWER_MS } = options;
  const backoff = { firstMs: firstBackoffMs, maxMs: MAX_BACKOFF_MS };
  let stopping = new AbortController();
  /** All clients that aren't closed: the one that is opened, the one in use, and the one before it. */
  const clients = new Set<SocketClient>();
  let current: SocketClient | undefined;
  let isReopening = false;
  let closedAt: number | undefined = performance.now();

  const connect = async (): Promise<void> => {
    const client = createClient();
    clients.add(client);
    client.onRefresh(() => {
      if (client !== current || stopping.signal.aborted) return false;
      log.info({}, 'Slack is about to close the connection; opening another one first');
      reopen();
      return true;
    });
    try {
      await client.start();
    } catch (error) {
      clients.delete(client);
      // If a socket closes before Slack's hello, `start` rejects with undefined.
      throw error ?? new Error('Slack closed the connection before its hello');
    }
    if (stopping.signal.aborted) return close(client);
    const previous = current;
    current = client;
    closedAt = undefined;
    client.on('disconnected', () => {
      clients.delete(client);
      if (client !== current) return;
      current = undefined;
      closedAt = performance.now();
      reopen();
    });
    // `close` logs a failure.
    if (previous) setTimeout(() => void close(previous).catch(() => undefined), answerMs).unref();
  };

  const close = async (client: SocketClient): Promise<void> => {
    if (!clients.delete(client)) return;
    await within(
      MAX_CLOSE_MS,
      client
        .disconnect()
        .catch((error: unknown) => log.warn({ err: error }, 'closing the connection to Slack failed')),
    );
  };

  /** Connects, with retries. Rejects with the last failure after `maxMs`, or at once if Slack refuses permanently. */
  const connectWithRetries = async (signal: AbortSignal, maxMs: number): Promise<{ attempt: number }> => {
    const deadline = performance.now() + maxMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await connect();
        return { attempt };
      } catch (error) {
        const wait = computeFullJitterMs(attempt + 1, backoff, Math.random);
        const refused = toSlackRefused(error);
        if (refused || signal.aborted || performance.now() + wait > deadline) throw refused ?? error;
        log.warn({ attempt, wait, err: error }, 'connecting to Slack failed; retrying');
        await delay(wait, undefined, { signal }).catch(() => {
          throw error;
        });
      }
    }
  };

  function reopen(): void {
    const { signal } = stopping;
    if (isReopening || signal.aborted) return;
    isReopening = true;
    void connectWithRetries(signal, Number.POSITIVE_INFINITY)
      .finally(() => {
        isReopening = false;
      })
      .then(
        (result) => {
          log.info(result, 'reconnected to Slack');
          // It may have been closed by then.
          if (!current) reopen();
        },
        (error: unknown) => {
          if (error instanceof SlackRefused && !signal.aborted) onFatal(error);
        },
      );
  }

  return {
    start: async () => {
      stopping = new AbortController();
      await connectWithRetries(stopping.signal, maxStartMs);
    },
    stop: async () => {
      stopping.abort();
      current = undefined;
      await Promise.all([...clients].map(close));
    },
    /** How long there has been no connection, ms; 0 while there is one. */
    getClosedMs: () => (closedAt === undefined ? 0 : performance.now() - closedAt),
  };
}

/** Converts a permanent error to SlackRefused. Undefined for all other errors. */
function toSlackRefused(error: unknown): SlackRefused | undefined {
  const code = getSlackErrorCode(error);
  return code !== undefined && PERMANENT_ERRORS.includes(code) ? new SlackRefused(code, 'app') : undefined;
}
