import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createEncryption } from '../../src/access/access.ts';
import { changeSealedValue, readSealedValue, storeSealedValue } from '../../src/forms/sealed-store.ts';
import { NOW } from '../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';

let database: BotDatabase;

beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('stored button content is encrypted, and only its author can read it, in the same workspace and as the same kind', async () => {
  const { db } = database;
  const context = { db, encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]) };
  const ana = { context, actor: { workspace: 'T1', user: 'UANA' }, now: () => NOW };
  const id = await storeSealedValue(ana, 'line.1', 'schedule our secret launch');

  expect(await readSealedValue(ana, 'line.1', z.string(), id)).toBe('schedule our secret launch');
  const otherPeople = [
    { ...ana, actor: { workspace: 'T1', user: 'UBEN' } },
    { ...ana, actor: { workspace: 'T2', user: 'UANA' } },
  ];
  for (const person of otherPeople)
    expect(await readSealedValue(person, 'line.1', z.string(), id)).toBeUndefined();
  expect(await readSealedValue(ana, 'line.2', z.string(), id)).toBeUndefined();
  expect(await readSealedValue(ana, 'line.1', z.number(), id)).toBeUndefined();
  expect(JSON.stringify(await db.selectFrom('open_form').selectAll().execute())).not.toContain('launch');
});

test('a stored value is replaced only by its owner’s value of the same kind', async () => {
  const context = { db: database.db, encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]) };
  const ana = { context, actor: { workspace: 'T1', user: 'UANA' }, now: () => NOW };
  const ben = { ...ana, actor: { workspace: 'T1', user: 'UBEN' } };
  const id = await storeSealedValue(ana, 'text.1', 'first');
  await storeSealedValue(ana, 'text.1', 'second', { id });
  await storeSealedValue(ben, 'text.1', 'from Ben', { id });
  await storeSealedValue(ana, 'other.1', 'of another kind', { id });
  expect(await readSealedValue(ana, 'text.1', z.string(), id)).toBe('second');
  const change = () => 'changed';
  await changeSealedValue(ben, 'text.1', z.string(), id, change);
  await changeSealedValue(ana, 'other.1', z.string(), id, change);
  expect(await readSealedValue(ana, 'text.1', z.string(), id)).toBe('second');
  await changeSealedValue(ana, 'text.1', z.string(), id, change);
  expect(await readSealedValue(ana, 'text.1', z.string(), id)).toBe('changed');
});

test('of two changes of a stored value at the same moment, none is lost', async () => {
  const context = { db: database.db, encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]) };
  const ana = { context, actor: { workspace: 'T1', user: 'UANA' }, now: () => NOW };
  const id = await storeSealedValue(ana, 'list.1', []);
  const list = z.array(z.string());
  const seen: string[][] = [];
  const add = (text: string) =>
    changeSealedValue(ana, 'list.1', list, id, (texts) => {
      seen.push(texts);
      return [...texts, text];
    });
  await Promise.all([add('first'), add('second')]);
  expect((await readSealedValue(ana, 'list.1', list, id))?.toSorted()).toEqual(['first', 'second']);
  // The later change has read the value before and after the earlier one.
  expect(seen).toHaveLength(3);
});
