import type { Queryable } from '../../store/database.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import type { HeldPostTables } from '../held-post.ts';

/**
 * Finds a submission of the author, or of a post that the author wrote and Upnext kept. Such a post may have been sent
 * with the role of an approver, who is then the author of the submission.
 */
export function findAuthoredSubmission(
  db: Queryable<HeldPostTables>,
  { id, workspace, author }: Pick<SubmissionRow, 'id' | 'workspace' | 'author'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .leftJoin('held_post', (join) =>
      join
        .onRef('held_post.id', '=', 'submission.origin')
        .onRef('held_post.workspace', '=', 'submission.workspace'),
    )
    .selectAll('submission')
    .where('submission.id', '=', id)
    .where('submission.workspace', '=', workspace)
    .where(({ eb, or }) => or([eb('submission.author', '=', author), eb('held_post.author', '=', author)]))
    .executeTakeFirst();
}
