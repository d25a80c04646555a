import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import { bringOn } from '../../src/submissions/bring-on.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { decide, pressedRow } from '../../src/submissions/press.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { sentBy, testMachine, type Word, wordService } from '../support/sent-words.ts';

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const rows = () => database.db.selectFrom('submission').selectAll().orderBy('created_at').execute();
const states = async () => (await rows()).map(({ state }) => state);
const ana = { workspace: 'T1', user: 'U1', runs: () => false };

function running(kind: SubmissionKind<Word>) {
  const permission: { now: Permission } = { now: 'yes' };
  const may = async () => permission.now;
  const made = testMachine(database.db, kind, { pace: { looksMs: [10, 10] }, may });
  made.submissions.start();
  stops.push(() => made.submissions.stop());
  return { ...made, permission };
}

async function send(machine: Machine, kind: SubmissionKind<Word>, received = sentBy('hello')) {
  const on = await bringOn(machine, kind, [received]);
  if (typeof on !== 'string') await on.ended;
}

/** Somebody is asked about "hello": nobody knows whether the service has it. */
async function asked(applied = false) {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' }, applied: false });
  const kind = service.kind();
  const made = running(kind);
  await send(made.machine, kind);
  await expect.poll(states).toEqual(['needs-person']);
  if (applied) service.kept.push('hello');
  const [row] = await rows();
  return { ...made, service, kind, id: row?.id ?? '' };
}

describe('a person who is asked', () => {
  test('looks again, and nothing is sent by it', async () => {
    const { machine, service, id } = await asked();
    expect(await decide(machine, ana, id, 'check')).toMatchObject({
      said: expect.stringContaining('Not there (yet)'),
    });
    service.kept.push('hello');
    expect(await decide(machine, ana, id, 'check')).toMatchObject({ row: { state: 'confirmed' } });
    expect(service.sent).toEqual(['hello']);
  });

  test('sends it again, once, however often that is pressed', async () => {
    const { machine, service, id } = await asked();
    await Promise.all([1, 2, 3].map(() => decide(machine, ana, id, 'again')));
    expect(await states()).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello', 'hello']);
  });

  test('is not sent again, and stays as it is, while nobody can check whether its author may', async () => {
    const { machine, service, id, permission } = await asked();
    permission.now = 'unknown';
    expect(await decide(machine, ana, id, 'again')).toEqual({ kind: 'not-checked' });
    expect(await states()).toEqual(['needs-person']);
    expect(service.sent).toEqual(['hello']);
  });

  test('does not send it again where it has turned up since', async () => {
    const { machine, service, id } = await asked(true);
    await decide(machine, ana, id, 'again');
    expect(await states()).toEqual(['confirmed']);
    expect(service.kept).toEqual(['hello']);
  });

  test('does not send it again where it turned up while the service was out of reach', async () => {
    const { machine, service, id } = await asked();
    service.list({ kind: 'not-applied', cause: 'connection-refused' });
    await decide(machine, ana, id, 'again');
    expect(await states()).toEqual(['retryable']);
    // The first one may turn up, so it is not changed meanwhile.
    expect(await pressedRow(machine, ana, id, 'edit')).toMatchObject({ fits: false });
    service.kept.push('hello');
    service.list(undefined);
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello']);
  });

  test('discards it, and then nothing sends it', async () => {
    const { machine, service, id } = await asked();
    await decide(machine, ana, id, 'discard');
    expect(await states()).toEqual(['discarded']);
    expect(await decide(machine, ana, id, 'again')).toMatchObject({
      said: expect.stringContaining('moved on'),
    });
    expect(service.sent).toEqual(['hello']);
  });

  test('is the one who sent it, or one who runs the project; in no other workspace', async () => {
    const { machine, id } = await asked();
    const others = [
      { ...ana, user: 'U2' },
      { ...ana, workspace: 'T2' },
      { ...ana, workspace: 'T2', runs: () => true },
    ];
    for (const other of others)
      expect(await decide(machine, other, id, 'discard')).toEqual({ kind: 'not-yours' });
    expect(await states()).toEqual(['needs-person']);
    await decide(machine, { ...ana, user: 'U2', runs: () => true }, id, 'discard');
    expect(await states()).toEqual(['discarded']);
  });
});

describe('what surely was not sent', () => {
  test('can be changed while it waits: what it was changed to goes instead', async () => {
    const service = wordService();
    service.next({ ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 60_000 } });
    const kind = service.kind();
    const { machine } = running(kind);
    await send(machine, kind);
    const [row] = await rows();
    expect(await pressedRow(machine, ana, row?.id ?? '', 'edit')).toMatchObject({ fits: true });
    // The breaker keeps to what the service asked for.
    await Promise.all(
      [1, 2].map(() => send(machine, kind, sentBy('hello, changed', { origin: row?.id ?? '' }))),
    );
    expect((await rows()).map(({ state, why }) => [state, why])).toEqual([
      ['discarded', 'replaced'],
      ['retryable', null],
    ]);
    expect(await pressedRow(machine, ana, row?.id ?? '', 'edit')).toMatchObject({
      row: { state: 'retryable' },
    });
  });

  test('is not changed any more once it is on its way', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = running(kind);
    await send(machine, kind);
    const [row] = await rows();
    await send(machine, kind, sentBy('changed', { origin: row?.id ?? '' }));
    expect(service.sent).toEqual(['hello']);
  });

  test('is saved as a draft where its moment has passed', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = running(kind);
    await send(machine, kind, sentBy('hello', { due: new Date(Date.now() - 1_000).toISOString() }));
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'needs-person', why: 'past' });
    expect(await decide(machine, ana, row?.id ?? '', 'draft')).toMatchObject({ row: { state: 'confirmed' } });
    expect(service.sent).toEqual(['hello']);
    expect(await states()).toEqual(['discarded', 'confirmed']);
  });
});
