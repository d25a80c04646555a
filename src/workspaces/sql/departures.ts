import type { Insertable, Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** A departure that is not completely processed. */
export type DepartureRow = Selectable<BotSchema['departure']>;

/** Stores a departure once, even if Slack sends its event several times. */
export async function saveDeparture(
  db: Kysely<BotSchema>,
  departure: Insertable<BotSchema['departure']>,
): Promise<void> {
  await db
    .insertInto('departure')
    .values(departure)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Claims due departures. Unless they are removed, they are due again at `leaseUntil`. */
export function claimDepartures(
  db: Kysely<BotSchema>,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<DepartureRow[]> {
  return db
    .updateTable('departure')
    .set({ next_at: leaseUntil })
    .where('id', 'in', (query) =>
      query
        .selectFrom('departure')
        .select('id')
        .where('next_at', '<=', now)
        .orderBy('departed_at')
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

export async function removeDeparture(db: Kysely<BotSchema>, id: string): Promise<void> {
  await db.deleteFrom('departure').where('id', '=', id).execute();
}
