import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { replaceSharedSecret, sharedSecret } from '../store/shared-secrets.ts';
import { CannotOpen, type Encryption } from './encryption.ts';

/** It belongs to no workspace. */
export const NOBODY = '';

/** The text that all instances share under this name: `text` where there is none, or where its encryption key is gone. */
export async function sharedText(
  { db, encryption }: { db: Kysely<BotSchema>; encryption: Encryption },
  name: string,
  text: string,
): Promise<string> {
  const made = encryption.seal(text, NOBODY);
  const kept = await sharedSecret(db, name, made);
  try {
    return encryption.open(kept, NOBODY);
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    return encryption.open(await replaceSharedSecret(db, name, { kept, made }), NOBODY);
  }
}
