import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { slackErrorCode } from '../slack-errors.ts';
import { SlackRefused } from '../slack-refused.ts';

/**
 * Errors after which the app token never works again by itself
 * (https://docs.slack.dev/reference/methods/apps.connections.open).
 */
const PERMANENT = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'user_removed_from_team',
  'team_disabled',
  'not_allowed_token_type',
  'missing_scope',
];
const MAX_WAIT_MS = 30_000;
/** How long a start is retried after transient failures. */
const START_MS = 30_000;
/** Limit for the closing handshake, which never ends if the peer is gone. */
const CLOSE_MS = 2_000;

/** The parts of Slack's SocketModeClient that we use. */
interface SocketClient {
  /** Resolves at Slack's hello. */
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
 * Reconnects in place of the client, whose own reconnection ends the process with an unhandled rejection if the token
 * was revoked. `client` must have `autoReconnectEnabled: false`.
 */
export function createSocketConnection(options: {
  client: SocketClient;
  log: Log;
  onFatal: (reason: Error) => void;
  /** Backoff after the first failed attempt, ms. Doubles each time, with full jitter. Defaults to 1 s. */
  waitMs?: number;
  /** Defaults to 30 s. */
  startMs?: number;
}): SocketConnection {
  const { client, log, onFatal, waitMs = 1_000, startMs = START_MS } = options;
  let stopped = false;
  // If a socket closes before Slack's hello, `client.start()` fails and `disconnected` is emitted as well.
  let connecting = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    connecting = true;
    try {
      await client.start();
    } catch (error) {
      // In that case the client rejects with undefined.
      throw error ?? new Error('Slack closed the connection before its hello');
    } finally {
      connecting = false;
    }
  };

  const backoffMs = (attempt: number): number => Math.random() * Math.min(MAX_WAIT_MS, waitMs * 2 ** attempt);

  /** Rejects with the last failure after `startMs`, or with SlackRefused at once. */
  const connectFirst = async (): Promise<void> => {
    const giveUpAt = performance.now() + startMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await connect();
      } catch (error) {
        const wait = backoffMs(attempt);
        const refused = refusal(error);
        if (refused || stopped || performance.now() + wait > giveUpAt) throw refused ?? error;
        log.warn({ attempt, wait, reason: String(error) }, 'connecting to Slack failed; retrying');
        await delay(wait);
      }
    }
  };

  const reconnect = async (attempt: number): Promise<void> => {
    if (stopped) return;
    try {
      await connect();
      log.info({ attempt }, 'reconnected to Slack');
    } catch (error) {
      if (stopped) return;
      const refused = refusal(error);
      if (refused) return onFatal(refused);
      const wait = backoffMs(attempt);
      log.warn({ attempt, wait, reason: String(error) }, 'connecting to Slack failed; retrying');
      timer = setTimeout(() => startReconnect(attempt + 1), wait);
    }
  };

  const startReconnect = (attempt: number): void => {
    reconnect(attempt).catch((error: unknown) => log.error({ err: error }, 'reconnecting to Slack failed'));
  };

  return {
    start: async () => {
      stopped = false;
      await connectFirst();
      client.on('disconnected', () => {
        if (!connecting) startReconnect(0);
      });
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      client.removeAllListeners('disconnected');
      await Promise.race([
        client
          .disconnect()
          .catch((error: unknown) => log.warn({ err: error }, 'closing the connection to Slack failed')),
        new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
      ]);
    },
  };
}

function refusal(error: unknown): SlackRefused | undefined {
  const code = slackErrorCode(error);
  return code !== undefined && PERMANENT.includes(code) ? new SlackRefused(code, 'app') : undefined;
}
