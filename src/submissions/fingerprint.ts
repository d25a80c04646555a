import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Encryption, readOrCreateSharedSecret } from '../access/access.ts';
import type { BotSchema } from '../store/schema.ts';

const NAME = 'fingerprints';

/** A tenant's connection to one scheduling service. */
export interface TenantService {
  workspace: string;
  /** The service's address; '' if none is connected. */
  address: string;
}

/** The content that fingerprints are computed from. */
interface Equal {
  address: string;
  /** The kind of submission. */
  kind: string;
  /** The project's id in the service; '' for none. */
  project: string;
  /** The kind's own fingerprint or target of the content. */
  equal: string;
}

export interface Fingerprints {
  /** The same for equal submissions of one tenant to one service. Different for different tenants. */
  fingerprintOf(of: Equal & TenantService): Promise<string>;
  /**
   * The same for equal submissions of all tenants to one service. They share the service's list, so only one of them may
   * be counted and sent at a time. Only for locks: a tenant must not learn anything about another from it.
   */
  lockKeyOf(of: Equal & { workspace?: never }): Promise<string>;
  /** A keyed hash of a service's address, so that rows don't store the address. */
  endpointOf(address: string): Promise<string>;
}

/** Keyed hashes. The key is shared by all instances; without a key, content could be guessed from its fingerprint. */
export function createFingerprints(db: Kysely<BotSchema>, encryption: Encryption): Fingerprints {
  let key: Promise<Buffer> | undefined;
  // If the encryption key is lost, a new key is created, because all encrypted content is lost as well.
  const read = async () =>
    Buffer.from(
      await readOrCreateSharedSecret({ db, encryption }, NAME, () => randomBytes(32).toString('base64')),
      'base64',
    );
  const hash = async (...parts: readonly string[]) => {
    key ??= read();
    key.catch(() => {
      key = undefined;
    });
    return createHmac('sha256', await key)
      .update(JSON.stringify(parts))
      .digest('base64url');
  };
  return {
    fingerprintOf: ({ workspace, address, kind, project, equal }) =>
      hash('tenant', workspace, address, kind, project, equal),
    lockKeyOf: ({ address, kind, project, equal }) => hash('service', address, kind, project, equal),
    endpointOf: (address) => hash('endpoint', address),
  };
}
