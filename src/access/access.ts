/** Roles, encryption and the audit record. The module's public face. */

export {
  type AccessControl,
  createAccess,
  type FirstOwners,
  type Freshness,
  freshnessFor,
} from './create-access.ts';
export { createEncryption, DecryptionError, type Encryption, keyIdOf } from './encryption.ts';
export type { Outsider } from './people.ts';
export type { Decision, Entry } from './record/entry.ts';
export { foldRepeats } from './record/fold-repeats.ts';
export { deleteAuditRecord } from './record/forget-record.ts';
export { type AccessRecord, createRecord } from './record/record.ts';
export { type RecordRow, type RecordSearch, searchRecord } from './record/rows.ts';
export { verifyRecord, type WorkspaceHead } from './record/verify.ts';
export {
  type Access,
  type HeldRole,
  isEnough,
  isRole,
  may,
  type Permission,
  permissionOf,
  type RequiredRole,
  ROLES,
  type Role,
  type RoleReason,
  roleEverywhere,
  roleOf,
} from './roles.ts';
export { rotateKeys, type UndecryptedRows } from './rotate-keys.ts';
export { ensureSharedText } from './shared-key.ts';
export {
  type AccessRequest,
  accessRequest,
  answerRequest,
  offerRequest,
  sendRequest,
} from './sql/access-requests.ts';
export {
  changeGrants,
  type Grant,
  grantsIn,
  lockGrants,
  SUBJECT_KINDS,
  type SubjectKind,
  saveGrant,
} from './sql/grants.ts';
