import { expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { startBot } from '../support/bot.ts';
import { openFilledForm } from '../support/filled-form.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordService, createWordSubmission, type Word } from '../support/word-submissions.ts';

/** Equal posts are counted while the form is open, so that sending doesn't wait for the count. */

const words = setUpWords();

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });

/**
 * Starts submissions to a service that groups words by their first letter. `countCalls` lists the baseline counts
 * ("early h") and the counts before a submission is sent ("count hello").
 */
function startSubmissions(validMs = 60_000, findApiClient: () => ApiClient = () => client) {
  const service = createWordService();
  const countCalls: string[] = [];
  let isFailing = false;
  let scanCount = 0;
  const plainKind = service.kind();
  const { unknownOutcome } = plainKind;
  if (unknownOutcome.strategy !== 'reconcile') throw new Error('words must be reconciled');
  const kind: SubmissionKind<Word> = {
    ...plainKind,
    unknownOutcome: {
      ...unknownOutcome,
      countEqual: (api, content) => {
        countCalls.push(`count ${content.text}`);
        return unknownOutcome.countEqual(api, content);
      },
      baselineCount: {
        computeTimeKey: ({ text }) => text.charAt(0),
        async readPosts(_api, { text }) {
          countCalls.push(`early ${text.charAt(0)}`);
          if (isFailing) return { kind: 'unknown', cause: 'timed-out', requestId: 'r' };
          const storedNow = [...service.storedTexts];
          const countEqual = (content: Word) => storedNow.filter((text) => text === content.text).length;
          return { kind: 'done', data: { countEqual }, requestId: 'r' };
        },
      },
    },
  };
  const instance = words.createRunning(kind, {
    findApiClient: async () => findApiClient(),
    pace: { baselineCount: { delayMs: 20, validMs } },
  });
  const write = (text: string, id = 'form') =>
    instance.submissions.scheduleBaselineCount({
      id,
      workspace: 'T1',
      kind,
      getContents() {
        scanCount += 1;
        return [{ text }];
      },
    });
  const send = async (text: string, author = 'U1') => {
    const saveResult = await saveAndSend(instance.context, kind, [createWordSubmission(text, { author })]);
    const [row] = typeof saveResult === 'string' ? [] : await saveResult.attemptedRows;
    return row;
  };
  const setFailing = (value: boolean) => {
    isFailing = value;
  };
  return { ...instance, service, countCalls, write, send, setFailing, getScanCount: () => scanCount };
}

test('equal posts are counted once while the author types, and not again when the post is sent', async () => {
  const { countCalls, write, send, service, getScanCount } = startSubmissions();
  service.storedTexts.push('hello', 'hello');
  for (const text of ['h', 'he', 'hello']) write(text);
  await expect.poll(() => countCalls).toEqual(['early h']);
  write('hello');
  await expect.poll(getScanCount).toBe(2);
  const row = await send('hello');
  expect([row?.state, row?.baseline]).toEqual(['confirmed', 2]);
  expect(countCalls).toEqual(['early h']);
});

test('an equal post that was sent after the baseline count is included in the count', async () => {
  const { countCalls, write, send, service } = startSubmissions();
  write('hello');
  await expect.poll(() => countCalls).toEqual(['early h']);
  await send('hello');
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const secondRow = await send('hello', 'U2');
  expect([secondRow?.state, secondRow?.baseline]).toEqual(['unknown', 1]);
  await expect
    .poll(async () =>
      (await words.db.selectFrom('submission').select(['state', 'reason']).execute()).toSorted(),
    )
    .toContainEqual({ state: 'needs-person', reason: 'not-found' });
  expect(service.storedTexts).toEqual(['hello']);
});

test('an expired baseline count is not used', async () => {
  const { countCalls, write, send } = startSubmissions(1);
  write('hello');
  await expect.poll(() => countCalls).toEqual(['early h']);
  await send('hello');
  expect(countCalls).toEqual(['early h', 'count hello']);
});

test('a baseline count of another service or token is not used', async () => {
  const otherTokenApi = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'another' });
  for (const changedApi of [
    { ...client, address: 'http://127.0.0.1:2' },
    { ...client, tokenProjectId: 'p1' },
    otherTokenApi,
  ]) {
    let api: ApiClient = client;
    const { countCalls, write, send } = startSubmissions(60_000, () => api);
    write('hello');
    await expect.poll(() => countCalls).toEqual(['early h']);
    api = changedApi;
    await send('hello');
    expect(countCalls).toEqual(['early h', 'count hello']);
    await words.db.deleteFrom('submission').execute();
  }
});

test('no baseline count is requested from a service that fails or refuses the token', async () => {
  const { countCalls, write, send, setFailing, context, getScanCount } = startSubmissions();
  setFailing(true);
  for (let index = 0; index < 5; index += 1) {
    write(`${index}`, `form ${index}`);
    await expect.poll(() => countCalls.length).toBe(index + 1);
  }
  await expect
    .poll(() => context.getBreaker({ workspace: 'T1', address: client.address }, 'reads').isClosed())
    .toBe(false);
  countCalls.length = 0;
  setFailing(false);
  const earlierScanCount = getScanCount();
  write('hello');
  await expect.poll(getScanCount).toBe(earlierScanCount + 1);
  await expect.poll(async () => (await send('later'))?.state, { timeout: 5_000 }).toBe('confirmed');
  expect(countCalls.filter((call) => call.startsWith('early'))).toEqual([]);
});

test('equal posts are counted while a form is filled in, and not again when it is submitted', async () => {
  const bot = await startBot({ db: words.db, pace: { baselineCount: { delayMs: 20, validMs: 60_000 } } });
  words.stopAfterTest(() => bot.close());
  const countLists = () =>
    bot.service.calls.filter(({ query }) => query.has('schedule_date_from') && query.has('skip')).length;
  const { ana, form } = await openFilledForm(bot);
  await expect.poll(countLists).toBe(1);
  await form.fill('Text', 'We open at ten');
  await form.submit();
  await ana.sees('Scheduled for');
  expect(countLists()).toBe(1);
});
