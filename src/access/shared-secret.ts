import type { Kysely } from 'kysely';
import { DecryptionError, type Encryption } from './encryption.ts';
import { findOrInsertSharedSecret, findSharedSecret, replaceSharedSecret } from './sql/shared-secrets.ts';
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
