import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Kysely } from 'kysely';
import {
  type OptionsState,
  type SlackFaultPlan,
  startWorkspace,
  type Workspace,
} from 'slack-workspace-emulator';
import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { createEncryption, type FirstOwners, type Role } from '../../src/access/access.ts';
import { type AddressGuard, createApiClient } from '../../src/api/client.ts';
import type { ProbeLink } from '../../src/api/probe-link.ts';
import { type Bot, createBot } from '../../src/app/app.ts';
import type { BotOptions } from '../../src/app/create-context.ts';
import { features } from '../../src/app/features.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { RATES, type Rates } from '../../src/slack/rate-limits.ts';
import { PACE, type Pace } from '../../src/submissions/pace.ts';
import { measureBusyness, PATIENCE, stretchDeadlines } from './busyness.ts';
import { emptyTables } from './empty-tables.ts';
import { listenOnFreePort } from './listening-port.ts';
import { type ScriptedService, startScriptedService } from './scripted-service.ts';
import { recordStatements } from './sent-statements.ts';
import { watchSent } from './sent-to-slack.ts';
import { createTestClock } from './test-clock.ts';

/** A connection that closes while it is reused would look like an unreachable app. The process may be busy for seconds. */
export const KEEP_ALIVE_MS = 60_000;

/** The fixed time of the app's clock in tests: Fri 20 Nov 2026, noon UTC. Slack's clock isn't affected. */
export const NOW = new Date('2026-11-20T12:00:00Z');

export interface Running {
  workspace: Workspace;
  service: ScriptedService;
  bot: Bot;
  /** What the bot was created with. */
  settings: BotOptions;
  db: Kysely<BotSchema>;
  /** The bot's log lines. */
  logged: string[];
  /** The address to which Slack sends requests. Undefined in Socket Mode. */
  url: string | undefined;
  close(): Promise<void>;
}

/** The production rate limits without a member's limits for short periods, because scripts are faster than people. */
export const SCRIPTED_RATES: Rates = {
  request: { ...RATES.request, member: RATES.request.member.slice(-1) },
  typing: { ...RATES.typing, member: RATES.typing.member.slice(-1) },
  parsing: { ...RATES.parsing, member: RATES.parsing.member.slice(-1) },
  costly: RATES.costly,
};
/** No rate limits, for tests in which one person acts for thousands. */
export const WITHOUT_LIMITS: Rates = {
  request: { member: [], tenant: [] },
  typing: { member: [], tenant: [] },
  parsing: { member: [], tenant: [] },
  costly: { member: [], tenant: [] },
};

/**
 * What every app meets in Slack sooner or later: events that come twice, the second time after later ones
 * (slackapi/python-slack-sdk #1164, slackapi/bolt-python #668), and a first lookup of a person that fails. A test that sets faults replaces these.
 */
const INCONVENIENCES: SlackFaultPlan = {
  deliveries: [{ fault: 'duplicate', kind: 'events_api', afterMs: 20 }],
  webApi: [{ fault: 'status', method: 'users.info', status: 503, times: 1 }],
};

let startedBots = 0;
function nextOptionsState(): OptionsState {
  startedBots += 1;
  return startedBots % 2 === 0 ? 'stale' : 'missing';
}

export interface BotTestOptions {
  db: Kysely<BotSchema>;
  /** Changes the bot's handle of the database. Tests have their own. */
  wrapDatabase?(db: Kysely<BotSchema>): Kysely<BotSchema>;
  mode?: 'socket' | 'http';
  pace?: Partial<Pace>;
  isEmulated?: boolean;
  allowFileDeletion?: boolean;
  /** The role of full members without a grant. Defaults to owner. Null means no role. */
  membersDefaultRole?: Role | null;
  owners?: FirstOwners;
  /** Replaces all intervals between scans, ms. Where a test waits for one, because a person waits for a few seconds. */
  scanIntervalMs?: number;
  /** Rules for the services that people connect. Defaults to public addresses. */
  serviceAddressRules?: BotOptions['serviceAddressRules'];
  /** A service that replaces the scripted one. */
  service?: { url: string; token: string; guard?: AddressGuard };
  /** Whether the bot uses the workspace's clock, which tests can move. Otherwise its clock always shows NOW, the default. */
  followsClock?: boolean;
  /** The time of the workspace's clock at the start. Defaults to the system clock. */
  startTime?: Date;
  /** OAuth scopes that an earlier manifest didn't request. */
  missingScopes?: readonly string[];
  /** Optional OAuth scopes that the workspace declined. */
  declinedScopes?: readonly string[];
  /** The `view.state` that is sent when a menu loads its options. Defaults to `stale` and `missing` in turn. */
  optionsState?: OptionsState;
  /** Whether Slack limits the rates of calls. Defaults to true. False where a script is much faster than people. */
  limits?: boolean;
  /** How long notifications wait for others to share a message, ms. Defaults to 100. */
  maxGroupMs?: number;
  /** Timeout of one call to the service. */
  maxCallMs?: number;
  /** Finds out where typed links lead. Defaults to none. */
  probeLink?: ProbeLink;
  /** Whether the bot has a public address, so that it takes files from Slack, and serves them and pages. */
  takesFiles?: boolean;
  /** Rate limits. Defaults to SCRIPTED_RATES, with which a test fails if it reaches a limit. */
  rates?: Rates;
}

