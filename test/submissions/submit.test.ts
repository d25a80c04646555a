import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createEncryption } from '../../src/access/encryption.ts';
import { createApiClient } from '../../src/api/client.ts';
import type { Ending } from '../../src/api/outcome.ts';
import { PACE } from '../../src/submissions/pace.ts';
import type { Parts } from '../../src/submissions/parts.ts';
import type { SubmissionKind } from '../../src/submissions/submission.ts';
import { submit } from '../../src/submissions/submit.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
let parts: Parts;
const now = () => new Date();

beforeAll(async () => {
  database = await openBotDatabase();
  parts = {
    db: database.db,
    api: createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' }),
    encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]),
    practice: false,
    pace: { ...PACE, saveMs: 5_000, lookMs: 5 },
  };
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterAll(() => database.close());

/** A kind that ends as it is told, and says how often it was sent and what stood in the database then. */
function kindEnding(...endings: Ending<unknown>[]) {
  const sent: string[] = [];
  const states: string[] = [];
  const kind: SubmissionKind<string> = {
    name: 'word',
    content: z.string(),
    send: async (_api, content) => {
      const ending = endings[sent.length] ?? { kind: 'done', data: null };
      sent.push(content);
      states.push(...(await rows()).map(({ state }) => state));
      return { ...ending, requestId: 'r' };
    },
  };
  return { kind, sent, states };
}

const rows = () => database.db.selectFrom('submission').selectAll().orderBy('revision').execute();
const received = (content: string) => ({ workspace: 'T1', asker: 'U1', origin: 'form', item: 0, content });
const invalid: Ending<unknown> = {
  kind: 'invalid',
  problems: [{ field: 'Content', loc: ['body', 'Content'], message: 'no', type: 't' }],
};

test('the row says `sending` before anything is sent, and is confirmed after', async () => {
  const { kind, states } = kindEnding();
  const end = await submit(parts, kind, received('hello'), now);
  expect(end).toMatchObject({ state: 'confirmed', own: true, submission: { content: 'hello' } });
  expect(states).toEqual(['sending']);
  expect((await rows()).map(({ state, attempts }) => ({ state, attempts }))).toEqual([
    { state: 'confirmed', attempts: 1 },
  ]);
});

test('what people wrote stands in no column', async () => {
  await submit(parts, kindEnding(invalid).kind, received('a secret plan'), now);
  expect(JSON.stringify(await rows())).not.toMatch(/secret plan|Content/);
});

test('twenty presses of one form send once, and all learn the same end', async () => {
  const { kind, sent } = kindEnding();
  const ends = await Promise.all(
    Array.from({ length: 20 }, () => submit(parts, kind, received('hello'), now)),
  );
  expect(sent).toEqual(['hello']);
  expect(ends.map(({ state }) => state)).toEqual(ends.map(() => 'confirmed'));
  expect(ends.filter(({ own }) => own)).toHaveLength(1);
});

describe('a press after the end', () => {
  test.each<[string, Ending<unknown>, string]>([
    ['a refusal', invalid, 'refused'],
    ['a service that was not reached', { kind: 'not-applied', cause: 'connection-refused' }, 'retryable'],
    ['a refused token', { kind: 'refused', status: 401 }, 'refused'],
  ])('sends the next revision after %s', async (_what, ending, state) => {
    const { kind, sent } = kindEnding(ending);
    expect((await submit(parts, kind, received('first'), now)).state).toBe('refused');
    expect((await submit(parts, kind, received('second'), now)).state).toBe('confirmed');
    expect(sent).toEqual(['first', 'second']);
    expect((await rows()).map((row) => [row.revision, row.state])).toEqual([
      [0, state],
      [1, 'confirmed'],
    ]);
  });

  test.each<[string, Ending<unknown>, string]>([
    ['success', { kind: 'done', data: null }, 'confirmed'],
    ['nobody knows', { kind: 'unknown', cause: 'timed-out' }, 'unknown'],
  ])('never sends again after %s', async (_what, ending, state) => {
    const { kind, sent } = kindEnding(ending);
    await submit(parts, kind, received('first'), now);
    const again = await submit(parts, kind, received('changed meanwhile'), now);
    expect(again).toMatchObject({ state, own: false, submission: { content: 'first' } });
    expect(sent).toEqual(['first']);
  });
});

test('a row whose sender is gone is taken for unknown, not sent again', async () => {
  const { kind, sent } = kindEnding();
  await submit(parts, kind, received('first'), now);
  const long = new Date(Date.now() - 60_000);
  await database.db.updateTable('submission').set({ state: 'sending', changed_at: long }).execute();
  expect((await submit(parts, kind, received('first'), now)).state).toBe('unknown');
  expect(sent).toEqual(['first']);
});

test('a database that does not answer in time means not saved, and nothing is sent later', async () => {
  const { kind, sent } = kindEnding();
  const hasty = { ...parts, pace: { ...parts.pace, saveMs: 50 } };
  const { promise: busy, resolve: free } = Promise.withResolvers<void>();
  const holding = database.db.transaction().execute(() => busy);
  const end = await submit(hasty, kind, received('first'), now);
  expect(end.state).toBe('not-saved');
  free();
  await holding;
  await expect.poll(rows).toEqual([]);
  expect(sent).toEqual([]);
});
