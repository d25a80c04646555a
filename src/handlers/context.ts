import type { Kysely } from 'kysely';
import type { AccessControl, AuditRecord, Deed, Encryption } from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import type { ProbeLink } from '../api/probe-link.ts';
import type { Digests } from '../digests/digests.ts';
import type { Engine } from '../engine/engine.ts';
import type { HeldPosts } from '../held-posts/held-posts.ts';
import type { ImportContext } from '../imports/import-context.ts';
import type { Media } from '../media/media.ts';
import type { Pace } from '../submissions/pace.ts';
import type { Submissions } from '../submissions/submissions.ts';
import type { Services } from '../workspaces/workspaces.ts';
import type { BotSchema } from './schema.ts';

/** The app context, which every handler gets. */
export interface AppContext {
  /** The client for the workspace's scheduling service. */
  api: ApiClient;
  /** The connections of all workspaces to scheduling services. */
  services: Services;
  /** Cached lists for select menus, at most a minute old. */
  reads: CachedReads;
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** Whether the scheduling service is the built-in emulator, which publishes nothing. */
  isEmulated: boolean;
  /** Whether people may delete files, although the API doesn't document which file it deletes. */
  allowFileDeletion: boolean;
  pace: Pace;
  submissions: Submissions;
  digests: Digests;
  engine: Engine;
  heldPosts: HeldPosts;
  /** Imports of tables of posts. */
  imports: ImportContext;
  /** Files from Slack that posts refer to. */
  media: Media;
  /** Finds out where a typed link leads. Undefined if links aren't asked. */
  probeLink: ProbeLink | undefined;
  /** Roles and permissions. */
  access: AccessControl;
  /** The audit log. */
  record: AuditRecord;
  /** What the audit log says about each request. See `listDeeds`. */
  deeds: ReadonlyMap<string, Deed>;
}
