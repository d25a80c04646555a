import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Role } from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { HeldPostTables } from '../held-posts/held-post.ts';
import type { HeldPostContext } from '../held-posts/held-post-context.ts';
import type { Media } from '../media/media.ts';
import { within } from '../promises.ts';
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
  /** Whether the person certainly hasn't the role. While it couldn't be found out, this and `may` are false. */
  lacks(role: Role, project?: string): boolean;
  /** Reads the person's zone, and how they read dates. */
  fetchReader(): Promise<{ zone: string; knownZone?: string | undefined; locale?: string | undefined }>;
}

/** A look for one page, whose reader doesn't wait for everything. */
export interface PageLook extends Look {
  /** How long the page may still read from the service. */
  leftMs(): number;
}

/** Reads from the service as long as the page may. What comes later is as if the service hadn't answered. */
export async function readInTime<Data>(
  { leftMs }: Pick<PageLook, 'leftMs'>,
  read: () => Promise<Outcome<Data>>,
): Promise<Outcome<Data>> {
  const late = { kind: 'unknown', cause: 'timed-out', requestId: '' } as const;
  const ms = leftMs();
  return ms > 0 ? within(ms, read(), late) : late;
}
