import type { Insertable, Kysely, Selectable } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';

/** An uninstallation that is not completely processed. */
export type UninstallationRow = Selectable<WorkspaceTables['uninstallation']>;

/** Stores an uninstallation once, even if Slack sends its event several times. */
export async function saveUninstallation(
  db: Kysely<WorkspaceTables>,
  uninstallation: Insertable<WorkspaceTables['uninstallation']>,
): Promise<void> {
  await db
    .insertInto('uninstallation')
    .values(uninstallation)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Claims due uninstallations. Unless they are removed, they are due again at `leaseUntil`. */
export function claimUninstallations(
  db: Kysely<WorkspaceTables>,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<UninstallationRow[]> {
  return db
    .updateTable('uninstallation')
    .set({ next_at: leaseUntil })
    .where('id', 'in', (query) =>
      query
        .selectFrom('uninstallation')
        .select('id')
        .where('next_at', '<=', now)
        .orderBy('uninstalled_at')
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

export async function removeUninstallation(db: Kysely<WorkspaceTables>, id: string): Promise<void> {
  await db.deleteFrom('uninstallation').where('id', '=', id).execute();
}
