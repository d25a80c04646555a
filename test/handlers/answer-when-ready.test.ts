import { WebAPIPlatformError } from '@slack/web-api';
import { expect, test } from 'vitest';
import {
  answerFormWhenReady,
  createTimeLimit,
  type FormResult,
} from '../../src/handlers/answer-when-ready.ts';
import type { SubmissionCall } from '../../src/handlers/call.ts';
import type { Message } from '../../src/slack/message.ts';
import { buildModal } from '../../src/slack/message-view.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { readOwnTime } from '../support/busyness.ts';

const INTERIM_VIEW = buildModal('Loading…', []);

test('a form whose handler has used up its time is answered at once', async () => {
  const context = { pace: PACE } as SubmissionCall['context'];
  const limit = createTimeLimit({ context, receivedAt: performance.now() - PACE.acknowledgementTimeoutMs });
  const call = { context, view: { id: 'V1' }, ...limit } as unknown as SubmissionCall;
  const startedAt = readOwnTime();
  const answer = await answerFormWhenReady(call, new Promise<never>(() => {}), INTERIM_VIEW);
  expect(answer).toMatchObject({ view: INTERIM_VIEW });
  expect(readOwnTime() - startedAt).toBeLessThan(PACE.acknowledgementTimeoutMs);
});

const CHANGE = { command: '/upnext connect', errorTitle: 'Not connected' };

/** Finishes a form whose work takes too long, and returns what the audit log, the log and the person get. */
async function finishLate(
  work: Promise<FormResult>,
  {
    isClosed = false,
    showError,
    isChange = true,
  }: { isClosed?: boolean; showError?: Error; isChange?: boolean } = {},
) {
  const outcomes: string[] = [];
  const logged: unknown[] = [];
  const replies: Message[] = [];
  const views: unknown[] = [];
  const call = {
    context: { pace: { ...PACE, afterAcknowledgementMs: 0 } },
    ...{
      view: { id: 'V1' },
      reference: 'r',
      log: { error: ({ err }: { err: unknown }) => logged.push(err) },
    },
    inTime: async (pending: Promise<FormResult>) => void pending.catch(() => undefined),
    async answer(response: unknown) {
      views.push(response);
      if (showError) throw showError;
      if (isClosed) throw new WebAPIPlatformError({ ok: false, error: 'not_found' });
      return true;
    },
    recordOutcome: (outcome: string) => outcomes.push(outcome),
    reply: async (message: Message) => void replies.push(message),
  } as unknown as SubmissionCall;
  const answer = await answerFormWhenReady(call, work, INTERIM_VIEW, isChange ? CHANGE : undefined);
  if (!('finish' in answer)) throw new Error('the answer has no end');
  const end = await answer.finish?.().catch((error: unknown) => error);
  return { outcomes, logged, replies, end, shown: JSON.stringify(views) };
}

const lost = new Error('lost');
const fail = () => Promise.reject(lost);

test.each([
  ['errors', async () => ({ errors: { token: 'Wrong' } }), ['unchanged']],
  ['a failure', fail, ['unknown']],
  ['a result', async () => ({ view: INTERIM_VIEW }), []],
] as const)(
  'the audit log doesn’t say that %s after the answer is a change that was made',
  async (_, work, expected) => {
    expect((await finishLate(work())).outcomes).toEqual(expected);
  },
);

test('a failure after the answer is logged, although it can’t be shown', async () => {
  const showError = new Error('no connection');
  const { logged, end } = await finishLate(fail(), { showError });
  expect([logged, end]).toEqual([[lost], showError]);
});

test('whoever has closed the form reads the whole result, with its title', async () => {
  const text = 'long '.repeat(50);
  const { replies } = await finishLate(Promise.resolve({ errors: { token: text } }), { isClosed: true });
  expect(JSON.stringify(replies[0]?.blocks)).toContain('*Not connected*');
  expect(JSON.stringify(replies[0]?.blocks)).toContain(text);
  const failed = await finishLate(fail(), { isClosed: true });
  expect(failed.replies[0]?.text).toContain('Check /upnext connect before you repeat it.');
});

test('whoever only reads is asked to try again, and needs no check of what was done', async () => {
  const { shown } = await finishLate(fail(), { isChange: false });
  expect(shown).toContain('Something went wrong. Try again.');
  expect(shown).toContain('Not loaded');
  expect(shown).not.toContain('/upnext');
});
