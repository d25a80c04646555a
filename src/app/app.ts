import { performance } from 'node:perf_hooks';
import type { Logger } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type Encryption, parseKeyId } from '../access/access.ts';
import { DAY_MS, HOUR_MS } from '../durations.ts';
import { createClock } from '../engine/clock.ts';
import { claimOnce } from '../engine/once-claim.ts';
import { fallbackReplies, help } from '../features/help/help.ts';
import { refreshHome } from '../features/home/home.ts';
import { upNext } from '../features/up-next/up-next.ts';
import {
  buildNotHandledMessage,
  createBoltLogger,
  createClientOptions,
  createForeignAppFilter,
  createRouter,
  createTransport,
  createWorkTracker,
  logUnknownRequest,
  parseRequest,
  RespondingApp,
  respondWithoutToken,
  type SlackAnswer,
  sendToSlack,
  type WorkTracker,
  watchAnswers,
} from '../handlers/bolt/bolt.ts';
import { within } from '../promises.ts';
import type { Actor } from '../slack/actor.ts';
import { isEvent } from '../slack/actor.ts';
import { isButtonState } from '../slack/interaction-values.ts';
import { createRateLimits, RATES } from '../slack/rate-limits.ts';
import { checkWritable } from '../store/database.ts';
import { PACE } from '../submissions/pace.ts';
import {
  type BotAccess,
  createRequestBotLookup,
  renderNotInstalledText,
  type SlackClients,
  type Uninstallations,
  type WorkspaceDirectory,
  withInstallPages,
} from '../workspaces/workspaces.ts';
import { type BotOptions, createContext } from './create-context.ts';
import { features } from './features.ts';

export type Bot = ReturnType<typeof createBot>;

/** How long `stop` waits for answers in Socket Mode. The slowest comes after 2.2 s (live-form.ts). */
const ANSWER_TIMEOUT_MS = 2_500;
/**
 * How long `stop` waits for running work, with answers and the end of the connection. A call to the service may take
 * longer. A closing process has 19 s (run.ts): 8 s before this, for proxies and open HTTP requests, and 2 s after it.
 */
const WORK_TIMEOUT_MS = 8_000;
/** How long `stop` waits for updates of messages and views. */
const DISPLAY_TIMEOUT_MS = 1_000;
/** How long `stop` waits for audit entries at least. */
const FLUSH_TIMEOUT_MS = 1_000;

/** Maximum audit entries in one line of the log. */
const MAX_ENTRIES_PER_LINE = 100;

/** How long the ids of events are stored. Slack resends an event for six minutes, and for longer after an outage. */
const EVENT_RETENTION_MS = HOUR_MS;

