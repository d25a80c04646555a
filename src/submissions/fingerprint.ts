import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Encryption, readOrCreateSharedSecret } from '../access/access.ts';
import type { BotSchema } from '../store/schema.ts';

/** The name under which the hash key is stored. */
const KEY_NAME = 'fingerprints';

/** A tenant's connection to one scheduling service. */
export interface TenantService {
  workspace: string;
  /** The service's address; '' if none is connected. */
  address: string;
}

/** The fields from which fingerprints are computed. */
interface EqualityFields {
  address: string;
  /** The kind of submission. */
  kind: string;
  /** The project's id in the service; '' for none. */
  project: string;
  /** Derived by the kind from the content or its target. Equal submissions have the same key. */
  equalityKey: string;
}

export interface Fingerprints {
  /** Computes a fingerprint: the same for equal submissions of one tenant to one service, different between tenants. */
  computeFingerprint(fields: EqualityFields & TenantService): Promise<string>;
  /**
   * Computes the lock key of a submission. Equal submissions of all tenants to one service have the same key. These
   * tenants share the service's list, so only one submission may be counted and sent at a time. Use the key only for
   * locks, because one tenant must not learn anything about another.
   */
  computeLockKey(fields: EqualityFields & { workspace?: never }): Promise<string>;
  /** Computes a keyed hash of a service's address, so that rows don't store the address. */
  computeEndpointKey(address: string): Promise<string>;
}

/**
 * Creates functions for keyed hashes. All instances share the key. Content could be guessed from a hash without a key.
 */
export function createFingerprints(db: Kysely<BotSchema>, encryption: Encryption): Fingerprints {
  let key: Promise<Buffer> | undefined;
  // If the encryption key is lost, the stored hash key can't be decrypted and a new hash key is created. That is safe,
  // because all encrypted content is lost as well.
  const readKey = async () =>
    Buffer.from(
      await readOrCreateSharedSecret({ db, encryption }, KEY_NAME, () => randomBytes(32).toString('base64')),
      'base64',
    );
  const computeHash = async (...fields: readonly string[]) => {
    key ??= readKey();
    key.catch(() => {
      key = undefined;
    });
    return createHmac('sha256', await key)
      .update(JSON.stringify(fields))
      .digest('base64url');
  };
  return {
    computeFingerprint: ({ workspace, address, kind, project, equalityKey }) =>
      computeHash('tenant', workspace, address, kind, project, equalityKey),
    computeLockKey: ({ address, kind, project, equalityKey }) =>
      computeHash('service', address, kind, project, equalityKey),
    computeEndpointKey: (address) => computeHash('endpoint', address),
  };
}
