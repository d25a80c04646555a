import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { DeliveryRow } from '../columns.ts';
import type { Change, Definition } from '../definition.ts';
import { addMs } from '../shared-clock.ts';
import { assignChanges, serializeChanges } from './transitions.ts';

/** Number of rows in one statement. Small enough for the statement timeout, even if each row's content is decrypted. */
const BATCH_SIZE = 200;

type Retention<Row extends DeliveryRow> = Pick<
  Definition<string, Row>,
  'table' | 'retentionMs' | 'createPurgeChange'
>;

/**
 * Deletes or redacts the rows that ended at least `retentionMs` before `now`. Resolves with the number of these rows.
 */
export async function purgeDeliveries<Row extends DeliveryRow>(
  db: Kysely<BotSchema>,
  { table, retentionMs, createPurgeChange }: Retention<Row>,
  now: Date,
): Promise<number> {
  const endedBefore = addMs(now, -retentionMs);
  let purgedCount = 0;
  for (let batchCount = BATCH_SIZE; batchCount === BATCH_SIZE; purgedCount += batchCount) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where retained_since <= ${endedBefore}
      order by retained_since limit ${BATCH_SIZE}`.execute(db);
    batchCount = rows.length;
    if (batchCount === 0) break;
    await (createPurgeChange
      ? redactRows(db, table, { rows, createPurgeChange, endedBefore })
      : deleteRows(db, table, { rows, endedBefore }));
  }
  return purgedCount;
}

interface PurgeBatch<Row> {
  rows: readonly Row[];
  endedBefore: Date;
}

async function deleteRows(
  db: Kysely<BotSchema>,
  table: string,
  { rows, endedBefore }: PurgeBatch<DeliveryRow>,
): Promise<void> {
  await sql`delete from ${sql.table(table)}
    where id in (${sql.join(rows.map(({ id }) => id))}) and retained_since <= ${endedBefore}`.execute(db);
}

/** Redacts rows with the changes from `createPurgeChange`. Skips rows whose state has changed since they were read. */
async function redactRows<Row extends DeliveryRow>(
  db: Kysely<BotSchema>,
  table: string,
  { rows, endedBefore, createPurgeChange }: PurgeBatch<Row> & { createPurgeChange(row: Row): Change<Row> },
): Promise<void> {
  const changes = rows.map((row) => ({
    id: row.id,
    change: { ...createPurgeChange(row), retained_since: null },
  }));
  await sql`update ${sql.table(table)} t set ${assignChanges(changes)}
    from jsonb_to_recordset(${serializeChanges(changes)}::jsonb) as v(id text, change jsonb)
    where t.id = v.id and t.retained_since <= ${endedBefore}`.execute(db);
}
