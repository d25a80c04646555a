import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { DecryptionError, type Encryption } from '../encryption.ts';
import { NO_WORKSPACE, readOrCreateSharedSecret } from '../shared-secret.ts';
import { findSharedSecret, lockSharedSecret, replaceSharedSecret } from '../sql/shared-secrets.ts';
import type { AccessTables } from '../tables.ts';
import { listHeads, type RecordHead } from './rows.ts';

/** The end of a chain when the key was created, and how many of its rows had been deleted by then. */
interface HeadBeforeKey extends RecordHead {
  deletedRows: number;
}

/**
 * The key of all chains. It is stored encrypted, together with the heads that the chains had when the key was created.
 * Rows up to such a head belong to an earlier key, which is lost. An attacker without ENCRYPTION_KEYS can't change
 * these heads or the rows before them unnoticed.
 */
export interface ChainKey {
  /** Undefined before the first entry. */
  key: KeyObject | undefined;
  /** By workspace. */
  headsBeforeKey: ReadonlyMap<string, HeadBeforeKey>;
}

interface KeyStore {
  db: Kysely<AccessTables>;
  encryption: Encryption;
}

/** The secret's name in `shared_secret`. */
const SECRET_NAME = 'record';
/** The encrypted JSON. `older`: the chains' heads when the key was created. */
const storedKey = z.object({
  key: z.string(),
  older: z.array(
    z.object({
      workspace: z.string(),
      seq: z.number().int(),
      hash: z.string(),
      deletedRows: z.number().int(),
    }),
  ),
});

/** The key for new rows. Creates a key if none is stored, or if the stored one can't be decrypted. */
export async function readOrCreateChainKey({ db, encryption }: KeyStore): Promise<KeyObject> {
  const secret = await readOrCreateSharedSecret({ db, encryption }, SECRET_NAME, async () => {
    // A deletion that has read the old key stores its checkpoint before the heads are listed.
    await lockSharedSecret(db, SECRET_NAME, 'update');
    const older = await listHeads(db);
    const created = { key: randomBytes(32).toString('base64'), older } satisfies z.infer<typeof storedKey>;
    return JSON.stringify(created);
  });
  return createSecretKey(storedKey.parse(JSON.parse(secret)).key, 'base64');
}

/**
 * The key for verification and for checkpoints. Never creates a key. Throws DecryptionError if the stored key can't be
 * decrypted.
 */
export async function readChainKey({ db, encryption }: KeyStore): Promise<ChainKey> {
  return decryptChainKey({ db, encryption }, await findSharedSecret(db, SECRET_NAME));
}

/** Like readChainKey. Until the transaction ends, no other instance replaces the key. */
export async function lockChainKey(store: KeyStore & { db: Transaction<AccessTables> }): Promise<ChainKey> {
  return decryptChainKey(store, await lockSharedSecret(store.db, SECRET_NAME, 'share'));
}

async function decryptChainKey(
  { db, encryption }: KeyStore,
  encrypted: string | undefined,
): Promise<ChainKey> {
  const stored =
    encrypted === undefined
      ? undefined
      : storedKey.parse(JSON.parse(encryption.decrypt(encrypted, NO_WORKSPACE)));
  // Without a key, no row can be verified.
  const heads = stored?.older ?? (await listHeads(db));
  return {
    key: stored && createSecretKey(stored.key, 'base64'),
    headsBeforeKey: new Map(heads.map(({ workspace, ...head }) => [workspace, head])),
  };
}

/**
 * Removes a deleted workspace's head from the stored key. Does nothing if the secret can't be decrypted, because then
 * all heads in the secret are lost anyway. Throws if another instance replaced the secret in the meantime; the caller
 * retries.
 */
export async function removeOlderHead({ db, encryption }: KeyStore, workspace: string): Promise<void> {
  const encrypted = await findSharedSecret(db, SECRET_NAME);
  if (encrypted === undefined) return;
  try {
    const stored = storedKey.parse(JSON.parse(encryption.decrypt(encrypted, NO_WORKSPACE)));
    const remaining = stored.older.filter((head) => head.workspace !== workspace);
    if (remaining.length === stored.older.length) return;
    const replacement = encryption.encrypt(JSON.stringify({ ...stored, older: remaining }), NO_WORKSPACE);
    const current = await replaceSharedSecret(db, SECRET_NAME, { stored: encrypted, replacement });
    if (current !== replacement)
      throw new Error('the key of the audit record was replaced by another instance');
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
  }
}