export function createBot(botOptions: BotOptions) {
  const botToken = createBotTokenCheck(botOptions);
  const options: BotOptions = {
    ...botOptions,
    sendToSlack: watchAnswers(botOptions.sendToSlack ?? sendToSlack, (answer) => {
      botOptions.onSlackAnswer?.(answer);
      botToken.handle(answer);
    }),
  };
  const { slack, log, db, clock = createClock(options) } = options;
  const { now } = clock;
  const logger = createBoltLogger(log);
  const work = createWorkTracker();
  const { context, closeReads, loadWorkspaceContext, ...parts } = createContext(
    { ...options, clock },
    { logger, work },
  );
  const { directory, slackClients, uninstallations, retention, permission } = parts;
  const { submissions, digests, engine, heldPosts, media, web, services, record } = context;
  const router = createRouter({
    context,
    loadWorkspaceContext: loadWorkspaceContext,
    features,
    catalogue: features,
    defaultFeature: upNext.name,
    log,
    now,
    buttonStates: createSealedState(context.encryption),
    apiUrl: slack.apiUrl,
    permit: permission.permit,
    limits: createRateLimits({
      rates: options.rates ?? RATES,
      isMultiTenant: slack.kind === 'oauth',
      clock: () => performance.now(),
      onRefused: options.onRateLimited,
      onReached: (reached) => log.warn(reached, 'rate limit reached'),
    }),
    helpCommand: { feature: help.name, command: 'help' },
    fallbackReplies,
    refresh: (call) => refreshHome(call, (look) => permission.narrow(look, 'viewer')),
    isFirstDelivery: ({ actor }, name) =>
      claimOnce(db, { workspace: actor.workspace, name, retentionMs: EVENT_RETENTION_MS }),
  });
  const { connection, requestListener } = createSlackApp(
    { ...options, clock },
    {
      logger,
      directory,
      slackClients,
      uninstallations,
      router,
      work,
    },
  );
  return {
    /** Rejects with SlackRefused if Slack refuses a token, or with the client's error if Slack can't be reached. */
    async start() {
      await directory.start();
      uninstallations.start();
      retention.start();
      // If the database fails now, the engine measures before its first scan.
      await clock
        .measure()
        .catch((error: unknown) => log.warn({ err: error }, 'could not compare clocks with the database'));
      await connection?.start();
      if (options.sendsDigests === false) log.info({}, 'digests are left to other instances');
      engine.start();
      media.start();
      for (const { name, warmUp } of features) {
        warmUp?.().catch((error: unknown) => log.warn({ feature: name, err: error }, 'warm-up failed'));
      }
    },
    /** Answers waiting requests, stops accepting others, and waits up to 8 s for running work. */
    async stop() {
      const workDeadline = performance.now() + WORK_TIMEOUT_MS;
      const readRemainingMs = () => Math.max(0, workDeadline - performance.now());
      // In Socket Mode, answers need the connection. Over HTTP, the server has waited for them.
      if (connection) await work.waitForAll(ANSWER_TIMEOUT_MS);
      await connection?.stop();
      await Promise.all([
        work.waitForAll(readRemainingMs()),
        ...[engine, media, uninstallations, retention].map((component) =>
          within(readRemainingMs(), component.stop()),
        ),
      ]);
      submissions.stop();
      // The work that has ended may still update messages and views.
      await work.waitForAll(DISPLAY_TIMEOUT_MS);
      // Entries that aren't written in time are logged.
      await within(Math.max(FLUSH_TIMEOUT_MS, readRemainingMs()), record.flush());
      const unwritten = record.stop();
      for (let start = 0; start < unwritten.length; start += MAX_ENTRIES_PER_LINE) {
        const entries = unwritten.slice(start, start + MAX_ENTRIES_PER_LINE);
        log.error({ entries }, 'audit entries not written at shutdown');
      }
      closeReads();
      await services.close();
      directory.stop();
    },
    /** Whether it can do its job. Also rejects if the database can't be reached, or refuses writes. */
    async isReady(): Promise<boolean> {
      if (!directory.isReady() || (connection && connection.getClosedMs() > MAX_CLOSED_MS)) return false;
      await checkWritable(db);
      return botToken.isAccepted(() => slackClients.get('', { token: botToken.token, isOrgWide: false }));
    },
    /** Socket Mode: how long there has been no connection to Slack, ms. */
    ...(connection && { getSlackClosedMs: connection.getClosedMs }),
    submissions,
    digests,
    engine,
    heldPosts,
    /** The install page, with many workspaces. */
    installUrl: directory.installUrl,
    /** Serves files from Slack that posts refer to. Absent without a public address. */
    ...(media.serve && { serveMedia: media.serve }),
    /** Serves the pages behind personal links. Absent without a public address. */
    ...(web.serve && { serveWeb: web.serve }),
    /** HTTP mode: serves `POST /slack/events` and, with many workspaces, the install pages. */
    ...(requestListener && { requestListener: withInstallPages(directory, requestListener) }),
  };
}

/** A connection to Slack that is missing for longer isn't being replaced as usual. Slack's events of that time are lost. */
const MAX_CLOSED_MS = 10_000;
/** How often readiness asks Slack whether a refused token is accepted again. */
const RECHECK_INTERVAL_MS = 10_000;

/**
 * Follows whether Slack accepts the bot token of the settings. With many workspaces, each has a token of its own, and says
 * nothing about the others.
 */
function createBotTokenCheck({ slack, log }: Pick<BotOptions, 'slack' | 'log'>) {
  const token = 'botToken' in slack ? slack.botToken : '';
  let isRefused = false;
  /** At the start, whoever asks about the token says itself that it is refused. */
  let wasAccepted = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    token,
    handle({ outcome, code, usesToken }: SlackAnswer): void {
      const isNews = outcome === 'done' && (isRefused || !wasAccepted);
      if (token === '' || !(isNews || outcome === 'refused-token') || !usesToken(token)) return;
      if (outcome === 'refused-token' && wasAccepted && !isRefused)
        log.error({ code }, 'Slack refuses the bot token');
      if (isRefused && outcome === 'done') log.info({}, 'Slack accepts the bot token again');
      wasAccepted ||= outcome === 'done';
      isRefused = outcome === 'refused-token';
    },
    async isAccepted(getClient: () => WebClient): Promise<boolean> {
      if (isRefused && performance.now() - askedAt >= RECHECK_INTERVAL_MS) {
        askedAt = performance.now();
        await getClient()
          .auth.test()
          .catch(() => undefined);
      }
      return !isRefused;
    },
  };
}

