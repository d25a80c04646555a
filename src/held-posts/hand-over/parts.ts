import type { PublicationState } from '../../posts/state-copy.ts';
import { decryptRefusal, type ServiceRefusal } from '../../submissions/content.ts';
import { listFormSubmissions } from '../../submissions/sql/lists.ts';
import { findLatestReplacement } from '../../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { type HeldPostRow, listSentPlatforms } from '../held-post.ts';
import { type HeldPostContext, readHeldPost } from '../held-post-context.ts';
import { findMainPart } from '../read-post-facts.ts';
import { findHeldPost } from '../sql/held-posts.ts';

/**
 * Groups the newest submissions of a post: what it became, as a whole or in parts, and the parts that have come back to
 * it. Pure.
 */
export function groupParts<Sent extends Pick<SubmissionRow, 'item' | 'state' | 'reason'>>(
  { sent_to: sentTo }: Pick<HeldPostRow, 'sent_to'>,
  newest: readonly Sent[],
): { parts?: Sent[]; returned?: Sent[] } {
  const isSplit = sentTo !== null;
  const own = newest.filter(({ item }) => isSplit === item > 0);
  return Object.groupBy(own, (sent) => (isSplit && isBackInPost(sent) ? 'returned' : 'parts'));
}

/** Lists the submissions that a post became, as they are now. */
export async function listSubmissions(context: HeldPostContext, row: HeldPostRow): Promise<SubmissionRow[]> {
  const { parts } = groupParts(row, await listNewest(context, row));
  return findReplacements(context, parts);
}

/** Lists the submissions of a post that was handed over in parts. None for any other post. */
export async function listParts(context: HeldPostContext, row: HeldPostRow): Promise<SubmissionRow[]> {
  return row.sent_to === null ? [] : listSubmissions(context, row);
}

const findReplacements = ({ submissions }: HeldPostContext, rows: readonly SubmissionRow[] = []) =>
  Promise.all(rows.map((row) => findLatestReplacement(submissions.context, row)));

async function listNewest({ db }: HeldPostContext, { workspace, id: origin, submission }: HeldPostRow) {
  return submission === null ? [] : listFormSubmissions(db, { workspace, origin });
}

/** Whether the service didn't get a submission, and its post decides what becomes of it. */
export function isBackInPost({ state, reason }: Pick<SubmissionRow, 'state' | 'reason'>): boolean {
  return state === 'discarded' && reason === 'returned';
}

/** Lists the platforms of parts whose content is still stored. */
export function listPlatforms(
  context: HeldPostContext,
  parts: readonly Pick<SubmissionRow, 'id' | 'workspace' | 'content'>[],
): string[] {
  return parts.flatMap((part) => readHeldPost(context, part)?.platforms ?? []);
}

/** A submission of a held post, decrypted. */
export interface Part {
  sent: SubmissionRow;
  platforms: readonly string[];
  refusal: ServiceRefusal | undefined;
}

interface LoadedParts {
  /** The post as it is now, if it has several parts. */
  row: HeldPostRow;
  /** The part that decides what people read: one that waits for somebody, or else one that isn't done. */
  main: Part | undefined;
  parts: readonly Part[];
  /** The parts that say why the post needs somebody. */
  refused: readonly Part[];
  /** What became of confirmed parts at their time, as far as that is known. */
  publications: readonly { platforms: readonly string[]; state: PublicationState }[];
}

export async function loadParts(context: HeldPostContext, row: HeldPostRow): Promise<LoadedParts> {
  const newest = groupParts(row, await listNewest(context, row));
  // A part that has come back since the post was read is missing, and has changed the post too.
  const current = row.sent_to === null ? undefined : await findHeldPost(context.db, row);
  if (current && current.fence !== row.fence) return loadParts(context, current);
  const toPart = (sent: SubmissionRow): Part => ({
    sent,
    platforms: listPlatforms(context, [sent]),
    refusal: decryptRefusal(context.submissions.context, sent),
  });
  const parts = (await findReplacements(context, newest.parts)).map(toPart);
  const urgent = findMainPart(row, parts);
  const sentTo = listSentPlatforms(row);
  const wasSentAgain = ({ platforms }: Part) => platforms.some((platform) => sentTo.includes(platform));
  const refused =
    row.sent_to !== null && row.state === 'needs-person'
      ? (newest.returned ?? []).map(toPart).filter((part) => !wasSentAgain(part))
      : urgent
        ? [urgent]
        : [];
  const publications = await loadPublications(context, row, parts);
  return { row, main: refused[0], parts, refused, publications };
}

async function loadPublications(
  { submissions: { context }, clock }: HeldPostContext,
  { state, publish_at: publishAt }: HeldPostRow,
  parts: readonly Part[],
): Promise<LoadedParts['publications']> {
  if (state !== 'delivered' || !publishAt || publishAt > clock.now()) return [];
  const found = await Promise.all(
    parts.map(async ({ sent, platforms }) => {
      const publication = sent.state === 'confirmed' ? await context.findPublication(sent) : undefined;
      return publication === undefined ? [] : [{ platforms, state: publication }];
    }),
  );
  return found.flat();
}
