import type { Kysely } from 'kysely';
import { DecryptionError, type Encryption } from './encryption.ts';
import type { AccessTables } from './tables.ts';

/** The workspace argument of Encryption for secrets that are bound to no workspace. */
const NO_WORKSPACE = '';

/**
 * The secret that all instances share under this name. It is stored encrypted. `create` makes a new secret if none is
 * stored, or if the stored one can't be decrypted.
 */
export async function readOrCreateSharedSecret(
  { db, encryption }: { db: Kysely<AccessTables>; encryption: Encryption },
  name: string,
  create: () => string,
): Promise<string> {
  const stored = await findSharedSecret(db, name);
  try {
    if (stored !== undefined) return encryption.decrypt(stored, NO_WORKSPACE);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
  }
  const replacement = encryption.encrypt(create(), NO_WORKSPACE);
  // Another instance may have stored its own secret in the meantime. All instances then use that one.
  const encrypted =
    stored === undefined
      ? await findOrInsertSharedSecret(db, name, replacement)
      : await replaceSharedSecret(db, name, { stored, replacement });
  return encryption.decrypt(encrypted, NO_WORKSPACE);
}

/** The encrypted secret of this name; undefined if none is stored. */
async function findSharedSecret(db: Kysely<AccessTables>, name: string): Promise<string | undefined> {
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
async function replaceSharedSecret(
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
