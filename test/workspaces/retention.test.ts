import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { ENTRY_RETENTION_DAYS } from '../../src/access/access.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { deleteExpiredData } from '../../src/workspaces/retention.ts';
import { forgetInstallation, forgetWorkspace } from '../../src/workspaces/sql/forget-workspace.ts';
import {
  findInstallation,
  saveInstallation,
  saveInstalledWorkspace,
} from '../../src/workspaces/sql/installations.ts';
import {
  AUDIT_RETENTION_DAYS,
  DATA_RETENTION_DAYS,
  saveUninstalledWorkspaces,
} from '../../src/workspaces/sql/uninstalled-workspaces.ts';
import { startInstalledBot } from '../support/installed-bot.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const database = await setUpBotDatabase();

afterEach(async () => {
  for (const table of Object.keys(await listWorkspacesByTable()))
    await sql`truncate ${sql.table(table)} cascade`.execute(database.db).catch(() => undefined);
  await sql`alter table audit_entry disable trigger all`.execute(database.db);
  await sql`truncate audit_entry, installation`.execute(database.db);
  await sql`alter table audit_entry enable trigger all`.execute(database.db);
});

const VALUES: Record<string, unknown> = {
  text: 'x',
  integer: 1,
  boolean: false,
  'timestamp with time zone': NOW,
  jsonb: '[]',
};

/** Inserts a row of this workspace into every table with a workspace column. Finds the tables in the schema. */
async function insertRows(workspace: string): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select table_name as table, column_name as column, data_type as type from information_schema.columns
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO'`.execute(database.db);
  // The rows of a submission, of a held post and of an import refer to it.
  const refersToRow = ([, columns]: [string, typeof rows]) =>
    columns.some(({ column }) => ['submission', 'held_post', 'post_import'].includes(column));
  const columnsByTable = [...Map.groupBy(rows, (row) => row.table)];
  columnsByTable.sort((first, second) => Number(refersToRow(first)) - Number(refersToRow(second)));
  for (const [table, columns] of columnsByTable) {
    if (!columns.some(({ column }) => column === 'workspace') || table === 'uninstalled_workspace') continue;
    const names = columns.map(({ column }) => sql.ref(column));
    const values = columns.map(({ column, type }) => {
      const isKey = ['workspace', 'id', 'submission', 'held_post', 'post_import'].includes(column);
      return sql`${isKey ? workspace : VALUES[type]}`;
    });
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
      database.db,
    );
  }
}

/** Lists the workspaces with rows, by table. */
async function listWorkspacesByTable(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace' order by table_name`.execute(database.db);
  const workspacesByTable: Record<string, string[]> = {};
  for (const { table } of rows) {
    const { rows: workspaceRows } = await sql<{ workspace: string }>`
      select workspace from ${sql.table(table)} order by workspace`.execute(database.db);
    workspacesByTable[table] = workspaceRows.map(({ workspace }) => workspace);
  }
  return workspacesByTable;
}
const listTables = async (workspace: string) =>
  Object.entries(await listWorkspacesByTable()).flatMap(([table, workspaces]) =>
    workspaces.includes(workspace) ? [table] : [],
  );

/** The tables with rows of a workspace until its audit log is deleted. */
const AUDIT_TABLES = ['audit_entry', 'uninstalled_workspace'];

const logFields: unknown[] = [];
const recordLogFields = (fields: unknown) => void logFields.push(fields);
/** Records that the app left these workspaces `days` days ago. */
const recordUninstallation = async (days: number, ...workspaces: string[]) => {
  await saveUninstalledWorkspaces(database.db, workspaces);
  await backdateUninstallation(days, workspaces);
};
const backdateUninstallation = (days: number, workspaces: readonly string[]) =>
  database.db
    .updateTable('uninstalled_workspace')
    .set({ uninstalled_at: sql<Date>`now() - make_interval(secs => ${days * 86_400})` })
    .where('workspace', 'in', workspaces)
    .execute();
const deleteExpired = () =>
  deleteExpiredData({
    db: database.db,
    log: { debug: recordLogFields, info: recordLogFields, warn: recordLogFields, error: recordLogFields },
  });

