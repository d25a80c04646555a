import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { MAX_SEARCHED_OF_PERSON, MAX_SEARCHED_RECORDS } from '../../../src/access/access.ts';
import { NOW } from '../../support/bot.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

const { database, running, startBot } = setUpBot();

const ENTRY_COUNT = 3 * MAX_SEARCHED_RECORDS;
const ana = () => running.workspace.as('Ana').in('#general');

// The audit log of a database can't be emptied, so that all tests read the same one.
beforeAll(async () => {
  await startBot({ owners: { kind: 'emulator' } });
  await ask(ana(), '/upnext audit', 'Nothing in the audit log.');
  const { db } = database;
  const { workspace } = await db.selectFrom('audit_entry').select('workspace').executeTakeFirstOrThrow();
  // Mira has caused thousands of entries of 40 kinds today, after what Ben did.
  await sql`insert into audit_entry (workspace, id, at, actor, project, action, target, decision, reference)
    select ${workspace}::text, place::text, ${NOW}::timestamptz - interval '1 hour' + place * interval '1 ms',
      'U03MIRAVOS', '', 'roles give', 'person U0' || place % 40 || ' viewer', 'done', 'm' || place
    from generate_series(1, ${ENTRY_COUNT}::integer) as place
    union all select ${workspace}::text, 'ben', ${NOW}::timestamptz - interval '2 hours',
      'U02BENOKAF', 'p1', 'stop project', '', 'done', 'b'`.execute(db);
});

test('thousands of entries of one person hide nobody else’s, in the list and in a search', async () => {
  await ask(ana(), '/upnext audit', 'Audit log: 1–10 of 22');
  await ana().press('Next page');
  await ana().sees('11–20 of 22');
  await ana().press('Next page');
  await ana().sees('21–22 of 22');
  const page = ana().messages().at(-1) ?? '';
  expect(page).toContain('@Ben Okafor stopped sending in Harbour Coffee');
  expect(page).toMatch(
    /@Mira Vos has at least \d+ more entries on this day. To see them: \/upnext audit and their name/,
  );
  expect(page).toContain(`Of @Mira Vos, I searched the newest ${MAX_SEARCHED_OF_PERSON} entries.`);
  await ask(ana(), '/upnext audit stopped sending', 'with “stopped sending”: 1 entry');
});

test('the entries of that person are all listed if the search names them', async () => {
  await ask(ana(), '/upnext audit @mira vos', 'I searched the newest 4000 entries.');
  expect(ana().messages().at(-1)).not.toContain('more entries on this day');
});