const UNKNOWN_INSTALLATION = 'I couldn’t check whether I’m installed in this workspace';

/** Creates the Bolt app, which passes requests to `router` and responds to workspaces that don't have the app. */
export function createSlackApp(
  options: BotOptions,
  dependencies: {
    logger: Logger;
    directory: WorkspaceDirectory;
    slackClients: SlackClients;
    uninstallations: Uninstallations;
    router: ReturnType<typeof createRouter>;
    work: WorkTracker;
  },
) {
  const { slack, log, pace = PACE } = options;
  const { logger, directory, slackClients, uninstallations, router, work } = dependencies;
  const clientOptions = createClientOptions(slack.apiUrl, logger, options.sendToSlack);
  const foreignFilter = createForeignAppFilter(log);
  const { receiver, connection, requestListener } = createTransport(options, logger, clientOptions);
  const findRequestBot = createRequestBotLookup(directory, log);
  new RespondingApp(receiver, logger, {
    log,
    pace,
    apiUrl: slack.apiUrl,
    async beforeProcessing(body) {
      if (!foreignFilter.isForeign(body)) await uninstallations.handle(body);
    },
    async handle({ body, ack: acknowledge, arrivedAt, sentAt }) {
      if (await foreignFilter.acknowledgeForeignRequest(body, acknowledge)) return;
      if (uninstallations.isUninstallation(body)) return;
      const found = await findRequestBot(body);
      // Nobody waits for a response to an event, so it is acknowledged before the work. Others have a single response.
      const isForEvent = isEvent(body);
      if (isForEvent && found.kind === 'unknown') throw new Error('the installation of an event is unknown');
      if (isForEvent) await acknowledge();
      const ack = isForEvent ? async () => {} : acknowledge;
      if (found.kind === 'installed') {
        const { workspace = '', bot } = found;
        if (isForEvent && isOwnEvent(body, bot)) return;
        const client = slackClients.get(workspace, bot);
        foreignFilter.lookUpOwnAppId(client, bot.botId);
        return work.add(router({ body, client, ack, bot: bot.botUser, arrivedAt, sentAt }));
      }
      if (found.kind === 'not-installed' && !parseRequest(body)) logUnknownRequest(log, body);
      const message =
        found.kind === 'not-installed'
          ? { text: renderNotInstalledText(directory.installUrl) }
          : buildNotHandledMessage(UNKNOWN_INSTALLATION, body, found.reference);
      await work.add(respondWithoutToken(body, ack, { message, apiUrl: slack.apiUrl }));
    },
  });
  return { connection, requestListener };
}

/** The events of the bot itself that have a meaning for the app. */
const KEPT_OWN_EVENTS = ['member_joined_channel', 'member_left_channel'];

const ownEvent = z.object({
  event: z.object({
    type: z.string(),
    subtype: z.string().optional().catch(undefined),
    bot_id: z.string().optional().catch(undefined),
    user: z.string().optional().catch(undefined),
  }),
});

/** Whether the bot itself caused the event, as Bolt's `ignoreSelf` decides. */
export function isOwnEvent(body: unknown, { botUser, botId }: BotAccess): boolean {
  const { event } = ownEvent.safeParse(body).data ?? {};
  if (!event) return false;
  if (event.type === 'message' && event.subtype === 'bot_message' && event.bot_id === botId) return true;
  return botUser !== undefined && event.user === botUser && !KEPT_OWN_EVENTS.includes(event.type);
}

/** How long the state of a button is valid. After that its list starts again from the first page. */
const VALID_MS = 7 * DAY_MS;

/** Short names, because a button's value has at most 2,000 characters and sealing takes a third of them. */
const sealed = z.object({ u: z.string(), t: z.number(), v: z.string() });

/** The state of a list in its buttons. It is sealed for one person in one workspace, and valid for a week. */
export function createSealedState(encryption: Encryption) {
  return {
    /** Returns ids of rows unchanged, because the row itself says who may use it. */
    seal(value: string, { workspace, user }: Actor, now: Date): string {
      if (!isButtonState(value)) return value;
      return encryption.encrypt(JSON.stringify({ u: user, t: now.getTime(), v: value }), workspace);
    },
    /** Undefined if it was sealed for somebody else, has expired, or is forged. */
    open(value: string, { workspace, user }: Actor, now: Date): string | undefined {
      if (isButtonState(value)) return undefined;
      if (parseKeyId(value) === undefined) return value;
      try {
        const { data } = sealed.safeParse(JSON.parse(encryption.decrypt(value, workspace)));
        const isExpired = data && now.getTime() - data.t > VALID_MS;
        return data?.u === user && !isExpired ? data.v : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
