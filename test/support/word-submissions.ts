import { randomBytes, randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createEncryption } from '../../src/access/access.ts';
import { createApiClient } from '../../src/api/client.ts';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { findAuthors } from '../../src/held-posts/sql/authors.ts';
import type { Message } from '../../src/slack/message.ts';
import type { SubmissionKind, UnknownOutcomeStrategy } from '../../src/submissions/kind.ts';
import { PACE, type Pace } from '../../src/submissions/pace.ts';
import type { SubmissionOptions } from '../../src/submissions/submission-context.ts';
import type { Submissions } from '../../src/submissions/submissions.ts';
import { createRunnableSubmissions } from './post-submissions.ts';
import { createTestClock } from './test-clock.ts';

/** The content of a submission in these tests. */
export interface Word {
  text: string;
  due?: string | undefined;
}

const done: OutcomeDetails<undefined> = { kind: 'done', data: undefined };

/** The outcome of a call. `applied`: whether the service stores the word. Defaults to true if the call is done. */
interface ScriptedCall {
  ending: OutcomeDetails<undefined>;
  applied?: boolean;
}

/** Creates a service that stores words. A test scripts the outcomes of calls to it. */
export function createWordService() {
  const storedTexts: string[] = [];
  const sentTexts: string[] = [];
  const script: ScriptedCall[] = [];
  const listing: { ending?: OutcomeDetails<never> | undefined } = {};
  return {
    storedTexts,
    sentTexts,
    /** Forgets all texts and scripted outcomes. */
    reset: () => {
      for (const list of [storedTexts, sentTexts, script]) list.length = 0;
      listing.ending = undefined;
    },
    /** Scripts the outcomes of the next calls, in order. Later calls succeed. */
    scriptCalls: (...calls: ScriptedCall[]) => void script.push(...calls),
    /** Sets the outcome of listing words from now on. Undefined means success. */
    setListOutcome: (ending: OutcomeDetails<never> | undefined) => {
      listing.ending = ending;
    },
    kind(
      strategy: UnknownOutcomeStrategy<Word>['strategy'] = 'reconcile',
      more: Partial<SubmissionKind<Word>> = {},
    ): SubmissionKind<Word> {
      const strategies: Record<UnknownOutcomeStrategy<Word>['strategy'], UnknownOutcomeStrategy<Word>> = {
        reconcile: {
          strategy: 'reconcile',
          computeEqualityKey: ({ text }) => text,
          countEqual: async (_api, { text }) => {
            const requestId = randomUUID();
            if (listing.ending) return { ...listing.ending, requestId };
            return { kind: 'done', data: storedTexts.filter((word) => word === text).length, requestId };
          },
        },
        ask: { strategy: 'ask' },
        repeat: { strategy: 'repeat', getTarget: ({ text }) => text.charAt(0) },
      };
      return {
        name: 'word',
        feature: 'words',
        content: z.object({ text: z.string(), due: z.string().optional() }),
        getProject: () => ({ id: 'p1', name: 'Harbour Coffee' }),
        getRole: () => 'contributor',
        send: async (_api, { text }) => {
          sentTexts.push(text);
          const { ending, applied } = script.shift() ?? { ending: done };
          if (applied ?? ending.kind === 'done') storedTexts.push(text);
          return { ...ending, requestId: randomUUID() };
        },
        unknownOutcome: strategies[strategy],
        getPublishAt: ({ due }) => (due === undefined ? undefined : new Date(due)),
        copy: {
          renderTitle: ({ text }) => `The word ${text}`,
          renderDone: ({ text }) => `${text} is saved.`,
          getText: ({ text }) => text,
          renderDetails: () => [],
        },
        ...more,
      };
    },
  };
}

/** The waits of the app, shortened to about a hundredth. */
export const QUICK_PACE: Pace = {
  ...PACE,
  acknowledgementTimeoutMs: 3_000,
  saveMs: 5_000,
  afterAcknowledgementMs: 1,
  leaseMs: 2_000,
  maxStartDelayMs: 1_000,
  rereadIntervalMs: 5,
  scanIntervalMs: 50,
  reconcileDelaysMs: [20, 50, 100],
  retryBackoff: { firstMs: 20, maxMs: 200 },
  lockRetryMs: 10,
  probeIntervalMs: 100,
  notificationDelayMs: 150,
  breaker: { failures: 5, firstMs: 50, maxMs: 300 },
};

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);

/**
 * Creates submissions without the other parts of the app. `shownTexts` lists messages and views. `ownerTexts` lists
 * messages to owners.
 */
export function createTestSubmissions(
  db: Kysely<BotSchema>,
  kind: SubmissionKind<Word>,
  options: { pace?: Partial<Pace> } & Partial<Omit<SubmissionOptions, 'pace' | 'engine'>> = {},
) {
  const shownTexts: string[] = [];
  const ownerTexts: string[] = [];
  const logLines: string[] = [];
  const line = (fields: object, message: string) =>
    void logLines.push(`${message} ${JSON.stringify(fields)}`);
  const slack = {
    chat: {
      postMessage: async ({ channel, text }: { channel: string; text: string }) =>
        void shownTexts.push(`${channel}: ${text}`),
    },
    views: {
      update: async ({ view_id, view }: { view_id: string; view: { title: { text: string } } }) =>
        void shownTexts.push(`${view_id}: ${view.title.text}`),
    },
  };
  const submissions = createRunnableSubmissions({
    db,
    encryption,
    kinds: [kind],
    log: { debug: line, info: line, warn: line, error: line },
    clock: createTestClock(() => new Date()),
    findApiClient: async () => client,
    isElsewhere: async () => false,
    findSlackClient: async () => slack as unknown as WebClient,
    checkPermission: async () => 'yes',
    notifyOwners: async (_workspace: string, { text }: Message) => void ownerTexts.push(text),
    ...options,
    pace: { ...QUICK_PACE, ...options.pace },
  });
  return { submissions, context: submissions.context, shownTexts, ownerTexts, logLines };
}

/** Creates a submitted form with one word. */
export const createWordSubmission = (
  text: string,
  more: { origin?: string; author?: string; due?: string; sentAt?: Date } = {},
) => ({
  workspace: 'T1',
  author: more.author ?? 'U1',
  origin: more.origin ?? randomUUID(),
  item: 0,
  ...(more.sentAt && { sentAt: more.sentAt }),
  content: { text, ...(more.due !== undefined && { due: more.due }) },
});

/** Finds the authors of the words with a text, of which there are none if several people have sent it. */
export async function findAuthorsOfText(
  db: Kysely<BotSchema>,
  { computeFingerprints }: Pick<Submissions, 'computeFingerprints'>,
  { workspace, text }: { workspace: string; text: string },
): Promise<string[]> {
  const fingerprints = await computeFingerprints({ workspace, kind: 'word', project: 'p1' }, [text]);
  const { byFingerprint } = await findAuthors(db, { workspace, kind: 'word', serviceIds: [], fingerprints });
  return [...byFingerprint.values()];
}
