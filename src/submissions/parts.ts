import type { Kysely } from 'kysely';
import type { Accesses } from '../access/access.ts';
import type { Encryption } from '../access/encryption.ts';
import type { AccessRecord } from '../access/record/record.ts';
import type { ApiClient } from '../api/client.ts';
import type { RememberedReads } from '../api/remembered-reads.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Services } from '../workspaces/services.ts';
import type { Pace } from './pace.ts';
import type { Submissions } from './submissions.ts';

/** What the bot works with. */
export interface Parts {
  /** The workspace's own client of the scheduling service. */
  api: ApiClient;
  /** What each workspace has connected. */
  services: Services;
  /** Lists for selects, none older than a minute. */
  reads: RememberedReads;
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** The service is the embedded one: what it accepts is published nowhere. */
  practice: boolean;
  /** Files may be deleted, though nobody can say which. */
  allowFileDeletion: boolean;
  pace: Pace;
  submissions: Submissions;
  /** Who may do what. */
  access: Accesses;
  /** What was decided. */
  record: AccessRecord;
}
