import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { BotSchema } from '../../store/schema.ts';
import { CannotOpen, type Encryption } from '../encryption.ts';
import { NOBODY, sharedText } from '../shared-key.ts';
import { findSharedSecret, replaceSharedSecret } from '../sql/shared-secrets.ts';
import { type RecordHead, recordHeads } from './rows.ts';

/**
 * The key of all chains, sealed together with the heads that the chains had when it was made. Rows up to such a head
 * are older than the key: those of a key that is lost. Nobody can move that line, or change what is before it, without
 * ENCRYPTION_KEYS.
 */
export interface ChainKey {
  /** Undefined while nothing was recorded with a key. */
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

/** The key for new rows; made where there is none, or where its encryption key is gone. */
export async function chainKey({ db, encryption }: Sealed): Promise<Buffer> {
  const text = await sharedText({ db, encryption }, NAME, async () => {
    const older = await recordHeads(db);
    const made = { key: randomBytes(32).toString('base64'), older } satisfies z.infer<typeof sealedKey>;
    return JSON.stringify(made);
  });
  return Buffer.from(sealedKey.parse(JSON.parse(text)).key, 'base64');
}

/** The same for who only verifies: makes nothing. Throws CannotOpen. */
export async function keptChainKey({ db, encryption }: Sealed): Promise<ChainKey> {
  // Before the secret: one that is made meanwhile counts.
  const heads = await recordHeads(db);
  const sealed = await findSharedSecret(db, NAME);
  const kept =
    sealed === undefined ? undefined : sealedKey.parse(JSON.parse(encryption.open(sealed, NOBODY)));
  const older = (kept?.older ?? heads).map(({ workspace, seq, hash }) => [workspace, { seq, hash }] as const);
  return { key: kept && Buffer.from(kept.key, 'base64'), older: new Map(older) };
}

/**
 * Forgets where the chain of a deleted workspace stood when the key was made. Does nothing where the encryption key is
 * gone, and with it all such heads. Throws where somebody replaced the secret meanwhile: try again.
 */
export async function dropOlderHead({ db, encryption }: Sealed, workspace: string): Promise<void> {
  const sealed = await findSharedSecret(db, NAME);
  if (sealed === undefined) return;
  try {
    const kept = sealedKey.parse(JSON.parse(encryption.open(sealed, NOBODY)));
    const older = kept.older.filter((head) => head.workspace !== workspace);
    if (older.length === kept.older.length) return;
    const made = encryption.seal(JSON.stringify({ ...kept, older }), NOBODY);
    const standing = await replaceSharedSecret(db, NAME, { kept: sealed, made });
    if (standing !== made) throw new Error('the key of the record was replaced meanwhile');
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
  }
}
