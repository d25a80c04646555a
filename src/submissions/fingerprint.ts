import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { CannotOpen, type Encryption } from '../access/encryption.ts';
import type { BotSchema } from '../store/schema.ts';
import { replaceSharedSecret, sharedSecret } from '../store/shared-secrets.ts';

const NAME = 'fingerprints';
/** It belongs to no workspace. */
const NOBODY = '';

/** Fingerprints under a key that all instances share: without it, what people wrote could be guessed from them. */
export function createFingerprints(
  db: Kysely<BotSchema>,
  encryption: Encryption,
): (...parts: readonly string[]) => Promise<string> {
  let key: Promise<Buffer> | undefined;
  const read = async () => {
    const made = encryption.seal(randomBytes(32).toString('base64'), NOBODY);
    const kept = await sharedSecret(db, NAME, made);
    try {
      return Buffer.from(encryption.open(kept, NOBODY), 'base64');
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      // Its key is gone, and everything that was sealed with it: fingerprints begin anew.
      const instead = await replaceSharedSecret(db, NAME, { kept, made });
      return Buffer.from(encryption.open(instead, NOBODY), 'base64');
    }
  };
  return async (...parts) => {
    key ??= read();
    key.catch(() => {
      key = undefined;
    });
    return createHmac('sha256', await key)
      .update(JSON.stringify(parts))
      .digest('base64url');
  };
}
