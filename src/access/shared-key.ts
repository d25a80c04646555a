import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { CannotOpen, type Encryption } from './encryption.ts';
import { findSharedSecret, replaceSharedSecret, sharedSecret } from './sql/shared-secrets.ts';

/** It belongs to no workspace. */
export const NOBODY = '';

/**
 * The text that all instances share under this name, sealed. Where there is none, or where its encryption key is gone,
 * `make` gives a new one.
 */
export async function sharedText(
  { db, encryption }: { db: Kysely<BotSchema>; encryption: Encryption },
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const kept = await findSharedSecret(db, name);
  try {
    if (kept !== undefined) return encryption.open(kept, NOBODY);
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
  }
  const made = encryption.seal(await make(), NOBODY);
  const shared =
    kept === undefined
      ? await sharedSecret(db, name, made)
      : await replaceSharedSecret(db, name, { kept, made });
  return encryption.open(shared, NOBODY);
}
