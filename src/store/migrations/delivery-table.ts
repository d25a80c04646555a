import { type Kysely, sql } from 'kysely';

/** A table with the columns of every delivery (`DeliveryColumns`). Each domain adds its own columns. */
export function deliveryTable(db: Kysely<unknown>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'timestamptz')
    .addColumn('next_at', 'timestamptz')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('checks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('retrying_since', 'timestamptz')
    .addColumn('notify_at', 'timestamptz')
    .addColumn('notifying_since', 'timestamptz')
    .addColumn('notify_attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('retained_since', 'timestamptz')
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull());
}

/** The indexes of the kernel's queries. They name no state, so a new state needs no change here. */
export async function deliveryIndexes(db: Kysely<unknown>, name: string): Promise<void> {
  const on = (index: string, by: readonly string[], column: string) =>
    db.schema
      .createIndex(`${name}_${index}`)
      .on(name)
      .columns([...by, column])
      .where(sql.ref(column), 'is not', null)
      .execute();
  await on('fair', ['endpoint', 'workspace'], 'next_at');
  await on('due', [], 'next_at');
  await on('notify', [], 'notify_at');
  await on('retained', [], 'retained_since');
}
