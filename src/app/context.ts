import type { Kysely } from 'kysely';
import type { Accesses, AccessRecord, Encryption } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { CachedReads } from '../api/remembered-reads.ts';
import type { Digests } from '../digests/digests.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Pace } from '../submissions/pace.ts';
import type { Submissions } from '../submissions/submissions.ts';
import type { Services } from '../workspaces/workspaces.ts';

/** What every handler works with. */
export interface AppContext {
  /** The workspace's own client of the scheduling service. */
  api: ApiClient;
  /** What each workspace has connected. */
  services: Services;
  /** Lists for selects, none older than a minute. */
  reads: CachedReads;
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** The service is the embedded one: what it accepts is published nowhere. */
  practice: boolean;
  /** Files may be deleted, though nobody can say which. */
  allowFileDeletion: boolean;
  pace: Pace;
  submissions: Submissions;
  digests: Digests;
  /** Who may do what. */
  access: Accesses;
  /** What was decided. */
  record: AccessRecord;
}
