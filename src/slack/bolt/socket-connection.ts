import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { SlackRefused } from '../slack-refused.ts';
import { slackErrorCode } from '../slack-trouble.ts';

/** The app token will not work again by itself (https://docs.slack.dev/reference/methods/apps.connections.open). */
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
const LONGEST_WAIT_MS = 30_000;
/** A start that fails for a passing reason is tried again for so long. */
const START_MS = 30_000;
/** A peer that is gone finishes no closing handshake. */
const CLOSE_MS = 2_000;

/** What is needed of Slack's own SocketModeClient. */
interface SocketClient {
  /** Resolves at Slack's hello. */
  start(): Promise<unknown>;
  disconnect(): Promise<void>;
  on(event: 'disconnected', listener: () => void): unknown;
  removeAllListeners(event: 'disconnected'): unknown;
}

/** A connection that comes back by itself until `stop` or until Slack refuses for good. */
interface SocketConnection {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Owns reconnecting, because the client's own ends the process with an unhandled rejection when the token has been
 * revoked meanwhile. `client` has `autoReconnectEnabled: false`.
 */
export function socketConnection(options: {
  client: SocketClient;
  log: Log;
  onFatal: (reason: Error) => void;
  /** First wait after a failed attempt, ms; doubled each time, with full jitter. */
  waitMs?: number;
  /** Defaults to 30 s. */
  startMs?: number;
}): SocketConnection {
  const { client, log, onFatal, waitMs = 1_000, startMs = START_MS } = options;
  let stopped = false;
  // A socket that closes before Slack's hello fails `client.start()` and is announced as disconnected as well.
  let connecting = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    connecting = true;
    try {
      await client.start();
    } catch (error) {
      // The client rejects with nothing at all then.
      throw error ?? new Error('Slack closed the connection before its hello');
    } finally {
      connecting = false;
    }
  };

  const waitAfter = (attempt: number): number =>
    Math.random() * Math.min(LONGEST_WAIT_MS, waitMs * 2 ** attempt);

  /** Rejects with the last failure when `startMs` is over, with SlackRefused at once. */
  const connectFirst = async (): Promise<void> => {
    const giveUpAt = performance.now() + startMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await connect();
      } catch (error) {
        const wait = waitAfter(attempt);
        const refused = refusal(error);
        if (refused || stopped || performance.now() + wait > giveUpAt) throw refused ?? error;
        log.warn({ attempt, wait, reason: String(error) }, 'Slack cannot be reached; trying again');
        await delay(wait);
      }
    }
  };

  const reconnect = async (attempt: number): Promise<void> => {
    if (stopped) return;
    try {
      await connect();
      log.info({ attempt }, 'connected to Slack again');
    } catch (error) {
      if (stopped) return;
      const refused = refusal(error);
      if (refused) return onFatal(refused);
      const wait = waitAfter(attempt);
      log.warn({ attempt, wait, reason: String(error) }, 'Slack cannot be reached; trying again');
      timer = setTimeout(() => again(attempt + 1), wait);
    }
  };

  const again = (attempt: number): void => {
    reconnect(attempt).catch((error: unknown) => log.error({ err: error }, 'reconnecting to Slack failed'));
  };

  return {
    start: async () => {
      stopped = false;
      await connectFirst();
      client.on('disconnected', () => {
        if (!connecting) again(0);
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
