import type { Kysely } from 'kysely';

/** From which address each was begun; those that are under way have none. */
export async function installStatesByAddress(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('install_state')
    .addColumn('address', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.createIndex('install_state_address').on('install_state').column('address').execute();
}
