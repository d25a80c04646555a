import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { MAX_SEARCHED_RECORDS } from '../../../src/access/access.ts';
import { NOW } from '../../support/bot.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { pressAndSee } from '../../support/steps.ts';

const { database, running, startBot } = setUpBot();

const ENTRY_COUNT = 4 * MAX_SEARCHED_RECORDS;
/** So few entries are of one person that none is left out. */
const PEOPLE_COUNT = 500;
/** How many of the entries are of yesterday. The others are nine days older. */
const YESTERDAY_COUNT = 2 * MAX_SEARCHED_RECORDS + 100;
/** So many entries have the same time, so that a search continues between entries of the same time. */
const SAME_TIME_COUNT = 1_000;
/** The targets of some entries, by their place from the newest one. */
const TARGETS = { needle: [6_000, 6_001, 6_002], pin: [10, YESTERDAY_COUNT - 10] };

// The audit log of a database can't be emptied, so that all tests read the same one.
beforeAll(async () => {
  await startBot({ owners: { kind: 'emulator' } });
  const ana = await typeAsAna('/upnext audit');
  await ana.sees('Nothing in the audit log.');
  expect(ana.read()).not.toContain('[Show all]');
  const { db } = database;
  const { workspace } = await db.selectFrom('audit_entry').select('workspace').executeTakeFirstOrThrow();
  await sql`insert into audit_entry (workspace, id, at, actor, project, action, target, decision, reference)
    select ${workspace}::text, place::text,
      ${NOW}::timestamptz - (case when place < ${YESTERDAY_COUNT} then 1 else 10 end) * interval '1 day'
        - place / ${SAME_TIME_COUNT} * interval '1 s',
      'U0FILLED' || place % ${PEOPLE_COUNT}, '', 'roles give',
      case when place = any(${TARGETS.needle}::integer[]) then 'needle'
        when place = any(${TARGETS.pin}::integer[]) then 'pin' else '' end,
      'done', place::text
    from generate_series(${ENTRY_COUNT - 1}::integer, 0, -1) as place`.execute(db);
});

async function typeAsAna(command: string) {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type(command);
  return ana;
}

/** Exports the list of a person, and reads which entries the file has, by their place from the newest one. */
async function exportPlaces(person: Awaited<ReturnType<typeof typeAsAna>>): Promise<number[]> {
  const countFiles = () => running.workspace.app.calls('files.completeUploadExternal').length;
  const countBefore = countFiles();
  await person.press('Export as CSV');
  // Earlier tests have sent files too. Without a new one, the failure shows what the person reads.
  await expect.poll(() => countFiles() > countBefore || person.messages().at(-1)).toBe(true);
  await person.sees('Sent to you as a direct message');
  const { text } = await readExportedCsv(running);
  const rows = text.split('\r\n').slice(1, -1);
  return rows.map((row) => Number(row.split(',')[0]));
}

test('a list searches the newest entries, and a button continues with older ones', async () => {
  const ana = await typeAsAna('/upnext audit needle');
  await ana.sees('Nothing in the newest 4000 entries with “needle”');
  await pressAndSee(ana, 'Search older', 'with “needle”, until ', ': 3 entries');
});

test('a file has up to 12,000 of the newest entries, and says that it searched only these', async () => {
  const ana = await typeAsAna('/upnext audit U0FILLED');
  await ana.sees('I searched the newest 4000 entries.');
  const places = await exportPlaces(ana);
  // The newest entries are those of the tests' commands.
  expect(places.length).toBeGreaterThan(3 * MAX_SEARCHED_RECORDS - 100);
  expect(places).toEqual(places.map((_, index) => index));
  await (await ana.inDirectMessage()).sees('found in the newest 12000');
});

test('a file has the matching entries of all its parts, and says nothing else if these are all', async () => {
  const ana = await typeAsAna('/upnext audit pin yesterday');
  await ana.sees('with “pin”');
  expect(await exportPlaces(ana)).toEqual(TARGETS.pin);
  const directMessages = await ana.inDirectMessage();
  await directMessages.sees('as CSV: 2 entries');
  expect(directMessages.read()).not.toContain('2 entries, found');
});
