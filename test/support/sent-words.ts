import { randomBytes, randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createEncryption } from '../../src/access/access.ts';
import { createApiClient } from '../../src/api/client.ts';
import type { Ending } from '../../src/api/outcome.ts';
import type { Message } from '../../src/slack/message.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import type { SubmissionKind, WhenUnknown } from '../../src/submissions/kind.ts';
import type { MachineOptions } from '../../src/submissions/machine.ts';
import { PACE, type Pace } from '../../src/submissions/pace.ts';
import { createSubmissions } from '../../src/submissions/submissions.ts';

/** What these tests submit. */
export interface Word {
  text: string;
  due?: string | undefined;
}

const done: Ending<unknown> = { kind: 'done', data: null };

/** How one call ends, and whether the service has it all the same; late: only once the test says so. */
interface Fate {
  ending: Ending<unknown>;
  applied?: boolean;
}

/** A service that keeps words, and does with each call what the test has laid out. */
export function wordService() {
  const kept: string[] = [];
  const sent: string[] = [];
  const fates: Fate[] = [];
  const listing: { ending?: Ending<never> | undefined } = {};
  return {
    kept,
    sent,
    /** What happens to the next calls, in order; then all is well. */
    next: (...next: Fate[]) => void fates.push(...next),
    /** From now on the list answers with this; undefined: it lists. */
    list: (ending: Ending<never> | undefined) => {
      listing.ending = ending;
    },
    kind(
      way: 'reconcile' | 'ask' | 'repeat' = 'reconcile',
      more: Partial<SubmissionKind<Word>> = {},
    ): SubmissionKind<Word> {
      const ways: Record<'reconcile' | 'ask' | 'repeat', WhenUnknown<Word>> = {
        reconcile: {
          way: 'reconcile',
          computeFingerprint: ({ text }) => text,
          count: async (_api, { text }) => {
            const requestId = randomUUID();
            if (listing.ending) return { ...listing.ending, requestId };
            return { kind: 'done', data: kept.filter((word) => word === text).length, requestId };
          },
        },
        ask: { way: 'ask' },
        repeat: { way: 'repeat', getTarget: ({ text }) => text.charAt(0) },
      };
      return {
        name: 'word',
        feature: 'words',
        content: z.object({ text: z.string(), due: z.string().optional() }),
        getProject: () => ({ id: 'p1', name: 'Harbour Coffee' }),
        getRole: () => 'contributor',
        send: async (_api, { text }) => {
          sent.push(text);
          const { ending, applied } = fates.shift() ?? { ending: done };
          if (applied ?? ending.kind === 'done') kept.push(text);
          return { ...ending, requestId: randomUUID() };
        },
        whenUnknown: ways[way],
        getPublishAt: ({ due }) => (due === undefined ? undefined : new Date(due)),
        removePublishAt: ({ text }) => ({ text }),
        copy: {
          renderTitle: ({ text }) => `The word ${text}`,
          renderDone: ({ text }) => `${text} is kept.`,
          getText: ({ text }) => text,
          renderDetails: () => [],
        },
        ...more,
      };
    },
  };
}

/** A hundredth of what people wait. */
export const QUICK: Pace = {
  ...PACE,
  answerMs: 3_000,
  saveMs: 5_000,
  afterAcknowledgementMs: 1,
  leaseMs: 2_000,
  beginMs: 1_000,
  followMs: 5,
  scanMs: 50,
  checkWaitsMs: [20, 50, 100],
  retryMs: { firstMs: 20, maxMs: 200 },
  lockMs: 10,
  probeMs: 100,
  notifyMs: 150,
  breaker: { failures: 5, firstMs: 50, maxMs: 300 },
};

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);

/** The machine alone; what it says to people is written down. */
export function testMachine(
  db: Kysely<BotSchema>,
  kind: SubmissionKind<Word>,
  options: { pace?: Partial<Pace> } & Partial<Omit<MachineOptions, 'pace'>> = {},
) {
  const said: string[] = [];
  const owners: string[] = [];
  const logged: string[] = [];
  const line = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const slack = {
    chat: {
      postMessage: async ({ channel, text }: { channel: string; text: string }) =>
        void said.push(`${channel}: ${text}`),
    },
    views: {
      update: async ({ view_id, view }: { view_id: string; view: { title: { text: string } } }) =>
        void said.push(`${view_id}: ${view.title.text}`),
    },
  };
  const submissions = createSubmissions({
    db,
    encryption,
    kinds: [kind],
    isEmulated: false,
    log: { debug: line, info: line, warn: line, error: line },
    now: () => new Date(),
    // A breaker of its own.
    apiFor: async () => ({ ...client, address: randomAddress }),
    slackFor: async () => slack as unknown as WebClient,
    checkPermission: async () => 'yes',
    notifyOwners: async (_workspace: string, { text }: Message) => void owners.push(text),
    ...options,
    pace: { ...QUICK, ...options.pace },
  });
  const randomAddress = `http://${randomUUID()}`;
  return { submissions, machine: submissions.machine, said, owners, logged };
}

/** A form that somebody sends. */
export const sentBy = (text: string, more: { origin?: string; author?: string; due?: string } = {}) => ({
  workspace: 'T1',
  author: more.author ?? 'U1',
  origin: more.origin ?? randomUUID(),
  item: 0,
  content: { text, ...(more.due !== undefined && { due: more.due }) },
});
