import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@slack/bolt';
import {
  AnsweringApp,
  answerWithoutToken,
  clientOptionsFor,
  createForeignAppFilter,
  type createRouter,
  createTransport,
  notHandledText,
  SIGNATURE_LIFETIME_MS,
  type StoredArrivals,
  type WorkTracker,
} from '../slack/bolt/bolt.ts';
import {
  authorizeBy,
  type Departures,
  lookupReferenceIn,
  notInstalledText,
  type Presence,
} from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import { keptRequests, seenRequests } from './seen-requests.ts';

/** Bolt, with everything that Slack sends given to `router`, and strangers answered before it. */
export function createSlackApp(
  options: BotOptions,
  at: {
    logger: Logger;
    presence: Presence;
    departures: Departures;
    router: ReturnType<typeof createRouter>;
    /** Told of the work that requests start. */
    work: WorkTracker;
  },
) {
  const { slack, log, db } = options;
  const { logger, presence, departures, router, work } = at;
  const clientOptions = clientOptionsFor(slack.apiUrl, logger);
  const foreign = createForeignAppFilter(log);
  // Slack signs by the computer's own time, whatever the practice workspace's clock says.
  const keeping = { keepMs: SIGNATURE_LIFETIME_MS, now: Date.now };
  const arrived = options.isAlone
    ? { kept: whileRunning(keptRequests(db, keeping), work) }
    : { share: seenRequests(db, keeping) };
  const { receiver, connection, requestListener } = createTransport(
    { ...options, ...arrived },
    logger,
    clientOptions,
  );
  const app = new AnsweringApp(
    { receiver, logger, clientOptions, convoStore: false, authorize: authorizeBy(presence, log) },
    {
      log,
      apiUrl: slack.apiUrl,
      async before(body) {
        if (!foreign.isForeign(body)) await departures.note(body);
      },
    },
  );
  app.use(async ({ body, client, context, ...rest }) => {
    const given: unknown = 'ack' in rest ? rest.ack : undefined;
    // Events have none: Bolt has acknowledged them.
    const ack = isAck(given) ? given : async () => {};
    if (await foreign.answered(body, ack)) return;
    if (departures.isOne(body)) return;
    const bot = context.botUserId;
    const isHere = context.botToken !== undefined;
    if (isHere) foreign.learnFrom(client, context.botId);
    const failedLookup = lookupReferenceIn(context);
    const withoutToken = () => {
      const text =
        failedLookup === undefined
          ? notInstalledText(presence.installUrl)
          : notHandledText('I couldn’t check whether I’m installed in this workspace', body, failedLookup);
      return answerWithoutToken(body, ack, { text, apiUrl: slack.apiUrl });
    };
    await work.add(isHere ? router({ body, client, ack, bot }) : withoutToken());
  });
  return { connection, requestListener };
}

/** What comes within so long is kept together: with a crash that much is not kept, ms. */
const GATHERED_MS = 100;

/** Who stops waits for what is being kept. */
function whileRunning({ before, add }: StoredArrivals, work: WorkTracker): StoredArrivals {
  const later = async (signatures: readonly string[]) => {
    await delay(GATHERED_MS);
    await add(signatures);
  };
  return { before, add: (signatures) => work.add(later(signatures)) };
}

/** Bolt's `ack`, whose parameter differs with the kind of request. */
function isAck(value: unknown): value is (payload?: unknown) => Promise<void> {
  return typeof value === 'function';
}
