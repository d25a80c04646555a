import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Encryption, ensureSharedText } from '../access/access.ts';
import type { BotSchema } from '../store/schema.ts';

const NAME = 'fingerprints';

/** A tenant and its way to one scheduling service: what is known of one says nothing about another. */
export interface TenantService {
  workspace: string;
  /** The service's address; '' while none is connected. */
  address: string;
}

/** Something that can be submitted to a service, and what makes two of them equal there. */
interface Equal {
  address: string;
  /** The kind of submission. */
  kind: string;
  /** The project's id in the service; '' for none. */
  project: string;
  /** From the kind itself: the content, or its target. */
  equal: string;
}

export interface Fingerprints {
  /** Equal for what one tenant submits to one service twice. Other tenants' are never equal. */
  fingerprintOf(of: Equal & TenantService): Promise<string>;
  /**
   * Equal for what two tenants submit to one service as well: they share what it lists, so counting before and after
   * works for one of them at a time. For locks alone; nothing told to one tenant may follow from it about another.
   */
  lockKeyOf(of: Equal & { workspace?: never }): Promise<string>;
  /** Stands for a service, so that its address is stored in no row. */
  endpointOf(address: string): Promise<string>;
}

/** Under a key that all instances share: without it, what people wrote could be guessed from a fingerprint. */
export function createFingerprints(db: Kysely<BotSchema>, encryption: Encryption): Fingerprints {
  let key: Promise<Buffer> | undefined;
  // Where its encryption key is gone, so is everything that was sealed with it: fingerprints begin anew.
  const read = async () =>
    Buffer.from(
      await ensureSharedText({ db, encryption }, NAME, () => randomBytes(32).toString('base64')),
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
