import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@slack/bolt';
import { z } from 'zod';
import { type Encryption, parseKeyId } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import {
  buildNotHandledMessage,
  createClientOptions,
  createForeignAppFilter,
  type createRouter,
  createTransport,
  RespondingApp,
  respondWithoutToken,
  SIGNATURE_LIFETIME_MS,
  type StoredArrivals,
  type WorkTracker,
} from '../slack/bolt/bolt.ts';
import { isButtonState } from '../slack/interaction-values.ts';
import {
  createAuthorize,
  getLookupErrorReference,
  renderNotInstalledText,
  type Uninstallations,
  type WorkspaceDirectory,
} from '../workspaces/workspaces.ts';
import type { BotOptions } from './bot-options.ts';
import { createSeenRequests, createStoredRequests } from './seen-requests.ts';

const UNKNOWN_INSTALLATION = 'I couldn’t check whether I’m installed in this workspace';

/** Creates the Bolt app, which passes requests to `router` and responds to workspaces that don't have the app. */
export function createSlackApp(
  options: BotOptions,
  dependencies: {
    logger: Logger;
    directory: WorkspaceDirectory;
    uninstallations: Uninstallations;
    router: ReturnType<typeof createRouter>;
    /** Tracks the work that requests cause. */
    work: WorkTracker;
  },
) {
  const { slack, log, db } = options;
  const { logger, directory, uninstallations, router, work } = dependencies;
  const clientOptions = createClientOptions(slack.apiUrl, logger);
  const foreignFilter = createForeignAppFilter(log);
  // Slack's signatures contain the real time, even in the Slack emulator, which can change its clock.
  const signatureOptions = { retentionMs: SIGNATURE_LIFETIME_MS, now: Date.now };
  const arrivalStore = options.isAlone
    ? { storedArrivals: storeInBatches(createStoredRequests(db, signatureOptions), work) }
    : { share: createSeenRequests(db, signatureOptions) };
  const { receiver, connection, requestListener } = createTransport(
    { ...options, ...arrivalStore },
    logger,
    clientOptions,
  );
  const app = new RespondingApp(
    { receiver, logger, clientOptions, convoStore: false, authorize: createAuthorize(directory, log) },
    {
      log,
      apiUrl: slack.apiUrl,
      async beforeProcessing(body) {
        if (!foreignFilter.isForeign(body)) await uninstallations.save(body);
      },
    },
  );
  app.use(async ({ body, client, context, ...rest }) => {
    const callback: unknown = 'ack' in rest ? rest.ack : undefined;
    // Events have no `ack`, because Bolt has already acknowledged them.
    const ack = isAck(callback) ? callback : async () => {};
    if (await foreignFilter.acknowledgeForeignRequest(body, ack)) return;
    if (uninstallations.isUninstallation(body)) return;
    const bot = context.botUserId;
    const isInstalled = context.botToken !== undefined;
    if (isInstalled) foreignFilter.lookUpOwnAppId(client, context.botId);
    const failedLookup = getLookupErrorReference(context);
    const answerNotInstalled = () => {
      const message =
        failedLookup === undefined
          ? { text: renderNotInstalledText(directory.installUrl) }
          : buildNotHandledMessage(UNKNOWN_INSTALLATION, body, failedLookup);
      return respondWithoutToken(body, ack, { message, apiUrl: slack.apiUrl });
    };
    await work.add(isInstalled ? router({ body, client, ack, bot }) : answerNotInstalled());
  });
  return { connection, requestListener };
}

/** The interval in which signatures are stored in one batch. A crash loses at most one batch. */
const BATCH_MS = 100;

/** Stores signatures in batches. `work` tracks the batches, so that `stop` waits for them. */
function storeInBatches({ load, add }: StoredArrivals, work: WorkTracker): StoredArrivals {
  const addAfterDelay = async (signatures: readonly string[]) => {
    await delay(BATCH_MS);
    await add(signatures);
  };
  return { load, add: (signatures) => work.add(addAfterDelay(signatures)) };
}

/** Whether a value is Bolt's `ack`, whose parameter depends on the kind of request. */
function isAck(value: unknown): value is (payload?: unknown) => Promise<void> {
  return typeof value === 'function';
}

/** How long the state of a button is valid. After that its list starts again from the first page. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** Short names, because a button's value has at most 2,000 characters and sealing takes a third of them. */
const sealed = z.object({ u: z.string(), t: z.number(), v: z.string() });

/** The state of a list in its buttons. It is sealed for one person in one workspace, and valid for a week. */
interface SealedState {
  /** Returns ids of rows unchanged, because the row itself says who may use it. */
  seal(value: string, actor: Actor, now: Date): string;
  /** Undefined if it was sealed for somebody else, has expired, or is forged. */
  open(value: string, actor: Actor, now: Date): string | undefined;
}

export function createSealedState(encryption: Encryption): SealedState {
  return {
    seal(value, { workspace, user }, now) {
      if (!isButtonState(value)) return value;
      return encryption.encrypt(JSON.stringify({ u: user, t: now.getTime(), v: value }), workspace);
    },
    open(value, { workspace, user }, now) {
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
