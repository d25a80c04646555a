/** Roles, encryption and the audit log. The module's public face. */

export {
  type AccessControl,
  createAccess,
  type DefaultRole,
  type FirstOwners,
  type Freshness,
  getFreshness,
} from './create-access.ts';
export { createEncryption, DecryptionError, type Encryption, parseKeyId } from './encryption.ts';
export type { OutsiderReason } from './people.ts';
export { type Deed, NAMED_DEEDS, toPastTense } from './record/deeds.ts';
export type { AuditAction, AuditEntry, Decision } from './record/entry.ts';
export { foldRepeats } from './record/fold-repeats.ts';
export { type AuditRecord, createAuditRecord } from './record/record.ts';
export {
  deleteAuditRecord,
  deleteOldEntries,
  ENTRY_RETENTION_DAYS,
  type RecordRow,
} from './record/rows.ts';
export {
  listRecordedActions,
  MAX_SEARCHED_RECORDS,
  type RecordCursor,
  type RecordSearch,
  type RecordSearchResult,
  type SearchedPart,
  type SearchTerm,
  searchRecord,
} from './record/search.ts';
export type { RoleHolderLists, RoleHolders } from './role-holders.ts';
export {
  type Access,
  type AssignedRole,
  checkPermission,
  findRole,
  findWorkspaceRole,
  includesRole,
  isAllowed,
  isRole,
  type Permission,
  type RequiredRole,
  ROLE_TABLE,
  ROLES,
  type Role,
  type RoleReason,
} from './roles.ts';
export { rotateKeys, type UndecryptedRows } from './rotate-keys.ts';
export { readOrCreateSharedSecret } from './shared-secret.ts';
export {
  type AccessRequest,
  answerRequest,
  findAccessRequest,
  offerRequest,
  sendRequest,
} from './sql/access-requests.ts';
export {
  changeGrants,
  type Grant,
  listGrants,
  lockGrants,
  SUBJECT_KINDS,
  type SubjectKind,
  saveGrant,
} from './sql/grants.ts';
export { listPendingRequests, type PendingRequest } from './sql/pending-requests.ts';
export type { AccessTables } from './tables.ts';
export { GROUP_MAX_AGE_MS } from './user-groups.ts';
