import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

interface Once {
  workspace: string;
  /** What is done, e.g. `event.Ev123`. */
  name: string;
  now: Date;
  /** After so many ms it may be done again; without it never. */
  keepMs?: number;
}

/** True for the first who asks, in whichever instance; also removes what is out of date. */
export async function isFirst(db: Kysely<BotSchema>, once: Once): Promise<boolean> {
  const { workspace, name, now, keepMs } = once;
  await db.deleteFrom('done_once').where('kept_until', '<', now).execute();
  const until = keepMs === undefined ? null : new Date(now.getTime() + keepMs);
  const added = await db
    .insertInto('done_once')
    .values({ workspace, name, kept_until: until })
    .onConflict((conflict) => conflict.columns(['workspace', 'name']).doNothing())
    .returning('name')
    .execute();
  return added.length > 0;
}

/** It certainly was not done: it may be tried again. */
export async function notDone(
  db: Kysely<BotSchema>,
  { workspace, name }: Pick<Once, 'workspace' | 'name'>,
): Promise<void> {
  await db.deleteFrom('done_once').where('workspace', '=', workspace).where('name', '=', name).execute();
}
