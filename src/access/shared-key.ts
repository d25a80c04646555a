import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { DecryptionError, type Encryption } from './encryption.ts';
import { ensureSharedSecret, findSharedSecret, replaceSharedSecret } from './sql/shared-secrets.ts';

/** For texts that are bound to no workspace. */
export const NO_WORKSPACE = '';

/**
 * The text that all instances share under this name, stored sealed. `make` creates it if there is none, or if its
 * encryption key is missing.
 */
export async function ensureSharedText(
  { db, encryption }: { db: Kysely<BotSchema>; encryption: Encryption },
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const stored = await findSharedSecret(db, name);
  try {
    if (stored !== undefined) return encryption.open(stored, NO_WORKSPACE);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
  }
  const made = encryption.seal(await make(), NO_WORKSPACE);
  const shared =
    stored === undefined
      ? await ensureSharedSecret(db, name, made)
      : await replaceSharedSecret(db, name, { old: stored, made });
  return encryption.open(shared, NO_WORKSPACE);
}
