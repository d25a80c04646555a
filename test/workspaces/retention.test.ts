import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/encryption.ts';
import { saveInstallation } from '../../src/store/installations.ts';
import { noteLeft } from '../../src/store/left-workspaces.ts';
import { forgetLeft, KEEP_ALL_DAYS, KEEP_RECORD_DAYS } from '../../src/workspaces/retention.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { startInstalledBot } from '../support/installed-bot.ts';

const LEFT = new Date('2026-11-20T12:00:00Z');
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
let database: BotDatabase;

beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  for (const table of Object.keys(await kept()))
    await sql`truncate ${sql.table(table)}`.execute(database.db).catch(() => undefined);
  await sql`alter table record disable trigger all`.execute(database.db);
  await sql`truncate record, record_head, installation`.execute(database.db);
  await sql`alter table record enable trigger all`.execute(database.db);
});

const VALUES: Record<string, unknown> = {
  text: 'hmac-sha256:x',
  integer: 1,
  boolean: false,
  'timestamp with time zone': LEFT,
};

/** A row of this workspace in every table that has such rows, also in those that are added one day. */
async function keepEverything(workspace: string): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null`.execute(database.db);
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    if (!columns.some(({ column }) => column === 'workspace') || table === 'left_workspace') continue;
    const names = columns.map(({ column }) => sql.ref(column));
    const values = columns.map(({ column, type }) => {
      const isKey = column === 'workspace' || column === 'id' || column === 'submission';
      return sql`${isKey ? workspace : VALUES[type]}`;
    });
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
      database.db,
    );
  }
}

/** By table, which workspaces it has rows of. */
async function kept(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace' order by table_name`.execute(database.db);
  const found: Record<string, string[]> = {};
  for (const { table } of rows) {
    const { rows: of } = await sql<{ workspace: string }>`
      select workspace from ${sql.table(table)} order by workspace`.execute(database.db);
    found[table] = of.map(({ workspace }) => workspace);
  }
  return found;
}
const tablesOf = async (workspace: string) =>
  Object.entries(await kept()).flatMap(([table, of]) => (of.includes(workspace) ? [table] : []));

const logged: unknown[] = [];
const line = (facts: unknown) => void logged.push(facts);
const scanAfter = (days: number, isOwn = (_workspace: string) => false) =>
  forgetLeft({
    ...{ db: database.db, encryption, isOwn },
    log: { debug: line, info: line, warn: line, error: line },
    now: () => new Date(LEFT.getTime() + days * 24 * 60 * 60 * 1000),
  });

describe('a workspace that the app has left', () => {
  test('loses everything but its record after 90 days, its record after 365, and no other loses anything', async () => {
    await keepEverything('T1');
    await keepEverything('T2');
    const all = (await tablesOf('T1')).filter((table) => table !== 'left_workspace');
    expect(all.length).toBeGreaterThan(15);
    await noteLeft(database.db, ['T1'], LEFT);

    await scanAfter(89.9);
    expect(await tablesOf('T1')).toEqual([...all, 'left_workspace'].toSorted());
    await scanAfter(90);
    expect(await tablesOf('T1')).toEqual(['left_workspace', 'record', 'record_head']);
    await scanAfter(364.9);
    expect(await tablesOf('T1')).toEqual(['left_workspace', 'record', 'record_head']);
    await scanAfter(365);
    expect(await tablesOf('T1')).toEqual([]);
    expect(await tablesOf('T2')).toEqual(all);
    expect(logged).toEqual([
      { workspace: 'T1', record: false },
      { workspace: 'T1', record: true },
    ]);
  });

  test('and that has come back by then loses nothing, however it came back', async () => {
    for (const workspace of ['T1', 'T2', 'T3']) await keepEverything(workspace);
    await noteLeft(database.db, ['T1', 'T2', 'T3'], LEFT);
    const tokens = { tokens: 'sealed', expires_at: null, bot_user: 'U1', installed_by: 'U2' };
    for (const id of ['T1', 'E1'])
      await saveInstallation(database.db, { id, name: '', ...tokens, installed_at: LEFT });
    await database.db
      .updateTable('installed_workspace')
      .set({ installation: 'E1' })
      .where('workspace', '=', 'T2')
      .execute();
    await scanAfter(400, (workspace) => workspace === 'T3');
    for (const workspace of ['T1', 'T2', 'T3']) {
      expect(await tablesOf(workspace)).toContain('zone');
      expect(await tablesOf(workspace)).toContain('record');
      expect(await tablesOf(workspace)).not.toContain('left_workspace');
    }
  });

  test('and that leaves again is kept from then on', async () => {
    await keepEverything('T1');
    await noteLeft(database.db, ['T1'], LEFT);
    await scanAfter(90);
    await noteLeft(database.db, ['T1'], new Date(LEFT.getTime() + 300 * 24 * 60 * 60 * 1000));
    await keepEverything('T4');
    await scanAfter(380);
    expect(await tablesOf('T1')).toContain('record');
  });
});

test.each(['uninstalled', 'revoked'])(
  'a workspace where the app is %s is forgotten by whichever instance runs then',
  async (how) => {
    const now = new Date();
    const first = await startInstalledBot({ db: database.db, now: () => now });
    await first.workspace.as('Ana').install(first.installUrl);
    await database.db
      .insertInto('zone')
      .values({
        ...{ workspace: 'T01HARBOUR', scope: 'person', subject: 'U1', zone: 'UTC' },
        ...{ chosen_by: 'U1', chosen_at: now },
      })
      .execute();
    if (how === 'uninstalled') first.workspace.admin.uninstall();
    else first.workspace.admin.revokeToken();
    await expect.poll(() => tablesOf('T01HARBOUR')).toContain('left_workspace');
    const departures = () => database.db.selectFrom('departure').select('id').execute();
    await expect.poll(departures).toEqual([]);
    await first.close();
    expect(await tablesOf('T01HARBOUR')).toContain('zone');
    const later = new Date(now.getTime() + 91 * 24 * 60 * 60 * 1000);
    const second = await startInstalledBot({ db: database.db, now: () => later });
    await expect.poll(() => tablesOf('T01HARBOUR')).toEqual(['left_workspace', 'record', 'record_head']);
    await second.close();
  },
);

test('SECURITY.md states both limits', () => {
  const text = readFileSync('SECURITY.md', 'utf8');
  expect(text).toContain(`${KEEP_ALL_DAYS} days after the app has left`);
  expect(text).toContain(`${KEEP_RECORD_DAYS} days after the app has left`);
});
