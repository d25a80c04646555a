import { type Kysely, sql } from 'kysely';

/** Creates a table with the columns of every delivery (`DeliveryColumns`). Each domain adds further columns. */
export function createDeliveryTable(db: Kysely<unknown>, name: string) {
  return (
    db.schema
      .createTable(name)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('lease_until', 'timestamptz')
      // When the next step is due.
      .addColumn('next_at', 'timestamptz')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      // Number of attempts to reconcile.
      .addColumn('checks', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('retrying_since', 'timestamptz')
      .addColumn('notify_at', 'timestamptz')
      .addColumn('notifying_since', 'timestamptz')
      .addColumn('notify_attempts', 'integer', (column) => column.notNull().defaultTo(0))
      // Start of the retention period of an ended delivery.
      .addColumn('retained_since', 'timestamptz')
      .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
  );
}

/**
 * Creates the indexes for the queries in src/delivery. No index depends on the state, so a new state needs no change
 * here.
 */
export async function createDeliveryIndexes(db: Kysely<unknown>, name: string): Promise<void> {
  const createIndex = (index: string, otherColumns: readonly string[], column: string) =>
    db.schema
      .createIndex(`${name}_${index}`)
      .on(name)
      .columns([...otherColumns, column])
      .where(sql.ref(column), 'is not', null)
      .execute();
  await createIndex('next_by_workspace', ['endpoint', 'workspace'], 'next_at');
  await createIndex('due', [], 'next_at');
  await createIndex('notify', [], 'notify_at');
  await createIndex('retained', [], 'retained_since');
}
