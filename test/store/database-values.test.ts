import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEveryEmptyDatabase, type TestDatabase } from '../support/databases.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const TIMESTAMP = new Date('2026-12-01T08:00:00.250Z');

onEveryEmptyDatabase((create) => {
  let database: TestDatabase;
  let db: Kysely<unknown>;

  beforeAll(async () => {
    database = await create();
    db = new Kysely({ dialect: database.dialect() });
  });

  afterAll(async () => {
    await db.destroy();
    await database.close();
  });

  async function selectValue(expression: ReturnType<typeof sql>): Promise<unknown> {
    const { rows } = await sql<{ value: unknown }>`select ${expression} as value`.execute(db);
    return rows[0]?.value;
  }

  test.each([
    ['an int8 is a number', sql`9007199254740991::int8`, 9_007_199_254_740_991],
    ['a count is a number', sql`count(*)`, 1],
    ['a numeric is an exact text', sql`1.10::numeric`, '1.10'],
    ['a timestamptz is a Date', sql`'2026-12-01 09:00:00.25+01'::timestamptz`, TIMESTAMP],
    ['a timestamp is read as UTC', sql`'2026-12-01 08:00:00.25'::timestamp`, TIMESTAMP],
    ['a date is its midnight in UTC', sql`'2026-12-01'::date`, new Date('2026-12-01T00:00:00Z')],
    ['an interval is a text', sql`'1 day 02:00'::interval`, '1 day 02:00:00'],
    ['bytes are a Uint8Array', sql`'\\x00ff10'::bytea`, new Uint8Array([0, 255, 16])],
    ['json is parsed', sql`'{"a":[1,null]}'::jsonb`, { a: [1, null] }],
    ['null is read as null', sql`null::text`, null],
    ['an array of texts is read', sql`array['a', null, 'b,"c']`, ['a', null, 'b,"c']],
    [
      'an array of int8 is read',
      sql`array[[1::int8, 2], [3, 4]]`,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['an array of timestamps is read', sql`array['2026-12-01 08:00:00.25+00'::timestamptz]`, [TIMESTAMP]],
    [
      'a text with every kind of character can be written',
      sql`${"it's 🎉 ünï\n\\"}::text`,
      "it's 🎉 ünï\n\\",
    ],
    ['a Date can be written as a timestamptz', sql`${TIMESTAMP}::timestamptz`, TIMESTAMP],
    ['a Date can be written as a timestamp', sql`${TIMESTAMP}::timestamp`, TIMESTAMP],
    ['bytes can be written', sql`${Buffer.from([0, 255])}::bytea`, new Uint8Array([0, 255])],
    ['a bigint can be written', sql`${12n}::int8`, 12],
    ['json can be written as a text', sql`${JSON.stringify([{ a: 1 }])}::jsonb`, [{ a: 1 }]],
    ['texts can be written as an array', sql`${['a', 'b']}::text[]`, ['a', 'b']],
    ['null can be written', sql`${null}::timestamptz`, null],
  ])('%s', async (_, expression, expected) => {
    expect(await selectValue(expression)).toEqual(expected);
  });

  test('an int8 beyond the safe integers is an error, and the next statement works', async () => {
    await expect(selectValue(sql`9007199254740992::int8`)).rejects.toThrow(
      'int8 column holds a number beyond',
    );
    expect(await selectValue(sql`1`)).toBe(1);
  });

  test('dates are truncated in UTC', async () => {
    expect(await selectValue(sql`(${new Date('2026-12-01T23:30:00Z')}::timestamptz)::date::text`)).toBe(
      '2026-12-01',
    );
  });
});

const database = await setUpBotDatabase();

test('an id with a NUL character can be stored and found', async () => {
  const { db } = database;
  const row = { workspace: 'T1', channel: 'C\0', project: 'p\0', bound_at: new Date(0) };
  await db.insertInto('channel_project').values(row).execute();
  const foundRows = await db
    .selectFrom('channel_project')
    .select('project')
    .where('channel', '=', 'C\0')
    .where('project', 'in', ['p\0', 'other'])
    .execute();
  expect(foundRows).toEqual([{ project: 'p\uFFFD' }]);
});
