import type { Kysely } from 'kysely';
import type { AccessTables } from '../tables.ts';

/** The encrypted secret of this name; undefined if none is stored. */
export async function findSharedSecret(db: Kysely<AccessTables>, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('shared_secret')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.secret;
}

/** The encrypted secret of this name. Inserts `encrypted` if none is stored. All instances get the same secret. */
export async function findOrInsertSharedSecret(
  db: Kysely<AccessTables>,
  name: string,
  encrypted: string,
): Promise<string> {
  await db
    .insertInto('shared_secret')
    .values({ name, secret: encrypted })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSharedSecret(db, name)) ?? encrypted;
}

/**
 * Replaces the encrypted secret `stored`, unless another instance has replaced it already. Returns the secret that is
 * stored now.
 */
export async function replaceSharedSecret(
  db: Kysely<AccessTables>,
  name: string,
  { stored, replacement }: { stored: string; replacement: string },
): Promise<string> {
  await db
    .updateTable('shared_secret')
    .set({ secret: replacement })
    .where('name', '=', name)
    .where('secret', '=', stored)
    .execute();
  return findOrInsertSharedSecret(db, name, replacement);
}
