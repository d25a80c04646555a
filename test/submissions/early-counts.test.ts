import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase, startBot } from '../support/bot.ts';
import { filledForm } from '../support/filled-form.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

/** Equal posts are counted while the form is open, so that sending doesn't wait for the count. */

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
  await database.db.deleteFrom('service_pause').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });

/** A service that groups words by their first letter. `counted` records early counts and counts for single words. */
function startMachine(validMs = 60_000, apiFor: () => ApiClient = () => client) {
  const service = wordService();
  const counted: string[] = [];
  let isFailing = false;
  let scanCount = 0;
  const plainKind = service.kind();
  const { whenUnknown } = plainKind;
  if (whenUnknown.way !== 'reconcile') throw new Error('words must be reconciled');
  const kind: SubmissionKind<Word> = {
    ...plainKind,
    whenUnknown: {
      ...whenUnknown,
      count: (api, content) => {
        counted.push(`count ${content.text}`);
        return whenUnknown.count(api, content);
      },
      earlyCount: {
        computePlaceKey: ({ text }) => text.charAt(0),
        async readRecords(_api, { text }) {
          counted.push(`early ${text.charAt(0)}`);
          if (isFailing) return { kind: 'unknown', cause: 'timed-out', requestId: 'r' };
          const storedNow = [...service.stored];
          const countEqual = (content: Word) => storedNow.filter((one) => one === content.text).length;
          return { kind: 'done', data: { countEqual }, requestId: 'r' };
        },
      },
    },
  };
  const created = createTestMachine(database.db, kind, {
    apiFor: async () => apiFor(),
    pace: { earlyCount: { delayMs: 20, validMs } },
  });
  created.submissions.start();
  stops.push(() => created.submissions.stop());
  const write = (text: string, id = 'form') =>
    created.submissions.scheduleEarlyCount({
      id,
      workspace: 'T1',
      kind,
      getContents() {
        scanCount += 1;
        return [{ text }];
      },
    });
  const send = async (text: string, author = 'U1') => {
    const saveResult = await saveAndSend(created.machine, kind, [wordSubmission(text, { author })]);
    const [row] = typeof saveResult === 'string' ? [] : await saveResult.finalRows;
    return row;
  };
  const setFailing = (now: boolean) => {
    isFailing = now;
  };
  return { ...created, service, counted, write, send, setFailing, scanCount: () => scanCount };
}

test('typing more text for the same project and date causes one count, and sending the post causes none', async () => {
  const { counted, write, send, service, scanCount } = startMachine();
  service.stored.push('hello', 'hello');
  for (const text of ['h', 'he', 'hello']) write(text);
  await expect.poll(() => counted).toEqual(['early h']);
  write('hello');
  await expect.poll(scanCount).toBe(2);
  const row = await send('hello');
  expect([row?.state, row?.baseline]).toEqual(['confirmed', 2]);
  expect(counted).toEqual(['early h']);
});

test('a post that was sent after the early count is included in the count', async () => {
  const { counted, write, send, service } = startMachine();
  write('hello');
  await expect.poll(() => counted).toEqual(['early h']);
  await send('hello');
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const second = await send('hello', 'U2');
  expect([second?.state, second?.baseline]).toEqual(['unknown', 1]);
  await expect
    .poll(async () =>
      (await database.db.selectFrom('submission').select(['state', 'reason']).execute()).toSorted(),
    )
    .toContainEqual({ state: 'needs-person', reason: 'not-found' });
  expect(service.stored).toEqual(['hello']);
});

test('an expired count is not used', async () => {
  const { counted, write, send } = startMachine(1);
  write('hello');
  await expect.poll(() => counted).toEqual(['early h']);
  await send('hello');
  expect(counted).toEqual(['early h', 'count hello']);
});

test('a count of another service or token is not used', async () => {
  const other = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'another' });
  for (const next of [
    { ...client, address: 'http://127.0.0.1:2' },
    { ...client, tokenProjectId: 'p1' },
    other,
  ]) {
    let api: ApiClient = client;
    const { counted, write, send } = startMachine(60_000, () => api);
    write('hello');
    await expect.poll(() => counted).toEqual(['early h']);
    api = next;
    await send('hello');
    expect(counted).toEqual(['early h', 'count hello']);
    await database.db.deleteFrom('submission').execute();
  }
});

test('no early count is requested from a service that fails or refuses the token', async () => {
  const { counted, write, send, setFailing, machine, scanCount } = startMachine();
  setFailing(true);
  for (let time = 0; time < 5; time += 1) {
    write(`${time}`, `form ${time}`);
    await expect.poll(() => counted.length).toBe(time + 1);
  }
  await expect
    .poll(() => machine.getBreaker({ workspace: 'T1', address: client.address }, 'reads').isClosed())
    .toBe(false);
  counted.length = 0;
  setFailing(false);
  const before = scanCount();
  write('hello');
  await expect.poll(scanCount).toBe(before + 1);
  await expect.poll(async () => (await send('later'))?.state, { timeout: 5_000 }).toBe('confirmed');
  expect(counted.filter((one) => one.startsWith('early'))).toEqual([]);
});

test('filling in a form causes a count before it is submitted, and submitting it causes none', async () => {
  const bot = await startBot({ db: database.db, pace: { earlyCount: { delayMs: 20, validMs: 60_000 } } });
  stops.push(() => bot.close());
  const countLists = () => bot.service.calls.filter(({ query }) => query.has('schedule_date_from')).length;
  const { ana, form } = await filledForm(bot);
  await expect.poll(countLists).toBe(1);
  await form.fill('Text', 'We open at ten');
  await form.submit();
  await ana.modal('Scheduled');
  expect(countLists()).toBe(1);
});
