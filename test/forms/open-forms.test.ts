import { expect, test } from 'vitest';
import { findSealedValue, saveSealedValue } from '../../src/forms/sealed-store.ts';
import { deleteExpiredForms } from '../../src/workspaces/retention.ts';
import { NOW } from '../support/bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();

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
  await deleteExpiredForms(database.db, NOW);
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
});
