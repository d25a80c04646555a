import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { DeliveryRow } from '../columns.ts';
import type { Change, Definition } from '../definition.ts';
import { later } from '../later.ts';
import { assignChanges, changesJson } from './changes.ts';

/** Rows per statement. Small enough for the statement timeout, also when content is decrypted and encrypted again. */
const BATCH = 200;

type Retention<Row extends DeliveryRow> = Pick<Definition<string, Row>, 'table' | 'keepMs' | 'purgeChange'>;

/** Deletes or reduces the rows that ended more than `keepMs` before `now`. Resolves with their number. */
export async function purgeDeliveries<Row extends DeliveryRow>(
  db: Kysely<BotSchema>,
  { table, keepMs, purgeChange }: Retention<Row>,
  now: Date,
): Promise<number> {
  const before = later(now, -keepMs);
  let all = 0;
  for (let purgedNow = BATCH; purgedNow === BATCH; all += purgedNow) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where retained_since <= ${before}
      order by retained_since limit ${BATCH}`.execute(db);
    purgedNow = rows.length;
    if (purgedNow === 0) break;
    await (purgeChange
      ? reduce(db, table, { rows, purgeChange, before })
      : remove(db, table, { rows, before }));
  }
  return all;
}

interface Old<Row> {
  rows: readonly Row[];
  before: Date;
}

async function remove(
  db: Kysely<BotSchema>,
  table: string,
  { rows, before }: Old<DeliveryRow>,
): Promise<void> {
  await sql`delete from ${sql.table(table)}
    where id in (${sql.join(rows.map(({ id }) => id))}) and retained_since <= ${before}`.execute(db);
}

/** Skips rows that somebody has reopened meanwhile. */
async function reduce<Row extends DeliveryRow>(
  db: Kysely<BotSchema>,
  table: string,
  { rows, before, purgeChange }: Old<Row> & { purgeChange(row: Row): Change<Row> },
): Promise<void> {
  const changes = rows.map((row) => ({ id: row.id, change: { ...purgeChange(row), retained_since: null } }));
  await sql`update ${sql.table(table)} t set ${assignChanges(changes)}
    from jsonb_to_recordset(${changesJson(changes)}::jsonb) as v(id text, change jsonb)
    where t.id = v.id and t.retained_since <= ${before}`.execute(db);
}
