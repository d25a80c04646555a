import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase, startBot } from '../support/bot.ts';
import { filledForm } from '../support/filled-form.ts';
import { sentBy, testMachine, type Word, wordService } from '../support/sent-words.ts';

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

/** A service that groups words by their first letter. `asked` records how each was counted. */
function running(freshMs = 60_000, apiFor: () => ApiClient = () => client) {
  const service = wordService();
  const asked: string[] = [];
  let fails = false;
  let looks = 0;
  const plain = service.kind();
  const { whenUnknown } = plain;
  if (whenUnknown.way !== 'reconcile') throw new Error('words are looked for');
  const kind: SubmissionKind<Word> = {
    ...plain,
    whenUnknown: {
      ...whenUnknown,
      count: (api, content) => {
        asked.push(`count ${content.text}`);
        return whenUnknown.count(api, content);
      },
      early: {
        place: ({ text }) => text.charAt(0),
        async look(_api, { text }) {
          asked.push(`early ${text.charAt(0)}`);
          if (fails) return { kind: 'unknown', cause: 'timed-out', requestId: 'r' };
          const there = [...service.kept];
          const equalTo = (content: Word) => there.filter((one) => one === content.text).length;
          return { kind: 'done', data: { equalTo }, requestId: 'r' };
        },
      },
    },
  };
  const made = testMachine(database.db, kind, {
    apiFor: async () => apiFor(),
    pace: { early: { afterMs: 20, freshMs } },
  });
  made.submissions.start();
  stops.push(() => made.submissions.stop());
  const write = (text: string, id = 'form') =>
    made.submissions.countEarly({
      id,
      workspace: 'T1',
      kind,
      contents() {
        looks += 1;
        return [{ text }];
      },
    });
  const send = async (text: string, author = 'U1') => {
    const on = await saveAndSend(made.machine, kind, [sentBy(text, { author })]);
    const [row] = typeof on === 'string' ? [] : await on.ended;
    return row;
  };
  const failing = (now: boolean) => {
    fails = now;
  };
  return { ...made, service, asked, write, send, failing, looks: () => looks };
}

test('typing more for the same place causes one count, and sending causes none', async () => {
  const { asked, write, send, service, looks } = running();
  service.kept.push('hello', 'hello');
  for (const text of ['h', 'he', 'hello']) write(text);
  await expect.poll(() => asked).toEqual(['early h']);
  write('hello');
  await expect.poll(looks).toBe(2);
  const row = await send('hello');
  expect([row?.state, row?.baseline]).toEqual(['confirmed', 2]);
  expect(asked).toEqual(['early h']);
});

test('a post that was sent after the early count is counted', async () => {
  const { asked, write, send, service } = running();
  write('hello');
  await expect.poll(() => asked).toEqual(['early h']);
  await send('hello');
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const second = await send('hello', 'U2');
  expect([second?.state, second?.baseline]).toEqual(['unknown', 1]);
  await expect
    .poll(async () =>
      (await database.db.selectFrom('submission').select(['state', 'reason']).execute()).toSorted(),
    )
    .toContainEqual({ state: 'needs-person', reason: 'absent' });
  expect(service.kept).toEqual(['hello']);
});

test('an expired count is not used', async () => {
  const { asked, write, send } = running(1);
  write('hello');
  await expect.poll(() => asked).toEqual(['early h']);
  await send('hello');
  expect(asked).toEqual(['early h', 'count hello']);
});

test('a count of another service or token is not used', async () => {
  const other = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'another' });
  for (const next of [
    { ...client, address: 'http://127.0.0.1:2' },
    { ...client, tokenProjectId: 'p1' },
    other,
  ]) {
    let api: ApiClient = client;
    const { asked, write, send } = running(60_000, () => api);
    write('hello');
    await expect.poll(() => asked).toEqual(['early h']);
    api = next;
    await send('hello');
    expect(asked).toEqual(['early h', 'count hello']);
    await database.db.deleteFrom('submission').execute();
  }
});

test('a service that fails or refuses the token is not counted early', async () => {
  const { asked, write, send, failing, machine, looks } = running();
  failing(true);
  for (let time = 0; time < 5; time += 1) {
    write(`${time}`, `form ${time}`);
    await expect.poll(() => asked.length).toBe(time + 1);
  }
  await expect
    .poll(() => machine.breakerOf({ workspace: 'T1', address: client.address }, 'reads').isClosed())
    .toBe(false);
  asked.length = 0;
  failing(false);
  const before = looks();
  write('hello');
  await expect.poll(looks).toBe(before + 1);
  await expect.poll(async () => (await send('later'))?.state, { timeout: 5_000 }).toBe('confirmed');
  expect(asked.filter((one) => one.startsWith('early'))).toEqual([]);
});

test('filling a form causes a count before it is submitted, and none when it is', async () => {
  const bot = await startBot({ db: database.db, pace: { early: { afterMs: 20, freshMs: 60_000 } } });
  stops.push(() => bot.close());
  const listed = () => bot.service.calls.filter(({ query }) => query.has('schedule_date_from')).length;
  const { ana, form } = await filledForm(bot);
  await expect.poll(listed).toBe(1);
  await form.fill('Text', 'We open at ten');
  await form.submit();
  await ana.modal('Scheduled');
  expect(listed()).toBe(1);
});