/** Starts a workspace, a bot and a scripted service on an emptied database. */
export async function startBot(options: BotTestOptions): Promise<Running> {
  const { db, mode = 'socket' } = options;
  await emptyTables(db);
  const busyness = measureBusyness();
  // Longer than in production, because the machine may be busy with other tests.
  const pace: Pace = {
    ...PACE,
    acknowledgementTimeoutMs: 2_000 * busyness,
    acknowledgementDeadlineMs: PACE.acknowledgementDeadlineMs * PATIENCE,
    saveMs: 2_000 * busyness,
    // Less than the delays of slow services in tests.
    formReadMs: Math.min(PACE.formReadMs * busyness, 3_000),
    afterAcknowledgementMs: 10,
    homeRefreshDelayMs: 10,
    ...options.pace,
  };
  const restoreDeadlines = stretchDeadlines();
  const service = await startScriptedService();
  const logged: string[] = [];
  const writeLogLine = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields, serializeErrors)}`);
  const api = createApiClient({
    baseUrl: options.service?.url ?? service.url,
    token: options.service?.token ?? 'service-token',
    guard: options.service?.guard,
    ...(options.maxCallMs !== undefined && { maxCallMs: options.maxCallMs }),
  });
  const receiver = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
    request.url?.startsWith('/media/')
      ? void bot.serveMedia?.(request, response)
      : request.url?.startsWith('/w/')
        ? void bot.serveWeb?.(request, response)
        : bot.requestListener?.(request, response),
  );
  const address =
    mode === 'http' || options.takesFiles
      ? `http://127.0.0.1:${await listenOnFreePort(receiver)}/`
      : undefined;
  const url = mode === 'http' ? `${address}slack/events` : undefined;
  const workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest: buildManifestWithout(options.missingScopes ?? [], url),
    delivery: url === undefined ? { kind: 'socket' } : { kind: 'http', url },
    ...(options.declinedScopes && { declinedScopes: options.declinedScopes }),
    ...(options.takesFiles && address !== undefined && { picturesFrom: address }),
    optionsState: options.optionsState ?? nextOptionsState(),
    limits: options.limits ?? true,
    ...(options.startTime && { now: startClock(options.startTime) }),
  });
  workspace.faults.set(INCONVENIENCES);
  const { botToken, appToken, signingSecret, apiUrl } = workspace;
  const settings: BotOptions = {
    slack: {
      botToken,
      apiUrl,
      ...(mode === 'http' ? { kind: mode, signingSecret } : { kind: mode, appToken }),
    },
    api,
    db: recordStatements(options.wrapDatabase?.(db) ?? db),
    encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]),
    log: { debug: writeLogLine, info: writeLogLine, warn: writeLogLine, error: writeLogLine },
    clock: createTestClock(
      () => new Date(),
      () => (options.followsClock ? new Date(workspace.clock.now()) : NOW),
    ),
    pace,
    maxGroupMs: options.maxGroupMs ?? 100,
    ...(options.scanIntervalMs !== undefined && { scanIntervalMs: options.scanIntervalMs }),
    isEmulated: options.isEmulated ?? false,
    ...(options.serviceAddressRules && { serviceAddressRules: options.serviceAddressRules }),
    ...(options.takesFiles && { publicUrl: address }),
    ...(options.probeLink && { probeLink: options.probeLink }),
    allowFileDeletion: options.allowFileDeletion ?? false,
    membersDefaultRole:
      options.membersDefaultRole === undefined ? 'owner' : (options.membersDefaultRole ?? undefined),
    ...(options.owners && { owners: options.owners }),
    rates: options.rates ?? SCRIPTED_RATES,
  };
  const bot = createBot(settings);
  const sentPayloads = watchSent();
  await bot.start();
  return {
    workspace,
    service,
    bot,
    settings,
    db,
    logged,
    url,
    async close() {
      await service.stop();
      await bot.stop();
      await workspace.close();
      restoreDeadlines();
      receiver.close();
      receiver.closeAllConnections();
      await api.close();
      const liveMarkup = sentPayloads.stop();
      if (!options.rates && logged.some((line) => line.startsWith('rate limit reached')))
        throw new Error('the test reached a rate limit: set other `rates`');
      // In no test may text from people become markup in Slack.
      if (liveMarkup.length > 0) throw new Error(`live markup sent to Slack:\n${liveMarkup.join('\n')}`);
    },
  };
}

function startClock(startsAt: Date): () => number {
  const offsetMs = startsAt.getTime() - Date.now();
  return () => Date.now() + offsetMs;
}

function buildManifestWithout(scopes: readonly string[], url: string | undefined) {
  const manifest = buildManifest(features, url === undefined ? {} : { requestUrl: url });
  const bot = manifest.oauth_config.scopes.bot.filter((scope) => !scopes.includes(scope));
  const bot_optional = manifest.oauth_config.scopes.bot_optional.filter((scope) => !scopes.includes(scope));
  return { ...manifest, oauth_config: { scopes: { bot, bot_optional } } };
}

/** `JSON.stringify` skips the message and the stack of an error. */
function serializeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
}
