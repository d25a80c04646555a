import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { emptyAuditRecord, listAuditRows } from '../../support/audit-record.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, setPolicy } = setUpBot({});

beforeEach(() => emptyAuditRecord(database.db));

const SUBMITTED = 'schedule-post view schedule-post allowed';

/** Lists the entries about submitted forms and posts. Those that open and fill in forms are left out. */
async function listEntries(): Promise<string[]> {
  const rows = await listAuditRows(database.db);
  return rows.flatMap(({ action, target, decision }) =>
    / (?:command|action) /.test(action) ? [] : [[action, target, decision].filter(Boolean).join(' ')],
  );
}

const SENT = expect.stringMatching(/^send post \S{36} allowed$/);

test('a post has its entries once, in the audit log and in the log', async () => {
  await (await openFilledForm(running)).form.submit();
  await expect.poll(listEntries).toEqual([SUBMITTED, SENT]);
  const countLines = (action: string) =>
    running.logged.filter((line) => line.startsWith('audit entry') && line.includes(`"${action}"`)).length;
  expect([countLines('schedule-post view schedule-post'), countLines('send post')]).toEqual([1, 1]);
});

test.each([
  ['missing', '42P01'],
  ['too slow', '57014'],
  ['locked', '55P03'],
  ['full', '53100'],
])('a post is sent although the audit log is %s, which gets its entries later', async (_, code) => {
  const { form } = await openFilledForm(running);
  await sql`create function refuse_entry() returns trigger language plpgsql as
    ${sql.lit(`begin raise 'not now' using errcode = '${code}'; end`)}`.execute(database.db);
  await sql`create trigger refuse_entry before insert on audit_entry for each row execute function refuse_entry()`.execute(
    database.db,
  );
  try {
    await form.submit();
    await expect.poll(() => running.service.calls.some(({ method }) => method === 'POST')).toBe(true);
  } finally {
    await sql`drop function refuse_entry cascade`.execute(database.db);
  }
  await expect.poll(async () => (await listEntries()).toSorted()).toEqual([SUBMITTED, SENT]);
});

test('a form that stays open is recorded', async () => {
  const { form } = await openFilledForm(running, { when: 'yesterday' });
  expect((await form.submit()).errors).toBeDefined();
  await expect.poll(listEntries).toEqual([SUBMITTED]);
});

test('a form whose post is held is recorded before its post', async () => {
  await setPolicy({ leadMinutes: 60 });
  await (await openFilledForm(running)).form.submit();
  await expect.poll(listEntries).toEqual([SUBMITTED, 'held-posts save done']);
});
