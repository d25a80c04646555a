import type { RequestListener } from 'node:http';
import { App, HTTPReceiver, type Logger, SocketModeReceiver } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Role } from './access/roles.ts';
import { help } from './features/help/help.ts';
import { projects } from './features/projects/projects.ts';
import { schedulePost } from './features/schedule-post/schedule-post.ts';
import { upNext } from './features/up-next/up-next.ts';
import { boltLog } from './slack/bolt/bolt-log.ts';
import { original } from './slack/bolt/failure.ts';
import { createRouter } from './slack/bolt/router.ts';
import { signedRequests } from './slack/bolt/signed-requests.ts';
import { SlackRefused, socketConnection } from './slack/bolt/socket-connection.ts';
import { underWay } from './slack/bolt/under-way.ts';
import type { Feature, Log } from './slack/feature.ts';
import { slackErrorCode } from './slack/slack-trouble.ts';
import { PACE } from './submissions/pace.ts';
import type { Parts } from './submissions/parts.ts';

/** What people can do, in the order in which help lists it. */
export const features: readonly Feature<Parts, Role>[] = [upNext, schedulePost, projects, help];

interface BotOptions extends Omit<Parts, 'pace'> {
  slack: { botToken: string; apiUrl?: string } & (
    | { kind: 'socket'; appToken: string }
    | { kind: 'http'; signingSecret: string }
  );
  log: Log;
  now?: () => Date;
  /** Shorter waits, for tests. */
  pace?: Parts['pace'];
  /** Slack refuses for good while the bot is running. */
  onFatal?: (reason: Error) => void;
}

export interface Bot {
  /** Rejects with SlackRefused where a token is bad, with Slack's client's own error where Slack is not reached. */
  start(): Promise<void>;
  /** Takes nothing new, and waits for what is under way, 8 s at most. */
  stop(): Promise<void>;
  isReady(): Promise<boolean>;
  /** HTTP mode: `POST /slack/events`. */
  requestListener?: RequestListener;
}

/** The bot as Slack knows it. */
type Self = { botId?: string; botUserId?: string };

/** One call to Slack; a person waits for it (ms). */
const SLACK_CALL_MS = 10_000;

export function createBot(options: BotOptions): Bot {
  const { slack, log, db } = options;
  const { api, encryption, practice, pace = PACE, now = () => new Date() } = options;
  const router = createRouter<Parts>({
    parts: { api, db, encryption, practice, pace },
    features,
    catalogue: features,
    first: upNext.name,
    log,
    now,
    apiUrl: slack.apiUrl,
    // Who may do what is declared in the features; nobody is refused yet.
    permit: async () => undefined,
  });
  const work = underWay();
  const logger = boltLog(log);
  const clientOptions = clientOptionsFor(slack.apiUrl, logger);
  const { receiver, connection, requestListener } = transport(options, logger, clientOptions);
  let me: Self | undefined;
  const app = new App({
    receiver,
    logger,
    clientOptions,
    convoStore: false,
    authorize: async () => ({ botToken: slack.botToken, ...me }),
  });
  app.use(async ({ body, client, ...rest }) => {
    const ack: unknown = 'ack' in rest ? rest.ack : undefined;
    // Events have none: Bolt has acknowledged them.
    if (isAck(ack)) await work.add(router({ body, client, ack }));
  });
  app.error(async (error) =>
    log.error({ err: original(error) }, 'a request of Slack’s failed before it was handled'),
  );
  return {
    async start() {
      me = await whoAmI(new WebClient(slack.botToken, clientOptions));
      await connection?.start();
      for (const feature of features) feature.warmUp?.();
    },
    async stop() {
      await connection?.stop();
      await work.settled();
      me = undefined;
    },
    async isReady() {
      if (!me) return false;
      await db.selectNoFrom((one) => one.val(1).as('one')).execute();
      return true;
    },
    ...(requestListener && { requestListener }),
  };
}

function clientOptionsFor(apiUrl: string | undefined, logger: Logger): WebClientOptions {
  return {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    logger,
    // Repeating what creates a message makes two of it, and a 429 would hold up every other call.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: SLACK_CALL_MS,
  };
}

/** How Slack reaches us: Bolt's own receivers, with what they leave open done here. */
function transport({ slack, log, onFatal }: BotOptions, logger: Logger, clientOptions: WebClientOptions) {
  if (slack.kind === 'http') {
    const { signingSecret } = slack;
    // Every request has passed our own check by then, which is the stricter one.
    const receiver = new HTTPReceiver({ signingSecret, logger, signatureVerification: false });
    return { receiver, requestListener: signedRequests({ signingSecret, next: receiver.requestListener }) };
  }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger,
    autoReconnectEnabled: false,
    // A copy: the socket's client changes what it is given.
    installerOptions: { clientOptions: { ...clientOptions } },
  });
  const { client } = receiver;
  return { receiver, connection: socketConnection({ client, log, onFatal: onFatal ?? (() => undefined) }) };
}

/** Bolt's `ack`, whose parameter differs with the kind of request. */
function isAck(value: unknown): value is (payload?: unknown) => Promise<void> {
  return typeof value === 'function';
}

/** Who the bot token belongs to. Throws SlackRefused where it is bad. */
async function whoAmI(client: WebClient): Promise<Self> {
  try {
    const { bot_id: botId, user_id: botUserId } = await client.auth.test();
    return { ...(botId !== undefined && { botId }), ...(botUserId !== undefined && { botUserId }) };
  } catch (error) {
    const code = slackErrorCode(error);
    throw code === undefined ? error : new SlackRefused(code, 'bot');
  }
}
