import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

interface Once {
  workspace: string;
  /** The work, e.g. `event.Ev123`. */
  name: string;
  now: Date;
  /** When the name may be claimed again, ms from now. Defaults to never. */
  keepMs?: number;
}

/** True for the first caller of all instances. Also deletes expired names. */
export async function claimOnce(db: Kysely<BotSchema>, once: Once): Promise<boolean> {
  const { workspace, name, now, keepMs } = once;
  await db.deleteFrom('done_once').where('expires_at', '<', now).execute();
  const until = keepMs === undefined ? null : new Date(now.getTime() + keepMs);
  const added = await db
    .insertInto('done_once')
    .values({ workspace, name, expires_at: until })
    .onConflict((conflict) => conflict.columns(['workspace', 'name']).doNothing())
    .returning('name')
    .execute();
  return added.length > 0;
}

/** Lets the work be claimed again, because it certainly wasn't done. */
export async function releaseOnce(
  db: Kysely<BotSchema>,
  { workspace, name }: Pick<Once, 'workspace' | 'name'>,
): Promise<void> {
  await db.deleteFrom('done_once').where('workspace', '=', workspace).where('name', '=', name).execute();
}
