import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEncryption } from '../../src/access/access.ts';
import {
  changeSealedValue,
  findSealedValue,
  prepareSealedChange,
  readSealedValue,
  saveSealedValue,
  storeSealedValue,
} from '../../src/forms/sealed-store.ts';
import { deleteExpired } from '../../src/workspaces/retention.ts';
import { NOW } from '../support/bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
const as = (user: string, workspace = 'T1') => ({
  context: { db: database.db, encryption },
  actor: { workspace, user },
  now: () => NOW,
});
const ana = as('UANA');

test('stored button content is encrypted, and only its author can read it, in the same workspace and as the same kind', async () => {
  const id = await storeSealedValue(ana, 'line.1', 'schedule our secret launch');
  expect(await readSealedValue(ana, 'line.1', z.string(), id)).toBe('schedule our secret launch');
  for (const person of [as('UBEN'), as('UANA', 'T2')])
    expect(await readSealedValue(person, 'line.1', z.string(), id)).toBeUndefined();
  expect(await readSealedValue(ana, 'line.2', z.string(), id)).toBeUndefined();
  expect(await readSealedValue(ana, 'line.1', z.number(), id)).toBeUndefined();
  expect(JSON.stringify(await database.db.selectFrom('open_form').selectAll().execute())).not.toContain(
    'launch',
  );
});

test('a stored value is replaced only by its owner’s value of the same kind', async () => {
  const ben = as('UBEN');
  const schema = z.object({ text: z.string() });
  const id = await storeSealedValue(ana, 'text.1', { text: 'first' });
  await storeSealedValue(ana, 'text.1', { text: 'second' }, { id });
  await storeSealedValue(ben, 'text.1', { text: 'from Ben' }, { id });
  await storeSealedValue(ana, 'other.1', { text: 'of another kind' }, { id });
  const read = () => readSealedValue(ana, 'text.1', schema, id);
  const known = await read();
  expect(known).toEqual({ text: 'second' });
  const change = () => ({ text: 'changed' });
  await changeSealedValue(ben, { kind: 'text.1', schema, id }, change);
  await changeSealedValue(ben, { kind: 'text.1', schema, id, known }, change);
  await changeSealedValue(ana, { kind: 'other.1', schema, id }, change);
  expect(await read()).toEqual({ text: 'second' });
  await changeSealedValue(ana, { kind: 'text.1', schema, id, known }, change);
  expect(await read()).toEqual({ text: 'changed' });
  // What was read before is no longer what is stored.
  await changeSealedValue(ana, { kind: 'text.1', schema, id, known }, ({ text }) => ({
    text: `${text} twice`,
  }));
  expect(await read()).toEqual({ text: 'changed twice' });
});

test('of two changes of a stored value at the same moment, none is lost', async () => {
  const id = await storeSealedValue(ana, 'list.1', []);
  const list = z.array(z.string());
  const seen: string[][] = [];
  const add = (text: string) =>
    changeSealedValue(ana, { kind: 'list.1', schema: list, id }, (texts) => {
      seen.push(texts);
      return [...texts, text];
    });
  await Promise.all([add('first'), add('second')]);
  expect((await readSealedValue(ana, 'list.1', list, id))?.toSorted()).toEqual(['first', 'second']);
  // The later change has read the value before and after the earlier one.
  expect(seen).toHaveLength(3);
});

test('a change that is part of another statement happens only with it', async () => {
  const schema = z.object({ text: z.string() });
  const id = await storeSealedValue(ana, 'text.1', { text: 'typed' });
  const read = async () => (await readSealedValue(ana, 'text.1', schema, id)) ?? { text: 'gone' };
  const run = async (condition: boolean) => {
    const change = { id, known: await read(), changed: { text: 'sent' } };
    const statement = prepareSealedChange(ana, change, () => undefined)?.build(sql`${condition}::boolean`);
    await sql`with changed as (${statement}) select from changed`.execute(database.db);
    return read();
  };
  expect(await run(false)).toEqual({ text: 'typed' });
  expect(await run(true)).toEqual({ text: 'sent' });
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const addMs = (ms: number) => new Date(NOW.getTime() + ms);

test('a form that has been open for more than a week is not found, even before it is purged', async () => {
  const form = { id: 'f', workspace: 'T1', author: 'U1', kind: 'some.1' };
  await saveSealedValue(database.db, { ...form, content: 'encrypted', storedAt: NOW });
  expect(await findSealedValue(database.db, { ...form, now: addMs(WEEK_MS) })).toBe('encrypted');
  expect(await findSealedValue(database.db, { ...form, now: addMs(WEEK_MS + 1) })).toBeUndefined();
});

test('an expired form is deleted in the background', async () => {
  const form = { workspace: 'T1', author: 'U1', kind: 'some.1', content: 'encrypted' };
  await saveSealedValue(database.db, { ...form, id: 'expired', storedAt: addMs(-WEEK_MS - 1) });
  await saveSealedValue(database.db, { ...form, id: 'open', storedAt: addMs(-WEEK_MS) });
  await deleteExpired(database.db, 'open_form', NOW);
  const rows = await database.db.selectFrom('open_form').select('id').where('author', '=', 'U1').execute();
  expect(rows.map(({ id }) => id)).toContain('open');
  expect(rows.map(({ id }) => id)).not.toContain('expired');
});

test('the newest 2,000 forms of a person are stored, independently of the forms of other people', async () => {
  const form = { workspace: 'T2', author: 'U1', kind: 'some.1' };
  const rows = Array.from({ length: 2_010 }, (_, index) => ({
    ...{ ...form, id: `many${index}`, content: 'encrypted' },
    opened_at: addMs(index),
    expires_at: addMs(WEEK_MS),
  }));
  await database.db.insertInto('open_form').values(rows).execute();
  await saveSealedValue(database.db, {
    ...form,
    id: 'other',
    author: 'U2',
    content: 'encrypted',
    storedAt: NOW,
  });
  const newest = { ...form, id: 'newest', content: 'encrypted', storedAt: addMs(3_000) };
  await saveSealedValue(database.db, newest);
  const findForm = (id: string, author = 'U1') =>
    findSealedValue(database.db, { ...form, id, author, now: addMs(3_000) });
  expect(await findForm('newest')).toBe('encrypted');
  expect(await findForm('many11')).toBe('encrypted');
  expect(await findForm('many10')).toBeUndefined();
  expect(await findForm('other', 'U2')).toBe('encrypted');
  // An expired form is replaced by one of another kind. No other is deleted for it.
  const surplus = { ...form, id: 'surplus', content: 'encrypted' };
  await database.db
    .insertInto('open_form')
    .values({ ...surplus, opened_at: addMs(-1), expires_at: addMs(WEEK_MS) })
    .execute();
  const replacing = { ...newest, id: 'many11', kind: 'other.1', content: 'replaced' };
  await saveSealedValue(database.db, { ...replacing, storedAt: addMs(WEEK_MS + 1) });
  const now = addMs(WEEK_MS + 1);
  expect(await findSealedValue(database.db, { ...replacing, now })).toBe('replaced');
  expect(await findForm('surplus')).toBe('encrypted');
});
