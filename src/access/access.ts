/** Who may do what, encryption, and the record of both. Everything outside imports this file alone. */

export { type Accesses, createAccess, type FirstOwners, type Fresh, freshFor } from './create-access.ts';
export { CannotOpen, createEncryption, type Encryption, keyIdOf } from './encryption.ts';
export type { Decision, Entry } from './record/entry.ts';
export { foldRepeats } from './record/fold-repeats.ts';
export { forgetRecord } from './record/forget-record.ts';
export { type AccessRecord, createRecord } from './record/record.ts';
export { type RecordRow, type RecordSearch, searchRecord } from './record/rows.ts';
export { verifyRecord, type WorkspaceHead } from './record/verify.ts';
export {
  type Access,
  type Held,
  isEnough,
  isRole,
  may,
  type Needed,
  type Permission,
  permissionOf,
  ROLES,
  type Role,
  roleEverywhere,
  roleOf,
  type Why,
} from './roles.ts';
export { rotateKeys, type Unopened } from './rotate-keys.ts';
export { sharedText } from './shared-key.ts';
export {
  type AccessRequest,
  accessRequest,
  answerRequest,
  askRequest,
  offerRequest,
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
export type { Outsider } from './who.ts';
