import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';

/** Tables with a workspace's data. Other tables record only the request itself. */
const DATA_TABLES = [
  ...['submission', 'access_grant', 'channel_project', 'zone', 'digest', 'digest_occurrence'],
  ...'credential date_order scheduled_draft notification_choice project_policy post held_post_event'.split(
    ' ',
  ),
  ...'slot_reservation post_import post_import_part series'.split(' '),
  'sending_stop',
];
/** Tables that even a refused request may write to. */
const REQUEST_TABLES = ['open_form', 'access_request', 'once_claim', 'home_tab'];
const WATCHED_TABLES = [...DATA_TABLES, ...REQUEST_TABLES];

/**
 * Number of requests after which the tables are vacuumed, because the embedded database has no autovacuum. Without
 * vacuuming, every restored row stays as a dead row.
 */
const VACUUM_INTERVAL = 200;

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
  await createUndo(db, keys);
  let undoCount = 0;
  return {
    forgetChanges: () => sql`delete from change_log`.execute(db),
    /**
     * Undoes all changes since the last `forgetChanges` or `undo`. Resolves with the tables that had any, and with the
     * workspace's rows that differ from those before.
     */
    async undo(workspace: string): Promise<{ tables: readonly string[]; rows: ChangedRow[] }> {
      const { rows } = await sql<{
        table: string;
        workspace: string;
        id: string;
        person: string;
        new: boolean;
        text: string | null;
      }>`select * from undo_changes()`.execute(db);
      if (rows.length > 0) undoCount += 1;
      if (rows.length > 0 && undoCount % VACUUM_INTERVAL === 0)
        for (const table of [...WATCHED_TABLES, 'change_log'])
          await sql`vacuum ${sql.table(table)}`.execute(db);
      return {
        tables: [...new Set(rows.map(({ table }) => table))],
        rows: rows.flatMap(({ text, ...row }) =>
          text !== null && row.workspace === workspace && DATA_TABLES.includes(row.table)
            ? [{ name: `${row.table} ${row.new ? `new of ${row.person}` : row.id}`, text }]
            : [],
        ),
      };
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

/**
 * Creates a function that undoes all changes in a single statement, and returns the changed rows. Their `text` is null if
 * they were changed back.
 */
async function createUndo(db: Kysely<BotSchema>, keys: PrimaryKeys): Promise<void> {
  // A row is restored after those that it refers to.
  const deletions = WATCHED_TABLES.map(
    (table) => sql`
      if exists (select from change_log where "table" = ${sql.lit(table)}) then
        delete from ${sql.table(table)} where ${renderKey(keys.get(table))} in (
          select key from change_log where "table" = ${sql.lit(table)});
      end if;`,
  );
  // The deletions are in the log too, with the rows that were deleted with others.
  const insertions = WATCHED_TABLES.map(
    (table) => sql`
      if exists (select from change_log where "table" = ${sql.lit(table)}) then
        insert into ${sql.table(table)} overriding system value select stored.*
          from (select distinct on (key) before from change_log where "table" = ${sql.lit(table)}
            order by key, number) first_change,
            jsonb_populate_record(null::${sql.table(table)}, before) stored
          where before is not null;
      end if;`,
  );
  await sql`create function undo_changes()
    returns table ("table" text, workspace text, id text, person text, new boolean, text text)
    language plpgsql as $$
    #variable_conflict use_column
    begin
      if not exists (select from change_log) then
        return;
      end if;
      return query with row_change as (
          select distinct on ("table", key) "table",
            first_value(before) over same_row as before, last_value(after) over same_row as after
          from change_log
          window same_row as (
            partition by "table", key order by number rows between unbounded preceding and unbounded following
          )
        )
        select "table", row ->> 'workspace',
          coalesce(row ->> 'id', row ->> 'submission', row ->> 'subject', row ->> 'channel', row ->> 'person') as id,
          min(coalesce(row ->> 'author', row ->> 'owner', row ->> 'subject', row ->> 'channel', row ->> 'person')),
          bool_and(before is null) filter (where before is distinct from after),
          string_agg(concat_ws(' ', before, after), ' ') filter (where before is distinct from after)
        from row_change, coalesce(after, before) as row
        group by 1, 2, 3;
      ${sql.join(deletions, sql``)}
      ${sql.join(insertions, sql``)}
      delete from change_log;
    end $$`.execute(db);
}
