import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerAfterHandlers, runInForm } from '../../src/forms/live-form.ts';
import type { ActionCall, SubmissionCall, SubmissionResponse } from '../../src/handlers/call.ts';

/** Stands for the instance. */
const context = { db: {} };
const ERRORS = { errors: { title: 'Bad.' } };

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** Starts a handler of the view's button, which runs until `end` is settled. */
function pressButton(viewId = 'V1') {
  const end = Promise.withResolvers<void>();
  const handling = runInForm({ view: { id: viewId }, context } as unknown as ActionCall, () => end.promise);
  return { ...end, handling };
}

/** Answers a submission that arrived `ageMs` ago. Returns the answers that were sent to Slack. */
function answerSubmission({
  response = ERRORS,
  ageMs = 0,
}: {
  response?: SubmissionResponse;
  ageMs?: number;
} = {}) {
  const sentResponses: SubmissionResponse[] = [];
  const answer = async (sent: SubmissionResponse) => sentResponses.push(sent) > 0;
  const call = { view: { id: 'V1', blockIds: [] }, context, receivedAt: performance.now() - ageMs, answer };
  const answering = answerAfterHandlers(call as unknown as SubmissionCall).answer(response);
  return { sentResponses, answering };
}

test('errors wait until no handler of the view is running, also if the latest ends first', async () => {
  const [first, second] = [pressButton(), pressButton()];
  const { sentResponses, answering } = answerSubmission();
  second.resolve();
  await second.handling;
  await nextTurn();
  expect(sentResponses).toEqual([]);
  first.resolve();
  await answering;
  expect(sentResponses).toEqual([ERRORS]);
});

test('a handler of another view, and a response that opens a confirmation, delay nothing', async () => {
  const otherView = pressButton('V2');
  await answerSubmission().answering;
  const button = pressButton();
  await answerSubmission({
    response: { push: { type: 'modal', title: { type: 'plain_text', text: 'Sure?' }, blocks: [] } },
  }).answering;
  otherView.resolve();
  button.resolve();
});

test('after a handler failed, errors wait no longer', async () => {
  const { reject, handling } = pressButton();
  const { answering } = answerSubmission();
  reject(new Error('the database is down'));
  await expect(handling).rejects.toThrow('the database is down');
  await answering;
});

test.each([
  [0, 2_200],
  [1_900, 300],
])(
  'if a handler hangs, errors that are %i ms old wait %i ms, until Slack would soon accept none',
  async (ageMs, waitMs) => {
    const { resolve } = pressButton();
    const { sentResponses, answering } = answerSubmission({ ageMs });
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(sentResponses).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sentResponses).toEqual([ERRORS]);
    await answering;
    resolve();
  },
);

test('if a handler hangs, the errors of a submission that Slack would soon give up wait no longer', async () => {
  const { resolve } = pressButton();
  const { sentResponses } = answerSubmission({ ageMs: 2_500 });
  await vi.advanceTimersByTimeAsync(0);
  expect(sentResponses).toEqual([ERRORS]);
  resolve();
});
