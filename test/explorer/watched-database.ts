import { type Kysely, type KyselyPlugin, type RawNode, sql } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { iterateObjects } from './iterate-objects.ts';

/** Tables with a workspace's data. Other tables record only the request itself. */
const DATA_TABLES = [
  ...['submission', 'access_grant', 'channel_project', 'zone', 'digest', 'digest_occurrence'],
  ...[
    'credential',
    'scheduled_draft',
    'notification_choice',
    'project_policy',
    'held_post',
    'held_post_event',
    'held_post_slot',
    'post_import',
    'post_import_part',
    'series',
  ],
  'sending_stop',
];
/** Tables that even a refused request may write to. */
const REQUEST_TABLES = ['open_form', 'access_request', 'once_claim', 'home_tab'];

/** Tables in which additional rows are harmless. They are restored only if a row is missing. */
const APPENDABLE_TABLES = ['open_form'];

/**
 * Number of requests after which the tables are vacuumed, because the embedded database has no autovacuum. Without
 * vacuuming, every restored row stays as a dead row, and `open_form` grows to 40 MB that each comparison reads.
 */
const VACUUM_INTERVAL = 100;

/** Finds the tables that a raw SQL statement writes to. They are named in its text or parameters. */
function findWrittenTables(node: RawNode): string[] {
  return [...renderRawSql(node).matchAll(/\b(?:insert into|update|delete from)\s+"?(\w+)/gi)].flatMap(
    ([, table]) => table ?? [],
  );
}

/** Finds the tables that the parts of a statement ("with … as") write to. */
function findTablesOfParts(node: object): string[] {
  const parts = [...iterateObjects('with' in node ? node.with : undefined)];
  return parts.flatMap((part) =>
    /^(?:Insert|Update|Delete)QueryNode$/.test(String(part.kind))
      ? (/"name":"(\w+)"/.exec(JSON.stringify(part))?.[1] ?? [])
      : [],
  );
}

function renderRawSql({ sqlFragments, parameters }: RawNode): string {
  return sqlFragments.map((fragment, index) => fragment + renderParameter(parameters[index])).join('');
}

function renderParameter(parameter: RawNode['parameters'][number] | undefined): string {
  if (parameter?.kind === 'RawNode') return renderRawSql(parameter as RawNode);
  return parameter?.kind === 'TableNode'
    ? (/"name":"(\w+)"/.exec(JSON.stringify(parameter))?.[1] ?? '')
    : '?';
}

/** A row that a request added, changed or deleted. */
export interface ChangedRow {
  /** Table and id, or table and person for a new row. */
  name: string;
  /** The row before and after the change, as JSON. */
  text: string;
}

/** Records which tables a request changes, and restores them. */
export async function watchDatabase(db: Kysely<BotSchema>) {
  const changedTables = new Set<string>();
  const tablesByQuery = new WeakMap<object, readonly string[]>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      // The affected rows that are counted are only those of the whole statement, not those of its parts.
      for (const table of findTablesOfParts(node)) changedTables.add(table);
      if (node.kind === 'InsertQueryNode')
        tablesByQuery.set(queryId, [node.into?.table.identifier.name ?? '']);
      if (node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode') {
        tablesByQuery.set(queryId, [/"name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? '']);
      }
      if (node.kind === 'RawNode') tablesByQuery.set(queryId, findWrittenTables(node));
      return node;
    },
    async transformResult({ queryId, result }) {
      if (result.rows.length > 0 || (result.numAffectedRows ?? 0n) > 0n)
        for (const table of tablesByQuery.get(queryId) ?? []) changedTables.add(table);
      return result;
    },
  };
  const watchedTables = [...DATA_TABLES, ...REQUEST_TABLES].map((table) => ({
    table,
    copy: `${table}_snapshot`,
  }));
  let restoreCount = 0;
  async function hasAllRows(table: string, copy: string): Promise<boolean> {
    const missingRow = sql`(table ${sql.table(copy)} except table ${sql.table(table)}) limit 1`;
    return (await missingRow.execute(db)).rows.length === 0;
  }
  return {
    db: db.withPlugin(plugin),
    /** Finds the workspace's rows that differ from the snapshot. */
    async findChanges(workspace: string): Promise<ChangedRow[]> {
      const writtenTables = watchedTables.filter(
        ({ table }) => DATA_TABLES.includes(table) && changedTables.has(table),
      );
      const changes = await Promise.all(
        writtenTables.map(async ({ table, copy }) => {
          const [current, snapshot] = [sql.table(table), sql.table(copy)];
          const { rows } = await sql<{ id: string; person: string; new: boolean; text: string }>`select
            coalesce(row ->> 'id', row ->> 'submission', row ->> 'subject', row ->> 'channel', row ->> 'person') as id,
            min(coalesce(row ->> 'author', row ->> 'owner', row ->> 'subject', row ->> 'channel', row ->> 'person')) as person,
            bool_and(is_now) as new, string_agg(row::text, ' ') as text
          from (
            select true as is_now, to_jsonb(now) as row from (table ${current} except table ${snapshot}) now
            union all
            select false, to_jsonb(before) from (table ${snapshot} except table ${current}) before
          ) changes where row ->> 'workspace' = ${workspace} group by 1`.execute(db);
          return rows.map((row) => ({
            name: `${table} ${row.new ? `new of ${row.person}` : row.id}`,
            text: row.text,
          }));
        }),
      );
      return changes.flat();
    },
    /** Takes a snapshot of the watched tables for `restore`. */
    async takeSnapshot() {
      for (const { table, copy } of watchedTables) {
        await sql`drop table if exists ${sql.table(copy)}`.execute(db);
        await sql`create table ${sql.table(copy)} as select * from ${sql.table(table)}`.execute(db);
      }
      changedTables.clear();
    },
    /** Undoes all changes. Resolves with the tables that had any. */
    async restore(): Promise<readonly string[]> {
      // The parts of imports go with them.
      if (changedTables.has('post_import')) changedTables.add('post_import_part');
      const restoredTables = [...changedTables];
      for (const { table, copy } of watchedTables.filter(({ table }) => changedTables.has(table))) {
        if (APPENDABLE_TABLES.includes(table) && (await hasAllRows(table, copy))) continue;
        await sql`delete from ${sql.table(table)}`.execute(db);
        await sql`insert into ${sql.table(table)} select * from ${sql.table(copy)}`.execute(db);
      }
      changedTables.clear();
      restoreCount += 1;
      if (restoreCount % VACUUM_INTERVAL === 0)
        for (const { table } of watchedTables) await sql`vacuum ${sql.table(table)}`.execute(db);
      return restoredTables;
    },
  };
}
