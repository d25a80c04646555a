import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** The sealed secret of this name; undefined where there is none. */
export async function findSharedSecret(db: Kysely<BotSchema>, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('shared_secret')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.secret;
}

/** The sealed secret of this name; `made` where there was none. All instances get the same. */
export async function sharedSecret(db: Kysely<BotSchema>, name: string, made: string): Promise<string> {
  await db
    .insertInto('shared_secret')
    .values({ name, secret: made })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSharedSecret(db, name)) ?? made;
}

/** The secret that stands after `kept` was replaced; by whom does not matter. */
export async function replaceSharedSecret(
  db: Kysely<BotSchema>,
  name: string,
  by: { kept: string; made: string },
): Promise<string> {
  await db
    .updateTable('shared_secret')
    .set({ secret: by.made })
    .where('name', '=', name)
    .where('secret', '=', by.kept)
    .execute();
  return sharedSecret(db, name, by.made);
}
