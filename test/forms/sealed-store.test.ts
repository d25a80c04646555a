import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEncryption } from '../../src/access/access.ts';
import { changeSealedValue, readSealedValue, storeSealedValue } from '../../src/forms/sealed-store.ts';
import { NOW } from '../support/bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();

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
  const context = { db: database.db, encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]) };
  const ana = { context, actor: { workspace: 'T1', user: 'UANA' }, now: () => NOW };
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
