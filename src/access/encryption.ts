import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** 32 bytes, under an id that is kept beside everything it has sealed. */
export interface EncryptionKey {
  id: string;
  key: Buffer;
}

/**
 * Seals what people wrote, and secrets, before they are kept. A sealed text opens only for the workspace (or
 * organisation) and the project that it was sealed for; without a project it is the workspace's own.
 */
export interface Encryption {
  seal(text: string, workspace: string, project?: string): string;
  /** Throws CannotOpen. */
  open(sealed: string, workspace: string, project?: string): string;
}

/** The key is missing, or the text was changed or belongs to another workspace. */
export class CannotOpen extends Error {
  readonly keyId: string | undefined;
  readonly isKeyMissing: boolean;
  constructor(reason: string, at: { keyId?: string; isKeyMissing?: boolean; cause?: unknown } = {}) {
    super(reason, { cause: at.cause });
    this.name = 'CannotOpen';
    this.keyId = at.keyId;
    this.isKeyMissing = at.isKeyMissing ?? false;
  }
}

/** The length that GCM is made for (NIST SP 800-38D, 8.2); random, so one key seals at most 2^32 texts. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';

/** The id of the key that a text was sealed with; undefined where it is none of ours. */
export function keyIdOf(sealed: string): string | undefined {
  const [format, keyId, data] = sealed.split(':');
  return format === FORMAT && data !== undefined ? keyId : undefined;
}

/** AES-256-GCM. Seals with the first key, opens with whichever key is named: rotation adds one in front. */
export function createEncryption(keys: readonly EncryptionKey[]): Encryption {
  const [newest] = keys;
  if (!newest) throw new RangeError('encryption needs at least one key');
  const byId = new Map(keys.map((key) => [key.id, key.key]));
  return {
    seal(text, workspace, project) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce);
      cipher.setAAD(boundTo(newest.id, workspace, project));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, newest.id, sealed.toString('base64')].join(':');
    },
    open(sealed, workspace, project) {
      const [format, keyId = '', data = ''] = sealed.split(':');
      const key = byId.get(keyId);
      if (format !== FORMAT) throw new CannotOpen('a sealed text of an unknown format');
      if (!key)
        throw new CannotOpen(`the encryption key "${keyId}" is missing`, { keyId, isKeyMissing: true });
      const bytes = Buffer.from(data, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(boundTo(keyId, workspace, project));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new CannotOpen('a sealed text was changed or belongs elsewhere', { keyId, cause });
      }
    },
  };
}

/** Associated data: what the sealed text is bound to. */
function boundTo(keyId: string, workspace: string, project = ''): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, keyId, workspace, ...(project === '' ? [] : [project])]));
}
