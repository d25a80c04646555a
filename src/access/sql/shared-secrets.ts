import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

/** The sealed secret of this name; undefined if there is none. */
export async function findSharedSecret(db: Kysely<BotSchema>, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('shared_secret')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.secret;
}

/** The sealed secret of this name. Stores `made` if there is none. All instances get the same secret. */
export async function ensureSharedSecret(db: Kysely<BotSchema>, name: string, made: string): Promise<string> {
  await db
    .insertInto('shared_secret')
    .values({ name, secret: made })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSharedSecret(db, name)) ?? made;
}

/** Replaces the secret `old` by `made`. Returns the stored secret, which may come from another instance. */
export async function replaceSharedSecret(
  db: Kysely<BotSchema>,
  name: string,
  { old, made }: { old: string; made: string },
): Promise<string> {
  await db
    .updateTable('shared_secret')
    .set({ secret: made })
    .where('name', '=', name)
    .where('secret', '=', old)
    .execute();
  return ensureSharedSecret(db, name, made);
}
