import { type Kysely, type RawBuilder, sql } from 'kysely';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { filterStates } from '../../src/engine/lifecycle.ts';

export interface Column {
  table: string;
  name: string;
  type: string;
  isNullable: boolean;
  isGenerated: boolean;
  /** Whether a unique index contains the column. */
  isInKey: boolean;
  /** Whether the column alone is a unique key. */
  isKey: boolean;
  /** The table whose `id` the column refers to. */
  refersTo: string | null;
}

/** The workspace of the tests. It has most rows of the tables that grow with the number of posts. */
const LARGE_WORKSPACE = 'T01HARBOUR';
const POST_TABLES = [
  ...CAPABILITIES.map(({ table }) => table as string),
  'scheduled_draft',
  'held_post_event',
  'held_post_message',
  'slot_reservation',
  'post_import_part',
  'audit_entry',
];
/** One row in this many belongs to another workspace. */
const OTHER_SHARE = 3;
/** Rows per other workspace, person, project and channel. */
const ROWS_PER_WORKSPACE = 500;
const ROWS_PER_PERSON = 100;
/** One row in this many has a value in a column for work that is pending, such as `next_at`. */
export const PENDING_SHARE = 20;

/**
 * Adds rows to each of the tables, most of them of one large workspace, with a few rows pending and most of them ended,
 * and collects statistics, so that Postgres plans statements as on a database in use. `rowCounts` has the tables.
 * `buildOwnValue` returns SQL for the columns that need another value than here, in terms of the row number `i`.
 */
export async function fillTables<Schema>(
  db: Kysely<Schema>,
  rowCounts: Readonly<Record<string, number>>,
  buildOwnValue: (column: Column) => RawBuilder<unknown> | undefined = () => undefined,
): Promise<void> {
  const columns = await listColumns(db);
  const refersToOthers = (table: string) =>
    columns.some((column) => column.table === table && column.refersTo !== null);
  const tables = Object.keys(rowCounts);
  // The rows to which others refer come first.
  for (const table of tables.toSorted((a, b) => Number(refersToOthers(a)) - Number(refersToOthers(b)))) {
    const ofTable = columns.filter((column) => column.table === table && !column.isGenerated);
    await sql`insert into ${sql.table(table)} (${sql.join(ofTable.map(({ name }) => sql.ref(name)))})
      select ${sql.join(ofTable.map((column) => buildOwnValue(column) ?? buildValue(column)))}
      from generate_series(1, ${rowCounts[table] ?? 0}::integer) as i`.execute(db);
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
}

async function listColumns<Schema>(db: Kysely<Schema>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name as table, column_name as name, data_type as type, is_nullable = 'YES' as "isNullable",
      is_identity = 'YES' as "isGenerated",
      exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indisunique and i.indrelid = table_name::regclass and a.attname = column_name) as "isInKey",
      exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indisunique and i.indnatts = 1 and i.indrelid = table_name::regclass
          and a.attname = column_name) as "isKey",
      (select confrelid::regclass::text from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.contype = 'f' and c.conrelid = table_name::regclass and a.attname = column_name) as "refersTo"
    from information_schema.columns where table_schema = current_schema()
    order by ordinal_position`.execute(db);
  return rows;
}

/** SQL for the value of a column in row `i`. */
function buildValue({
  table,
  name,
  type,
  isNullable,
  isInKey,
  isKey,
  refersTo,
}: Column): RawBuilder<unknown> {
  const unique = sql`${sql.lit(`${refersTo === null ? name : 'id'}-`)} || i`;
  if (isKey || refersTo !== null) return unique;
  switch (type) {
    case 'timestamp with time zone':
      if (isNullable)
        return sql`case when i % ${sql.lit(PENDING_SHARE)} = 0 then now() - i * interval '1 s' end`;
      return name === 'expires_at' ? sql`now() + i * interval '1 s'` : sql`now() - i * interval '1 s'`;
    case 'boolean':
      return sql`i % ${sql.lit(PENDING_SHARE)} = 0`;
    case 'integer':
    case 'bigint':
      return isInKey ? sql`i` : sql`0`;
    case 'jsonb':
      return sql`'[]'::jsonb`;
    case 'bytea':
      return sql`''::bytea`;
    default:
      break;
  }
  switch (name) {
    case 'workspace':
      if (!POST_TABLES.includes(table)) return sql`'T' || i / ${sql.lit(ROWS_PER_WORKSPACE)}`;
      return sql`case when i % ${sql.lit(OTHER_SHARE)} = 0 then 'T' || i / ${sql.lit(ROWS_PER_WORKSPACE)}
        else ${sql.lit(LARGE_WORKSPACE)} end`;
    case 'author':
    case 'actor':
    case 'owner':
    case 'project':
    case 'channel':
      return isInKey ? unique : sql`${sql.lit(`${name}-`)} || i / ${sql.lit(ROWS_PER_PERSON)}`;
    case 'state':
      return buildState(table);
    case 'kind':
      return sql`'post'`;
    case 'hash':
      return sql`'hmac-sha256:' || i`;
    default:
      return unique;
  }
}

/** Pending rows are in all states, the others in a final one. */
function buildState(table: string): RawBuilder<unknown> {
  const lifecycle = CAPABILITIES.find((domain) => domain.table === table)?.lifecycle;
  const states = lifecycle ? Object.keys(lifecycle) : ['active'];
  const final = lifecycle ? filterStates(lifecycle, ({ waitsFor }) => waitsFor === 'nobody') : states;
  const all = sql`(array[${sql.join(states.map((state) => sql.lit(state)))}])`;
  return sql`case when i % ${sql.lit(PENDING_SHARE)} = 0
    then ${all}[1 + i / ${sql.lit(PENDING_SHARE)} % ${sql.lit(states.length)}] else ${sql.lit(final[0] ?? '')} end`;
}
