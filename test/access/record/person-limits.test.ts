import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findPersonLimits, MAX_SEARCHED_RECORDS, searchRecord } from '../../../src/access/access.ts';
import { emptyAuditRecord } from '../../support/audit-record.ts';
import { setUpBotDatabase } from '../../support/set-up-database.ts';

const { db } = await setUpBotDatabase();
const PART = { workspace: 'T1' };

/** Adds the entry of Ben, and after it those of `people`, each with `count` entries a second apart, in turns or not. */
async function flood(people: number, count: number, options: { inTurns: boolean; secondsApart?: number }) {
  await emptyAuditRecord(db);
  const person = options.inTurns ? sql`place % ${people}` : sql`place / ${count}`;
  await sql`insert into audit_entry (workspace, id, at, actor, project, action, target, decision, reference)
      select 'T1', place::text, '2026-11-20T12:00:00Z'::timestamptz + place * make_interval(secs => ${options.secondsApart ?? 1}::float8),
        'U' || ${person}, '', 'roles give', '', 'done', '' from generate_series(0, ${people * count - 1}::integer) as place
      union all select 'T1', 'ben', '2026-11-20T11:00:00Z', 'UBEN', 'p1', 'stop project', '', 'done', 'b'`.execute(
    db,
  );
}

async function findBen(): Promise<boolean> {
  const limits = await findPersonLimits(db, PART, []);
  const page = { skip: 0, limit: MAX_SEARCHED_RECORDS };
  const { rows } = await searchRecord(db, { ...PART, limits, terms: [] }, page);
  return rows.some(({ actor }) => actor === 'UBEN');
}

test.each([
  ['one person', 1, 3 * MAX_SEARCHED_RECORDS, false],
  ['four people in turns', 4, MAX_SEARCHED_RECORDS, true],
  ['six people one after another', 6, MAX_SEARCHED_RECORDS, false],
  ['ten people, each with less than a person may have alone', 10, 900, true],
  ['eighty people together', 80, 100, true],
] as const)(
  'the entries of %s don’t hide an earlier one of somebody else',
  async (_case, people, count, inTurns) => {
    await flood(people, count, { inTurns, secondsApart: 0.1 });
    expect(await findBen()).toBe(true);
  },
);

test('what many people do in weeks is no flood, and nothing of it is left out', async () => {
  await flood(10, 900, { inTurns: true, secondsApart: 60 * 60 });
  expect(await findPersonLimits(db, PART, [])).toEqual([]);
});
