import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../within.ts';
import type { Log } from '../log.ts';
import { getSlackErrorCode, SlackRefused } from '../slack-errors.ts';

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

/** The methods of Slack's SocketModeClient that we use. */
interface SocketClient {
  /** Resolves when Slack's hello message has arrived. */
  start(): Promise<unknown>;
  disconnect(): Promise<void>;
  on(event: 'disconnected', listener: () => void): unknown;
  removeAllListeners(event: 'disconnected'): unknown;
}

/** A connection that reconnects until `stop`, or until Slack refuses permanently. */
interface SocketConnection {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Creates a connection that reconnects by calling `client.start()` again. The automatic reconnection of `client` must
 * be off (`autoReconnectEnabled: false`), because it ends the process with an unhandled rejection if the token is
 * revoked.
 */
export function createSocketConnection(options: {
  client: SocketClient;
  log: Log;
  onFatal: (reason: Error) => void;
  /** Backoff after the first failed attempt. Doubles with each attempt, with full jitter. Defaults to 1 s. */
  firstBackoffMs?: number;
  /** Defaults to MAX_START_MS. */
  maxStartMs?: number;
}): SocketConnection {
  const { client, log, onFatal, firstBackoffMs = 1_000, maxStartMs = MAX_START_MS } = options;
  let isStopped = false;
  // If a socket closes before Slack's hello, `client.start()` rejects with undefined, and the client also emits
  // `disconnected`. That event must not start a second connection.
  let isConnecting = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    isConnecting = true;
    try {
      await client.start();
    } catch (error) {
      throw error ?? new Error('Slack closed the connection before its hello');
    } finally {
      isConnecting = false;
    }
  };

  const computeBackoffMs = (attempt: number): number =>
    Math.random() * Math.min(MAX_BACKOFF_MS, firstBackoffMs * 2 ** attempt);

  /** Connects, with retries. Rejects with the last failure after `maxStartMs`, or with SlackRefused at once. */
  const connectInitially = async (): Promise<void> => {
    const deadline = performance.now() + maxStartMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await connect();
      } catch (error) {
        const wait = computeBackoffMs(attempt);
        const refused = toSlackRefused(error);
        if (refused || isStopped || performance.now() + wait > deadline) throw refused ?? error;
        log.warn({ attempt, wait, err: error }, 'connecting to Slack failed; retrying');
        await delay(wait);
      }
    }
  };

  const reconnect = async (attempt: number): Promise<void> => {
    if (isStopped) return;
    try {
      await connect();
      log.info({ attempt }, 'reconnected to Slack');
    } catch (error) {
      if (isStopped) return;
      const refused = toSlackRefused(error);
      if (refused) return onFatal(refused);
      const wait = computeBackoffMs(attempt);
      log.warn({ attempt, wait, err: error }, 'connecting to Slack failed; retrying');
      timer = setTimeout(() => startReconnect(attempt + 1), wait);
    }
  };

  const startReconnect = (attempt: number): void => {
    reconnect(attempt).catch((error: unknown) => log.error({ err: error }, 'reconnecting to Slack failed'));
  };

  return {
    start: async () => {
      isStopped = false;
      await connectInitially();
      client.on('disconnected', () => {
        if (!isConnecting) startReconnect(0);
      });
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      client.removeAllListeners('disconnected');
      await within(
        MAX_CLOSE_MS,
        client
          .disconnect()
          .catch((error: unknown) => log.warn({ err: error }, 'closing the connection to Slack failed')),
      );
    },
  };
}

/** Converts a permanent error to SlackRefused. Undefined for all other errors. */
function toSlackRefused(error: unknown): SlackRefused | undefined {
  const code = getSlackErrorCode(error);
  return code !== undefined && PERMANENT_ERRORS.includes(code) ? new SlackRefused(code, 'app') : undefined;
}
