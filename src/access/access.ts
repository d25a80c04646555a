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
export { GROUP_MAX_AGE_MS, type OutsiderReason } from './people.ts';
export {
  type AuditAction,
  type AuditEntry,
  type Decision,
  type Deed,
  NAMED_DEEDS,
  toPastTense,
} from './record/entry.ts';
export { foldRepeats } from './record/fold-repeats.ts';
export {
  type AuditRecord,
  createAuditRecord,
  deleteAuditRecord,
  deleteOldEntries,
  ENTRY_RETENTION_DAYS,
  type RecordRow,
} from './record/record.ts';
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
  listPendingRequests,
  offerRequest,
  type PendingRequest,
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
export type { AccessTables } from './tables.ts';
