import { findLatestReplacement, listFormSubmissions } from '../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import { type HeldPostRow, listSentPlatforms } from './held-post.ts';
import { type HeldPostContext, readHeldPost } from './held-post-context.ts';

/** Lists the submissions of a post that was handed over in parts, as they are now. Leaves out those that were returned. */
export async function listParts(context: HeldPostContext, row: HeldPostRow): Promise<SubmissionRow[]> {
  const parts = (await listNewest(context, row)).filter((part) => !isReturned(part));
  return Promise.all(parts.map((part) => findLatestReplacement(context.submissions.context, part)));
}

/** Lists the submissions of a post's parts that the service didn't get, and that haven't been sent again. */
export async function listReturnedParts(
  context: HeldPostContext,
  row: HeldPostRow,
): Promise<SubmissionRow[]> {
  const sent = listSentPlatforms(row);
  return (await listNewest(context, row)).filter(
    (part) => isReturned(part) && !listPlatforms(context, [part]).some((platform) => sent.includes(platform)),
  );
}

async function listNewest({ db }: HeldPostContext, { workspace, id: origin }: HeldPostRow) {
  const rows = await listFormSubmissions(db, { workspace, origin });
  return rows.filter(({ item }) => item > 0);
}

/** Lists the platforms whose part the service may have, but hasn't confirmed. */
export async function listUnconfirmed(context: HeldPostContext, row: HeldPostRow): Promise<string[]> {
  const parts = row.sent_to === null ? [] : await listParts(context, row);
  return listPlatforms(
    context,
    parts.filter(({ state }) => state !== 'confirmed' && state !== 'discarded'),
  );
}

/** Whether the service didn't get a submission, and its post decides what becomes of it. */
export function isReturned({ state, reason }: SubmissionRow): boolean {
  return state === 'discarded' && reason === 'returned';
}

/** Lists the platforms of parts whose content is still stored. */
export function listPlatforms(
  context: HeldPostContext,
  parts: readonly Pick<SubmissionRow, 'id' | 'workspace' | 'content'>[],
): string[] {
  return parts.flatMap((part) => readHeldPost(context, part)?.platforms ?? []);
}
