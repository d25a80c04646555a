import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { BotSchema } from '../../store/schema.ts';
import { DecryptionError, type Encryption } from '../encryption.ts';
import { ensureSharedText, NO_WORKSPACE } from '../shared-key.ts';
import { findSharedSecret, replaceSharedSecret } from '../sql/shared-secrets.ts';
import { allHeads, type RecordHead } from './rows.ts';

/**
 * The key of all chains. It is stored sealed, together with the heads that the chains had when the key was created.
 * Rows up to such a head belong to an earlier key, which is lost. Without ENCRYPTION_KEYS nobody can change these heads
 * or the rows before them unnoticed.
 */
export interface ChainKey {
  /** Undefined before the first entry. */
  key: Buffer | undefined;
  older: ReadonlyMap<string, RecordHead>;
}

interface Sealed {
  db: Kysely<BotSchema>;
  encryption: Encryption;
}

const NAME = 'record';
const sealedKey = z.object({
  key: z.string(),
  older: z.array(z.object({ workspace: z.string(), seq: z.number().int(), hash: z.string() })),
});

/** The key for new rows. Created if there is none, or if its encryption key is missing. */
export async function ensureChainKey({ db, encryption }: Sealed): Promise<Buffer> {
  const text = await ensureSharedText({ db, encryption }, NAME, async () => {
    const older = await allHeads(db);
    const made = { key: randomBytes(32).toString('base64'), older } satisfies z.infer<typeof sealedKey>;
    return JSON.stringify(made);
  });
  return Buffer.from(sealedKey.parse(JSON.parse(text)).key, 'base64');
}

/** The key for verifying. Creates nothing. Throws DecryptionError. */
export async function readChainKey({ db, encryption }: Sealed): Promise<ChainKey> {
  // Read the heads first: a secret that is created meanwhile names later ones.
  const heads = await allHeads(db);
  const sealed = await findSharedSecret(db, NAME);
  const stored =
    sealed === undefined ? undefined : sealedKey.parse(JSON.parse(encryption.open(sealed, NO_WORKSPACE)));
  const older = (stored?.older ?? heads).map(
    ({ workspace, seq, hash }) => [workspace, { seq, hash }] as const,
  );
  return { key: stored && Buffer.from(stored.key, 'base64'), older: new Map(older) };
}

/**
 * Removes a deleted workspace's head from the sealed key. Does nothing if the encryption key is missing, because then
 * all heads are lost. Throws if another instance replaced the secret meanwhile; the caller retries.
 */
export async function dropOlderHead({ db, encryption }: Sealed, workspace: string): Promise<void> {
  const sealed = await findSharedSecret(db, NAME);
  if (sealed === undefined) return;
  try {
    const stored = sealedKey.parse(JSON.parse(encryption.open(sealed, NO_WORKSPACE)));
    const older = stored.older.filter((head) => head.workspace !== workspace);
    if (older.length === stored.older.length) return;
    const made = encryption.seal(JSON.stringify({ ...stored, older }), NO_WORKSPACE);
    const current = await replaceSharedSecret(db, NAME, { old: sealed, made });
    if (current !== made) throw new Error('the key of the audit record was replaced meanwhile');
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
  }
}