describe('a workspace that the app left', () => {
  test('an uninstalled workspace loses its data after 90 days and its audit log after 365 days', async () => {
    await insertRows('T1');
    await insertRows('T2');
    const allTables = (await listTables('T1')).filter((table) => table !== 'uninstalled_workspace');
    expect(allTables.length).toBeGreaterThan(15);
    await recordUninstallation(89.9, 'T1');
    await deleteExpired();
    expect(await listTables('T1')).toEqual([...allTables, 'uninstalled_workspace'].toSorted());
    await backdateUninstallation(90.1, ['T1']);
    await deleteExpired();
    expect(await listTables('T1')).toEqual(AUDIT_TABLES);
    await backdateUninstallation(364.9, ['T1']);
    await deleteExpired();
    expect(await listTables('T1')).toEqual(AUDIT_TABLES);
    await backdateUninstallation(365.1, ['T1']);
    await deleteExpired();
    expect(await listTables('T1')).toEqual([]);
    expect(await listTables('T2')).toEqual(allTables);
    expect(logFields).toEqual([
      { workspace: 'T1', deleted: 'data' },
      { workspace: 'T1', deleted: 'everything' },
    ]);
  });

  test('an uninstalled workspace keeps its first uninstallation time when further uninstallations are reported', async () => {
    await insertRows('T1');
    await recordUninstallation(91, 'T1');
    await saveUninstalledWorkspaces(database.db, ['T1']);
    await deleteExpired();
    expect(await listTables('T1')).toEqual(AUDIT_TABLES);
  });

  test('an uninstalled workspace whose deletion fails is retried, and does not delay the others', async () => {
    await recordUninstallation(400, 'T1');
    await recordUninstallation(399, 'T2');
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin
        if old.workspace = 'T1' then raise 'not now'; end if; return old; end $$;
    `.execute(database.db);
    await sql`create trigger refused before delete on zone for each row execute function refuse()`.execute(
      database.db,
    );
    await insertRows('T1');
    await insertRows('T2');
    logFields.length = 0;
    await deleteExpired();
    expect(await listTables('T1')).toContain('audit_entry');
    expect(await listTables('T2')).toEqual([]);
    expect(logFields).toMatchObject([
      { workspace: 'T1', err: expect.any(Error) },
      { workspace: 'T2', deleted: 'everything' },
    ]);
    await sql`drop trigger refused on zone`.execute(database.db);
    await deleteExpired();
    expect(await listTables('T1')).toEqual([]);
  });
});

describe('a workspace that reinstalls the app', () => {
  const tokens = { tokens: 'encrypted', expires_at: null, bot_user: 'U1', installed_by: 'U2' };
  const install = (id: string) =>
    saveInstallation(database.db, { id, name: '', ...tokens, installed_at: NOW });

  test('a workspace that reinstalls the app loses nothing, even if nobody there has used the app since', async () => {
    await install('T1');
    await saveInstalledWorkspace(database.db, { workspace: 'T1', installation: 'T1' });
    await forgetInstallation(database.db, 'T1', NOW, endDeliveries);
    await insertRows('T1');
    await backdateUninstallation(400, ['T1']);
    await install('T1');
    await deleteExpired();
    expect(await listTables('T1')).toContain('zone');
    expect(await listTables('T1')).not.toContain('uninstalled_workspace');
  });

  test('a workspace that reinstalls the app keeps it if the earlier removal is late', async () => {
    const later = new Date(NOW.getTime() + 60_000);
    await saveInstallation(database.db, { id: 'T1', name: '', ...tokens, installed_at: later });
    expect(await forgetInstallation(database.db, 'T1', later, endDeliveries, NOW)).toEqual([]);
    expect(await findInstallation(database.db, ['T1'])).toMatchObject({ installed_at: later });
  });

  test('a workspace that reinstalls the app during the removal keeps it', async () => {
    await install('T1');
    await saveInstalledWorkspace(database.db, { workspace: 'T1', installation: 'T1' });
    const later = new Date(NOW.getTime() + 60_000);
    let reinstallation: Promise<void> | undefined;
    // The new installation comes as soon as the removal has read the earlier one.
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const row = { id: 'T1', name: '', ...tokens, installed_at: later };
        if (result.rows.some((one) => 'installed_at' in one))
          reinstallation ??= saveInstallation(database.db, row);
        return result;
      },
    });
    expect(await forgetInstallation(db, 'T1', later, endDeliveries, NOW)).toEqual(['T1']);
    await reinstallation;
    expect(await findInstallation(database.db, ['T1'])).toMatchObject({ installed_at: later });
  });

  test('a workspace loses nothing if its organisation reinstalls the app', async () => {
    await install('E1');
    for (const workspace of ['T1', 'T2'])
      await saveInstalledWorkspace(database.db, { workspace, installation: 'E1' });
    await forgetWorkspace(database.db, 'T2', NOW, endDeliveries);
    expect(await forgetInstallation(database.db, 'E1', NOW, endDeliveries)).toEqual(['T1']);
    for (const workspace of ['T1', 'T2']) await insertRows(workspace);
    await backdateUninstallation(400, ['E1', 'T1', 'T2']);
    await install('E1');
    await deleteExpired();
    expect(await listTables('T1')).toContain('zone');
    expect(await listTables('T2')).toEqual([]);
  });

  test('an uninstalled workspace loses nothing once somebody there uses the app again', async () => {
    await recordUninstallation(400, 'T1');
    await insertRows('T1');
    await install('E1');
    await saveInstalledWorkspace(database.db, { workspace: 'T1', installation: 'E1' });
    await deleteExpired();
    expect(await listTables('T1')).toContain('zone');
  });
});

test.each(['uninstalled', 'revoked'])(
  'the data of a workspace where the app was %s is deleted by any running instance',
  async (uninstallation) => {
    const first = await startInstalledBot({ db: database.db });
    await first.workspace.as('Ana').install(first.installUrl);
    await database.db
      .insertInto('zone')
      .values({
        workspace: 'T01HARBOUR',
        scope: 'person',
        subject: 'U1',
        zone: 'UTC',
      })
      .execute();
    if (uninstallation === 'uninstalled') first.workspace.admin.uninstall();
    else first.workspace.admin.revokeToken();
    await expect.poll(() => listTables('T01HARBOUR')).toContain('uninstalled_workspace');
    await first.close();
    expect(await listTables('T01HARBOUR')).toContain('zone');
    await backdateUninstallation(91, ['T01HARBOUR']);
    const second = await startInstalledBot({ db: database.db });
    await expect.poll(() => listTables('T01HARBOUR')).toEqual(AUDIT_TABLES);
    await second.close();
  },
);

test('SECURITY.md states all retention periods', () => {
  const text = readFileSync('SECURITY.md', 'utf8');
  expect(text).toContain(`${DATA_RETENTION_DAYS} days after the app has left`);
  expect(text).toContain(`${AUDIT_RETENTION_DAYS} days after the app has left`);
  expect(text).toContain(`each entry after ${ENTRY_RETENTION_DAYS} days`);
});
