import type { Post } from '../api/posts.ts';
import { addMs } from '../engine/clock.ts';
import { readContent } from './content.ts';
import { FINAL_STATES, getStateCopy, type SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { getUnsentStatus } from './unsent-posts.ts';

/** The service's list may be this old, so that it lacks a post that was confirmed meanwhile. */
const LIST_MAX_AGE_MS = 2 * 60_000;
/** Maximum posts of a project that are sent within that time and are compared with others. */
const MAX_PLANNED = 500;

/**
 * Lists a project's posts to come that Upnext has sent, or is sending, and that the service's list may lack: those under
 * way, and those that were confirmed lately. `isTruncated`: there are more.
 */
export async function listPlannedSubmissions(
  context: SubmissionContext,
  { workspace, project, from, to }: { workspace: string; project: string; from: Date; to: Date },
): Promise<{ posts: { post: Post; origin: string }[]; isTruncated: boolean }> {
  const select = () =>
    context.db
      .selectFrom('submission')
      .selectAll()
      .where(({ and }) => and({ workspace, project, kind: 'post' }))
      .where('publish_at', '>=', from)
      .where('publish_at', '<=', to)
      .limit(MAX_PLANNED + 1);
  const now = context.clock.readShared();
  const [unfinished, confirmed] = await Promise.all([
    select().where('state', 'not in', FINAL_STATES).orderBy('publish_at').execute(),
    select()
      .where('state', '=', 'confirmed')
      .where('changed_at', '>=', addMs(now, -LIST_MAX_AGE_MS))
      // An index has these. Retries may have taken as long as that.
      .where('created_at', '>=', addMs(now, -context.pace.giveUpMs - LIST_MAX_AGE_MS))
      .orderBy('created_at', 'desc')
      .execute(),
  ]);
  const mayGoOut = (row: SubmissionRow) =>
    row.state === 'confirmed' || getUnsentStatus(getStateCopy(row)) !== 'FAILED';
  const posts = [...unfinished, ...confirmed].filter(mayGoOut).flatMap((row) => {
    const kind = context.findKind(row.kind);
    const read = readContent(context, kind, row);
    if (!read || !kind?.post || kind.post.isDraft(read.content)) return [];
    return [{ post: kind.post.toPost(read.content), origin: row.origin }];
  });
  return { posts, isTruncated: [unfinished, confirmed].some(({ length }) => length > MAX_PLANNED) };
}
