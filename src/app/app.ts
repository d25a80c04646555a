import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import { claimOnce } from '../delivery/done-once.ts';
import type { Digests } from '../digests/digests.ts';
import { help } from '../features/help/help.ts';
import { offers } from '../features/help/offers.ts';
import { refreshHome } from '../features/home/refresh-home.ts';
import { upNext } from '../features/up-next/up-next.ts';
import { boltLog, createRouter, createWorkTracker } from '../slack/bolt/bolt.ts';
import { createRateLimits } from '../slack/rate-limits.ts';
import { RATES } from '../slack/rates.ts';
import { ConnectionLost } from '../store/connection-lost.ts';
import { withPages } from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import type { AppContext } from './context.ts';
import { createContext } from './create-context.ts';
import { features } from './features.ts';
import { createSealedState } from './sealed-state.ts';
import { createSlackApp } from './slack-app.ts';

export interface Bot {
  /** Rejects with SlackRefused where a token is bad, with Slack's client's own error where Slack is not reached. */
  start(): Promise<void>;
  /** Takes nothing new, and waits for what is under way, 8 s at most. */
  stop(): Promise<void>;
  isReady(): Promise<boolean>;
  /** What brings on its way what people submit. */
  submissions: AppContext['submissions'];
  /** What posts by itself. */
  digests: Digests;
  /** HTTP mode: `POST /slack/events`, and with many workspaces the pages for installing it. */
  requestListener?: RequestListener;
  /** Where it is installed, with many workspaces. */
  installUrl?: string | undefined;
}

/** Stopping takes no longer for what is only shown, ms. */
const SHOWN_MS = 1_000;

/** Audit entries in one line of the log. */
const LINE_ENTRIES = 100;

/** Slack sends an event again for six minutes, and later when it was out of order itself. */
const EVENT_AGAIN_MS = 60 * 60 * 1000;

export function createBot(options: BotOptions): Bot {
  const { slack, log, db, now = () => new Date() } = options;
  const logger = boltLog(log);
  const work = createWorkTracker();
  const { context, ownContextFor, presence, departures, retention, permission } = createContext(options, {
    logger,
    work,
  });
  const { submissions, digests, services, record } = context;
  const router = createRouter({
    context,
    contextFor: ownContextFor,
    features,
    catalogue: features,
    first: upNext.name,
    log,
    now,
    state: createSealedState(context.encryption),
    apiUrl: slack.apiUrl,
    permit: permission.permit,
    limits: createRateLimits({
      rates: options.rates ?? RATES,
      hasTenants: slack.kind === 'oauth',
      clock: () => performance.now(),
      onRefused: options.onRateLimited,
      onReached: (reached) => log.warn(reached, 'rate limit reached'),
    }),
    forAll: { feature: help.name, command: 'help' },
    offers,
    mayBeDone: (error) => error instanceof ConnectionLost,
    afterwards: (call) => refreshHome(call, (look) => permission.narrowed(look, 'viewer')),
    isFirst: ({ who }, name) =>
      claimOnce(db, { workspace: who.workspace, name, now: now(), keepMs: EVENT_AGAIN_MS }),
  });
  const { connection, requestListener } = createSlackApp(options, {
    ...{ logger, presence, departures, router, work },
  });
  return {
    async start() {
      await presence.start();
      departures.start();
      retention?.start();
      // Before the first lease is taken. Where the database is out of order just now, the worker's scans do it.
      await submissions
        .compareClocks()
        .catch((error: unknown) => log.warn({ err: error }, 'could not compare clocks with the database'));
      await connection?.start();
      submissions.start();
      digests.start();
      for (const { name, warmUp } of features) {
        warmUp?.().catch((error: unknown) => log.warn({ feature: name, err: error }, 'warm-up failed'));
      }
    },
    async stop() {
      await connection?.stop();
      await Promise.all([
        work.waitForAll(),
        ...[submissions, digests, departures, ...(retention ? [retention] : [])].map((one) =>
          work.waitFor(one.stop()),
        ),
      ]);
      // What has ended meanwhile is still being shown.
      await work.waitForAll(SHOWN_MS);
      await work.waitFor(record.settled());
      const unwritten = record.stop();
      for (let first = 0; first < unwritten.length; first += LINE_ENTRIES) {
        const entries = unwritten.slice(first, first + LINE_ENTRIES);
        log.error({ entries }, 'audit entries not written at shutdown');
      }
      await services.close();
      presence.stop();
    },
    async isReady() {
      if (!presence.isReady()) return false;
      await db.selectNoFrom((one) => one.val(1).as('one')).execute();
      return true;
    },
    submissions,
    digests,
    installUrl: presence.installUrl,
    ...(requestListener && { requestListener: withPages(presence, requestListener) }),
  };
}
