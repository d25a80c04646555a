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
  'table' | 'retentionMs' | 'redaction'
>;

/**
 * Deletes or redacts the rows that ended at least `retentionMs` before `now`. Resolves with the number of these rows. Also
 * deletes the redacted rows whose own retention has ended.
 */
export async function purgeDeliveries<Row extends DeliveryRow>(
  db: Kysely<BotSchema>,
  { table, retentionMs, redaction }: Retention<Row>,
  now: Date,
): Promise<number> {
  const endedBefore = addMs(now, -retentionMs);
  if (!redaction) return repeatBatches(() => deleteRows(db, table, 'retained_since', endedBefore));
  const { createChange } = redaction;
  const redactedCount = await repeatBatches(() =>
    redactRows(db, table, { createChange, endedBefore, redactedAt: now }),
  );
  const redactedBefore = addMs(now, -redaction.retentionMs);
  await repeatBatches(() => deleteRows(db, table, 'redacted_at', redactedBefore));
  return redactedCount;
}

/** Repeats a batch, which resolves with the number of its rows, until one isn't full. Resolves with the sum. */
async function repeatBatches(runBatch: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let count = BATCH_SIZE; count === BATCH_SIZE; sum += count) count = await runBatch();
  return sum;
}

/** Deletes a batch of rows whose `column` is at or before a time. */
async function deleteRows(
  db: Kysely<BotSchema>,
  table: string,
  column: 'retained_since' | 'redacted_at',
  before: Date,
): Promise<number> {
  const result = await sql`delete from ${sql.table(table)} where id in (
    select id from ${sql.table(table)} where ${sql.ref(column)} <= ${before}
    order by ${sql.ref(column)} limit ${BATCH_SIZE} for update skip locked)`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Redacts a batch of rows. Skips rows whose state has changed since they were read. Resolves with the number of read rows. */
async function redactRows<Row extends DeliveryRow>(
  db: Kysely<BotSchema>,
  table: string,
  {
    createChange,
    endedBefore,
    redactedAt,
  }: { createChange(row: Row): Change<Row>; endedBefore: Date; redactedAt: Date },
): Promise<number> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where retained_since <= ${endedBefore}
    order by retained_since limit ${BATCH_SIZE}`.execute(db);
  if (rows.length === 0) return 0;
  const changes = rows.map((row) => ({
    id: row.id,
    change: { redacted_at: redactedAt, ...createChange(row), retained_since: null },
  }));
  await sql`update ${sql.table(table)} t set ${assignChanges(changes)}
    from jsonb_to_recordset(${serializeChanges(changes)}::jsonb) as v(id text, change jsonb)
    where t.id = v.id and t.retained_since <= ${endedBefore}`.execute(db);
  return rows.length;
}
