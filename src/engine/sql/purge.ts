import { type QueryExecutorProvider, sql } from 'kysely';
import { toJsonParameter } from '../../store/column-values.ts';
import { deleteBatch } from '../../store/delete-batch.ts';
import type { Change } from '../capability.ts';
import { addMs } from '../clock.ts';
import type { DeliveryRow } from '../columns.ts';
import type { Definition } from '../definition.ts';
import { assignChanges } from './transitions.ts';

/** Number of rows in one statement. Small enough for the statement timeout, even if each row's content is decrypted. */
const BATCH_SIZE = 200;

interface Retention<Row extends DeliveryRow> {
  table: string;
  retentionMs: number;
  purgeTo?: Definition<string, never, Row>['purgeTo'];
}

/**
 * Deletes or redacts the rows that ended at least `retentionMs` before `now`. Resolves with the number of these rows. Also
 * deletes the redacted rows whose `delete_at` has come. Ends after the current batch if `isStopped` returns true.
 */
export async function purgeDeliveries<Row extends DeliveryRow>(
  db: QueryExecutorProvider,
  { table, retentionMs, purgeTo }: Retention<Row>,
  { now, isStopped = () => false }: { now: Date; isStopped?: () => boolean },
): Promise<number> {
  const repeatBatches = async (runBatch: () => Promise<number>): Promise<number> => {
    let sum = 0;
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !isStopped(); sum += count) count = await runBatch();
    return sum;
  };
  const deleteUntil = (column: 'retained_since' | 'delete_at', time: Date) =>
    repeatBatches(() => {
      const condition = sql`${sql.ref(column)} <= ${time}`;
      return deleteBatch(db, table, { key: 'id', condition, orderBy: column, limit: BATCH_SIZE });
    });
  const endedBefore = addMs(now, -retentionMs);
  if (!purgeTo) return deleteUntil('retained_since', endedBefore);
  const createChange = (row: Row) => purgeTo(row, now);
  const redactedCount = await repeatBatches(() => redactRows(db, table, { createChange, endedBefore }));
  await deleteUntil('delete_at', now);
  return redactedCount;
}

/** Redacts a batch of rows. Skips rows whose state has changed since they were read. Resolves with the number of read rows. */
async function redactRows<Row extends DeliveryRow>(
  db: QueryExecutorProvider,
  table: string,
  { createChange, endedBefore }: { createChange(row: Row): Change<Row>; endedBefore: Date },
): Promise<number> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where retained_since <= ${endedBefore}
    order by retained_since limit ${BATCH_SIZE}`.execute(db);
  if (rows.length === 0) return 0;
  const changes = rows.map((row) => ({ id: row.id, change: { ...createChange(row), retained_since: null } }));
  await sql`update ${sql.table(table)} t set ${assignChanges(changes)}
    from jsonb_to_recordset(${toJsonParameter(changes)}::jsonb) as v(id text, change jsonb)
    where t.id = v.id and t.retained_since <= ${endedBefore}`.execute(db);
  return rows.length;
}
