import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';

/** Tables with a workspace's data. Other tables record only the request itself. */
const DATA_TABLES = [
  ...['submission', 'access_grant', 'channel_project', 'zone', 'digest', 'digest_occurrence'],
  ...'credential scheduled_draft notification_choice project_policy held_post held_post_event'.split(' '),
  ...'held_post_slot post_import post_import_part series'.split(' '),
  'sending_stop',
];
/** Tables that even a refused request may write to. */
const REQUEST_TABLES = ['open_form', 'access_request', 'once_claim', 'home_tab'];
const WATCHED_TABLES = [...DATA_TABLES, ...REQUEST_TABLES];

/**
 * Number of requests after which the tables are vacuumed, because the embedded database has no autovacuum. Without
 * vacuuming, every restored row stays as a dead row.
 */
const VACUUM_INTERVAL = 100;

/** A row that a request added, changed or deleted. */
export interface ChangedRow {
  /** Table and id, or table and person for a new row. */
  name: string;
  /** The row before and after the change, as JSON. */
  text: string;
}

/** Records the rows that requests change, and restores them. */
export async function watchDatabase(db: Kysely<BotSchema>) {
  const keys = await findPrimaryKeys(db);
  await createChangeLog(db, keys);
  let restoreCount = 0;
  const forgetChanges = () => sql`delete from change_log`.execute(db);
  const listChangedTables = async () => {
    const { rows } = await sql<{ table: string }>`select distinct "table" from change_log`.execute(db);
    // A row is restored after those that it refers to.
    return WATCHED_TABLES.filter((name) => rows.some(({ table }) => table === name));
  };
  return {
    /** Finds the workspace's rows that differ from those at the last `forgetChanges` or `restore`. */
    async findChanges(workspace: string): Promise<ChangedRow[]> {
      const changedTables = (await listChangedTables()).filter((name) => DATA_TABLES.includes(name));
      if (changedTables.length === 0) return [];
      const { rows } = await sql<{ table: string; id: string; person: string; new: boolean; text: string }>`
        with row_change as (
          select distinct on ("table", key) "table",
            first_value(before) over same_row as before, last_value(after) over same_row as after
          from change_log
          window same_row as (
            partition by "table", key order by number rows between unbounded preceding and unbounded following
          )
        )
        select "table",
          coalesce(row ->> 'id', row ->> 'submission', row ->> 'subject', row ->> 'channel', row ->> 'person') as id,
          min(coalesce(row ->> 'author', row ->> 'owner', row ->> 'subject', row ->> 'channel', row ->> 'person')) as person,
          bool_and(before is null) as new, string_agg(concat_ws(' ', before, after), ' ') as text
        from row_change, coalesce(after, before) as row
        where before is distinct from after and row ->> 'workspace' = ${workspace}
          and "table" in (${sql.join(changedTables)})
        group by 1, 2`.execute(db);
      return rows.map((row) => ({
        name: `${row.table} ${row.new ? `new of ${row.person}` : row.id}`,
        text: row.text,
      }));
    },
    forgetChanges,
    /** Undoes all changes. Resolves with the tables that had any. */
    async restore(): Promise<readonly string[]> {
      const changedTables = await listChangedTables();
      if (changedTables.length === 0) return [];
      for (const table of changedTables)
        await sql`delete from ${sql.table(table)} where ${renderKey(keys.get(table))} in (
          select key from change_log where "table" = ${table})`.execute(db);
      // The deletions are in the log too, with the rows that were deleted with others.
      for (const table of await listChangedTables())
        await sql`insert into ${sql.table(table)} overriding system value select stored.*
          from (select distinct on (key) before from change_log where "table" = ${table} order by key, number) first_change,
            jsonb_populate_record(null::${sql.table(table)}, before) stored
          where before is not null`.execute(db);
      await forgetChanges();
      restoreCount += 1;
      if (restoreCount % VACUUM_INTERVAL === 0)
        for (const table of [...WATCHED_TABLES, 'change_log'])
          await sql`vacuum ${sql.table(table)}`.execute(db);
      return changedTables;
    },
  };
}

type PrimaryKeys = ReadonlyMap<string, readonly string[]>;

async function findPrimaryKeys(db: Kysely<BotSchema>): Promise<PrimaryKeys> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select relname as "table", array_agg(attname::text order by attnum) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
      join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indisprimary and relnamespace = current_schema()::regnamespace
    group by 1`.execute(db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

function renderKey(columns: readonly string[] = []) {
  return sql`jsonb_build_array(${sql.join(columns.map((column) => sql.ref(column)))})`;
}

/** Creates a table that gets an entry for each row that is inserted, updated or deleted from now on. */
async function createChangeLog(db: Kysely<BotSchema>, keys: PrimaryKeys): Promise<void> {
  await sql`create table change_log (
    number bigint generated always as identity, "table" text, key jsonb, before jsonb, after jsonb)`.execute(
    db,
  );
  await sql`create function log_change() returns trigger language plpgsql as $$
    begin
      insert into change_log ("table", key, before, after)
      select tg_table_name, jsonb_agg(row -> name order by position), to_jsonb(old), to_jsonb(new)
      from unnest(tg_argv) with ordinality as columns(name, position), coalesce(to_jsonb(old), to_jsonb(new)) as row;
      return null;
    end $$`.execute(db);
  for (const table of WATCHED_TABLES) {
    const columns = sql.join((keys.get(table) ?? []).map((column) => sql.lit(column)));
    await sql`create trigger log_change after insert or update or delete on ${sql.table(table)}
      for each row execute function log_change(${columns})`.execute(db);
  }
}
