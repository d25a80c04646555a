import type { Insertable, Kysely, Selectable } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** A departure that is not carried out completely yet. */
export type DepartureRow = Selectable<BotSchema['departure']>;

/** Slack may send the same event several times; it is stored once. */
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

/** Claims due departures. They are due again at `until`. */
export function claimDepartures(
  db: Kysely<BotSchema>,
  { at, until }: { at: Date; until: Date },
): Promise<DepartureRow[]> {
  return db
    .updateTable('departure')
    .set({ next_at: until })
    .where('id', 'in', (from) =>
      from
        .selectFrom('departure')
        .select('id')
        .where('next_at', '<=', at)
        .orderBy('left_at')
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

export async function removeDeparture(db: Kysely<BotSchema>, id: string): Promise<void> {
  await db.deleteFrom('departure').where('id', '=', id).execute();
}
