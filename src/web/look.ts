import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Role } from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import type { HeldPostTables } from '../held-posts/held-post.ts';
import type { HeldPostContext } from '../held-posts/held-post-context.ts';
import type { Media } from '../media/media.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { Submissions } from '../submissions/submissions.ts';

/** The person of a link, and all that they may see: what isn't theirs to see, the clients in `context` don't find. */
export interface Look {
  actor: Actor;
  client: WebClient;
  log: Log;
  /** Identifies the request in the log. */
  reference: string;
  context: {
    api: ApiClient;
    reads: CachedReads;
    db: Kysely<HeldPostTables>;
    heldPosts: HeldPostContext;
    submissions: Submissions;
    media: Media;
  };
  now(): Date;
  may(role: Role, project?: string): boolean;
  /** Reads the person's zone, and how they read dates. */
  fetchReader(): Promise<{ zone: string; knownZone?: string | undefined; locale?: string | undefined }>;
}
