import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Digests } from '../digests/digests.ts';
import { createClock } from '../engine/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { claimOnce } from '../engine/once-claim.ts';
import { fallbackReplies } from '../features/help/fallback-replies.ts';
import { help } from '../features/help/help.ts';
import { refreshHome } from '../features/home/refresh-home.ts';
import { upNext } from '../features/up-next/up-next.ts';
import type { HeldPosts } from '../held-posts/held-posts.ts';
import { createBoltLogger, createRouter, createWorkTracker } from '../slack/bolt/bolt.ts';
import { createRateLimits, RATES } from '../slack/rate-limits.ts';
import { checkWritable } from '../store/database.ts';
import { ConnectionLost } from '../store/database-unavailable.ts';
import { withInstallPages } from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import type { AppContext } from './context.ts';
import { createContext } from './create-context.ts';
import { features } from './features.ts';
import { createSealedState, createSlackApp } from './slack-app.ts';

export interface Bot {
  /** Rejects with SlackRefused if Slack refuses a token, or with the Slack client's error if Slack can't be reached. */
  start(): Promise<void>;
  /** Stops accepting requests, and waits up to 8 s for running work. */
  stop(): Promise<void>;
  /** Also rejects if the database can't be reached, or refuses writes. */
  isReady(): Promise<boolean>;
  submissions: AppContext['submissions'];
  digests: Digests;
  engine: Engine;
  heldPosts: HeldPosts;
  /** HTTP mode: serves `POST /slack/events` and, with many workspaces, the install pages. */
  requestListener?: RequestListener;
  /** The install page, with many workspaces. */
  installUrl?: string | undefined;
}

/** How long `stop` waits for updates of messages and views. */
const DISPLAY_TIMEOUT_MS = 1_000;

/** Maximum audit entries in one line of the log. */
const MAX_ENTRIES_PER_LINE = 100;

/** How long the ids of events are stored. Slack resends an event for six minutes, and for longer after an outage. */
const EVENT_RETENTION_MS = 60 * 60 * 1000;

export function createBot(options: BotOptions): Bot {
  const { slack, log, db, clock = createClock(options) } = options;
  const { now } = clock;
  const logger = createBoltLogger(log);
  const work = createWorkTracker();
  const { context, closeReads, loadWorkspaceContext, ...parts } = createContext(
    { ...options, clock },
    { logger, work },
  );
  const { directory, slackClients, uninstallations, retention, permission } = parts;
  const { submissions, digests, engine, heldPosts, services, record } = context;
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
    mayHaveSucceeded: (error) => error instanceof ConnectionLost,
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
      for (const { name, warmUp } of features) {
        warmUp?.().catch((error: unknown) => log.warn({ feature: name, err: error }, 'warm-up failed'));
      }
    },
    async stop() {
      await connection?.stop();
      await Promise.all([
        work.waitForAll(),
        ...[engine, uninstallations, retention].map((component) => work.waitFor(component.stop())),
      ]);
      submissions.stop();
      // The work that has ended may still update messages and views.
      await work.waitForAll(DISPLAY_TIMEOUT_MS);
      await work.waitFor(record.flush());
      const unwritten = record.stop();
      for (let start = 0; start < unwritten.length; start += MAX_ENTRIES_PER_LINE) {
        const entries = unwritten.slice(start, start + MAX_ENTRIES_PER_LINE);
        log.error({ entries }, 'audit entries not written at shutdown');
      }
      closeReads();
      await services.close();
      directory.stop();
    },
    async isReady() {
      if (!directory.isReady()) return false;
      await checkWritable(db);
      return true;
    },
    submissions,
    digests,
    engine,
    heldPosts,
    installUrl: directory.installUrl,
    ...(requestListener && { requestListener: withInstallPages(directory, requestListener) }),
  };
}
