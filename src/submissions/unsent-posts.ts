import { type Kysely, sql } from 'kysely';
import type { Post } from '../api/posts.ts';
import type { PostFacts } from '../posts/describe-post.ts';
import { readConfirmed } from './content.ts';
import {
  FINAL_STATES,
  getStateCopy,
  STATES,
  STATES_WAITING_FOR_PERSON,
  type SubmissionRow,
  type SubmissionTables,
} from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** The statuses of submissions that the service doesn't have, or may not have. */
export const UNSENT_STATUSES = ['PENDING', 'UNCERTAIN', 'FAILED'] as const;

/** Maximum number of submissions in a list of posts. */
const MAX_UNSENT_POSTS = 100;

/** Returns the status of an unfinished submission. */
export function getUnsentStatus(
  copy: Pick<ReturnType<typeof getStateCopy>, 'state' | 'remote' | 'waitsFor'>,
): (typeof UNSENT_STATUSES)[number] {
  const { state, remote, waitsFor } = copy;
  if (remote === 'unknown' && state !== 'sending') return 'UNCERTAIN';
  return waitsFor === 'upnext' ? 'PENDING' : 'FAILED';
}

/** `post.status` is one of `UNSENT_STATUSES`. */
interface UnsentPost {
  post: Post;
  facts: PostFacts;
  /** The author's Slack id. */
  author: string;
  /** The id of the form, or of the held post that was handed over. */
  origin: string;
}

interface UnsentPostsQuery {
  workspace: string;
  project: string;
  author?: string | undefined;
  statuses: readonly string[];
}

/**
 * Lists a project's posts that the service doesn't have or may not have, and posts that the service has but didn't
 * publish. With `author`, unfinished submissions of other people are left out. `statuses`: those of `UNSENT_STATUSES`
 * that are wanted; others may be listed too.
 */
export async function listUnsentPosts(
  context: SubmissionContext,
  query: UnsentPostsQuery,
): Promise<{ posts: UnsentPost[]; isTruncated: boolean }> {
  const rows = await selectRows(context.db, query);
  const posts = rows.slice(0, MAX_UNSENT_POSTS).map((row): UnsentPost => {
    const kind = context.findKind(row.kind);
    const content = readConfirmed(context, kind, row);
    const post = (content && kind?.post?.toPost(content.content)) ?? { platforms: [] };
    const isConfirmed = row.state === 'confirmed';
    const status = isConfirmed ? 'FAILED' : getUnsentStatus(getStateCopy(row));
    return {
      post: { ...post, id: row.service_id ?? undefined, status },
      facts: isConfirmed ? { publication: 'failed' } : { sent: row },
      author: row.author,
      origin: row.origin,
    };
  });
  return { posts, isTruncated: rows.length > MAX_UNSENT_POSTS };
}

function selectRows(
  db: Kysely<SubmissionTables>,
  { workspace, project, author, statuses }: UnsentPostsQuery,
): Promise<SubmissionRow[]> {
  // Whether the outcome of a submission is uncertain depends on more than its state.
  const states = STATES.filter((state) => {
    const status = STATES_WAITING_FOR_PERSON.includes(state) ? 'FAILED' : 'PENDING';
    return statuses.includes('UNCERTAIN') || statuses.includes(status);
  });
  const failedIds = sql`select id from publication where workspace = ${workspace} and state = 'failed'`;
  return db
    .selectFrom('submission')
    .selectAll()
    .where(({ and }) => and({ workspace, project, kind: 'post' }))
    .where(({ and, eb, or }) =>
      or([
        // An array, because Postgres can't use the index for a subquery within OR.
        ...(statuses.includes('FAILED')
          ? [and([eb('state', '=', 'confirmed'), sql<boolean>`id = any(array(${failedIds}))`])]
          : []),
        and([
          eb('state', 'not in', FINAL_STATES),
          eb('state', 'in', states),
          ...(author === undefined ? [] : [eb('author', '=', author)]),
        ]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(MAX_UNSENT_POSTS + 1)
    .execute();
}
