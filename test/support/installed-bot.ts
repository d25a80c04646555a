import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Kysely } from 'kysely';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { createEncryption, type Encryption } from '../../src/access/access.ts';
import { type Bot, createBot } from '../../src/app/app.ts';
import { features } from '../../src/app/features.ts';
import { identifyClient, parseProxies, setClient } from '../../src/clients.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import type { Rates } from '../../src/slack/rate-limits.ts';
import { PACE } from '../../src/submissions/pace.ts';
import type { ServiceAddressRules } from '../../src/workspaces/workspaces.ts';
import { KEEP_ALIVE_MS, SCRIPTED_RATES } from './bot.ts';
import { measureBusyness, PATIENCE, stretchDeadlines } from './busyness.ts';
import { listenOnFreePort } from './listening-port.ts';
import { recordStatements } from './sent-statements.ts';
import { createTestClock } from './test-clock.ts';

export interface InstalledBot {
  workspace: Workspace;
  bot: Bot;
  encryption: Encryption;
  db: Kysely<BotSchema>;
  /** The bot's address. */
  origin: string;
  installUrl: string;
  /** Where Slack sends its requests, for `sendSigned`. */
  target: { url: string; signingSecret: string };
  /** The bot's log lines. */
  logged: string[];
  close(): Promise<void>;
}

/** Starts a bot that people install by OAuth, and an emulated Slack in which the app isn't installed yet. */
export async function startInstalledBot(options: {
  db: Kysely<BotSchema>;
  serviceAddressRules?: ServiceAddressRules;
  /** Whether the app uses token rotation. */
  rotation?: boolean;
  now?: () => Date;
  trustedProxies?: readonly string[];
  /** Rate limits of a member and of a workspace. */
  rates?: Rates;
}): Promise<InstalledBot> {
  const { db } = options;
  // Each bot has encryption keys of its own, so it can't read the secrets of an earlier one.
  await db.deleteFrom('shared_secret').execute();
  const restoreDeadlines = stretchDeadlines();
  const logged: string[] = [];
  const writeLogLine = (fields: object, message: string) =>
    void logged.push(
      `${message} ${JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value))}`,
    );
  const trustedProxies = parseProxies(options.trustedProxies ?? []);
  const receiver = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    setClient(request, { address: identifyClient(request, trustedProxies), verify: () => undefined });
    bot.requestListener?.(request, response);
  });
  const origin = `http://127.0.0.1:${await listenOnFreePort(receiver)}`;
  const isForMany = options.rotation ?? false;
  const manifest = buildManifest(features, { requestUrl: `${origin}/slack/events`, isForMany });
  const workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest,
    delivery: { kind: 'http', url: `${origin}/slack/events` },
    installed: false,
  });
  const { signingSecret, clientId, clientSecret, apiUrl } = workspace;
  const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
  const bot = createBot({
    slack: {
      kind: 'oauth',
      signingSecret,
      clientId,
      clientSecret,
      publicUrl: origin,
      apiUrl,
    },
    ...(options.serviceAddressRules && { serviceAddressRules: options.serviceAddressRules }),
    db: recordStatements(db),
    encryption,
    log: { debug: writeLogLine, info: writeLogLine, warn: writeLogLine, error: writeLogLine },
    ...(options.now && { clock: createTestClock(() => new Date(), options.now) }),
    rates: options.rates ?? SCRIPTED_RATES,
    pace: {
      ...PACE,
      acknowledgementTimeoutMs: 2_000,
      acknowledgementDeadlineMs: PACE.acknowledgementDeadlineMs * PATIENCE,
      saveMs: 2_000 * measureBusyness(),
      afterAcknowledgementMs: 10,
    },
    isEmulated: false,
  });
  await bot.start();
  return {
    workspace,
    bot,
    encryption,
    db,
    origin,
    installUrl: `${origin}/slack/install`,
    target: { url: `${origin}/slack/events`, signingSecret },
    logged,
    async close() {
      await bot.stop();
      await workspace.close();
      restoreDeadlines();
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}
