import type { Kysely } from 'kysely';
import type { AccessControl, AuditRecord, Encryption } from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import type { Digests } from '../digests/digests.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Pace } from '../submissions/pace.ts';
import type { Submissions } from '../submissions/submissions.ts';
import type { Services } from '../workspaces/workspaces.ts';

/** The parts of the app that every handler gets. */
export interface AppContext {
  /** The workspace's client of the scheduling service. */
  api: ApiClient;
  /** The services of all workspaces. */
  services: Services;
  /** Cached lists for select menus, at most a minute old. */
  reads: CachedReads;
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** The service is the practice service, which publishes nothing. */
  practice: boolean;
  /** Enables deleting files, although the API doesn't document which file it deletes. */
  allowFileDeletion: boolean;
  pace: Pace;
  submissions: Submissions;
  digests: Digests;
  /** Roles and permissions. */
  access: AccessControl;
  /** The audit record. */
  record: AuditRecord;
}
