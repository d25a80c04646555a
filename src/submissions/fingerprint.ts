import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  type AccessTables,
  DecryptionError,
  type Encryption,
  readOrCreateSharedSecret,
} from '../access/access.ts';
import { computeEndpointKey } from '../api/address-rules.ts';
import type { ApiClient } from '../api/client.ts';
import { getServiceId } from '../api/project-ids.ts';
import type { AnyKind, SubmissionKind } from './kind.ts';
import type { SubmissionRow } from './submission.ts';

/** The name of the stored hash key. */
const KEY_NAME = 'fingerprints';

export interface TenantService {
  workspace: string;
  /** The service's address; '' if none is connected. */
  address: string;
}

interface EqualityFields {
  address: string;
  kind: string;
  /** The project's id; '' for none. */
  project: string;
  /** From the content, or from the id of the changed record. Equal submissions have the same equality key. */
  equalityKey: string;
}

export type Fingerprints = ReturnType<typeof createFingerprints>;

/** Creates functions for keyed hashes. All instances share the key. The key prevents guessing content from hashes. */
export function createFingerprints(db: Kysely<AccessTables>, encryption: Encryption) {
  let key: Promise<KeyObject> | undefined;
  const readKey = async () => createSecretKey(await readFingerprintKey({ db, encryption }), 'base64');
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
    /** Computes a fingerprint. Equal submissions of one tenant to one service have the same fingerprint. */
    computeFingerprint: ({
      workspace,
      address,
      kind,
      project,
      equalityKey,
    }: EqualityFields & TenantService) =>
      computeHash('tenant', workspace, address, kind, project, equalityKey),
    /**
     * Computes a lock key. Equal submissions to one service have the same lock key, even from different tenants. Use the
     * key only for locks, because no tenant may learn anything about another.
     */
    computeLockKey: ({ address, kind, project, equalityKey }: EqualityFields & { workspace?: never }) =>
      computeHash('service', address, kind, project, equalityKey),
    /** Computes a keyed hash of a request to the service, to which approvals are bound. `request`: JSON. */
    computeContentHash: (workspace: string, request: string) => computeHash('content', workspace, request),
  };
}

/** Reads the stored hash key, or creates the first one. Throws DecryptionError if it was encrypted with another key. */
function readFingerprintKey(stored: Parameters<typeof readOrCreateSharedSecret>[0]): Promise<string> {
  return readOrCreateSharedSecret(stored, KEY_NAME, () => randomBytes(32).toString('base64'));
}

/**
 * Throws an error with a sentence for the operator if the encryption keys aren't those of the database. The hash key is
 * the value that tells: every database has it, and a rotation encrypts it with the first key.
 */
export async function checkEncryptionKeys(
  stored: Parameters<typeof readOrCreateSharedSecret>[0],
): Promise<void> {
  try {
    await readFingerprintKey(stored);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    const { keyId = '', isKeyMissing } = error;
    const problem = isKeyMissing
      ? `the key "${keyId}", with which the database was encrypted, is not among them: look for it where these keys are kept, and add it behind the others`
      : `the key "${keyId}" has another value than the one with which the database was encrypted: look for that one, or whether the database is that of another Upnext`;
    throw new Error(
      `${problem}. If it is lost, follow "If an encryption key is lost" in OPERATING.md. Nothing was changed`,
      { cause: error },
    );
  }
}

export interface ReceivedSubmission<Content> {
  workspace: string;
  author: string;
  /** The form's id. For an edit, the id of the edited submission. */
  origin: string;
  /** The index of the publishing time in the form; 0 if there is none. */
  item: number;
  channel?: string;
  /** The trigger id of the request. A copy of the request has the same. */
  trigger?: string;
  /** When Slack sent the request, on its clock. Undefined if that isn't known. */
  sentAt?: Date;
  /** The id of the open view for the result. */
  viewId?: string;
  /** The message that will show the result, and can be updated. */
  message?: { channel: string; ts: string };
  content: Content;
}

export async function computeHashColumns<Content>(
  context: Fingerprints & { findAddress(workspace: string, project: string | undefined): Promise<string> },
  kind: SubmissionKind<Content>,
  { workspace, content }: ReceivedSubmission<Content>,
): Promise<{ endpoint: string; fingerprint: string; lock_key: string | null }> {
  const project = kind.getProject(content)?.id ?? null;
  const address = await context.findAddress(workspace, project ?? undefined);
  const equalityKey = computeEqualityKey(kind, content);
  const endpoint = computeEndpointKey(address);
  const about = { workspace, address, kind: kind.name, project: project ?? '', equalityKey };
  const fingerprint = await context.computeFingerprint(about);
  const lockKey = await findLockKey(context, { fingerprint, project }, { kind, content, address });
  return { endpoint, fingerprint, lock_key: lockKey ?? null };
}

/**
 * Finds the service of a row. `isOther`: whether another one is connected than that for which the row was written. A
 * project's id says which one that is. Without a project, it isn't another one if either isn't known: a row is bound to a
 * service by its first send at the latest.
 */
export async function findService(
  context: Fingerprints & {
    findApiClient(workspace: string, project?: string): Promise<ApiClient | undefined>;
    isElsewhere(workspace: string, project: string): Promise<boolean>;
  },
  { workspace, project, endpoint }: SubmissionRow,
): Promise<{ api: ApiClient | undefined; isOther: boolean }> {
  const api = await context.findApiClient(workspace, project ?? undefined);
  if (project !== null)
    return { api, isOther: api === undefined && (await context.isElsewhere(workspace, project)) };
  const address = api?.address ?? '';
  const areKnown = endpoint !== '' && address !== '';
  return { api, isOther: areKnown && endpoint !== computeEndpointKey(address) };
}

/**
 * Finds the lock key. At most one submission with the same key is in flight. Equal posts share a key even between
 * tenants, because the tenants share the service's list. Resolves with undefined for a row without a fingerprint.
 */
export async function findLockKey(
  { computeLockKey }: Fingerprints,
  row: Pick<SubmissionRow, 'fingerprint' | 'project'>,
  { kind, content, address }: { kind: AnyKind; content: unknown; address: string },
): Promise<string | undefined> {
  const { unknownOutcome, name } = kind;
  if (unknownOutcome.strategy !== 'reconcile') return row.fingerprint ?? undefined;
  const equalityKey = unknownOutcome.computeEqualityKey(content);
  // Other workspaces may have another id for the project.
  const project = getServiceId(row.project ?? '');
  return computeLockKey({ address, kind: name, project, equalityKey });
}

/** Computes the keys of an uncertain save: the first for the form, the second for the author and the content. */
export function computeSaveKeys<Content>(
  kind: SubmissionKind<Content>,
  { workspace, author, origin, item, content }: ReceivedSubmission<Content>,
): string[] {
  const formKey = JSON.stringify([workspace, author, origin, item]);
  if (kind.unknownOutcome.strategy === 'repeat') return [formKey];
  const project = kind.getProject(content)?.id ?? '';
  return [
    formKey,
    JSON.stringify([workspace, author, kind.name, project, computeEqualityKey(kind, content)]),
  ];
}

/** Computes the key that equal submissions of a kind have. For kinds that are safe to repeat, it is the target. */
export function computeEqualityKey<Content>(
  { unknownOutcome }: Pick<SubmissionKind<Content>, 'unknownOutcome'>,
  content: Content,
): string {
  if (unknownOutcome.strategy === 'reconcile') return unknownOutcome.computeEqualityKey(content);
  return unknownOutcome.strategy === 'repeat' ? unknownOutcome.getTarget(content) : JSON.stringify(content);
}
