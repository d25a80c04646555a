import type { PublicationState } from '../../posts/state-copy.ts';
import { decryptRefusal, type ServiceRefusal } from '../../submissions/content.ts';
import {
  findLatestReplacement,
  findSubmission,
  listFormSubmissions,
} from '../../submissions/sql/submissions.ts';
import { FINAL_STATES, STATES_WAITING_FOR_PERSON, type SubmissionRow } from '../../submissions/submission.ts';
import { type HeldPostRow, listSentPlatforms } from '../held-post.ts';
import { type HeldPostContext, readHeldPost } from '../held-post-context.ts';
import { findHeldPost } from '../sql/held-posts.ts';

/** Lists the submissions that a post became, as they are now: one, or its parts without those that were returned. */
export async function listSubmissions(context: HeldPostContext, row: HeldPostRow): Promise<SubmissionRow[]> {
  if (row.sent_to !== null) return listParts(context, row);
  const submission = await findLatestSubmission(context, row);
  return submission ? [submission] : [];
}

/** Lists the submissions of a post that was handed over in parts. None for any other post. */
export async function listParts(context: HeldPostContext, row: HeldPostRow): Promise<SubmissionRow[]> {
  if (row.sent_to === null) return [];
  const parts = (await listNewest(context, row)).filter((part) => !isBackInPost(part));
  return Promise.all(parts.map((part) => findLatestReplacement(context.submissions.context, part)));
}

/** Finds the submission that says what became of a post. */
async function findLatestSubmission(
  { db, submissions: { context } }: HeldPostContext,
  { submission: id, workspace }: HeldPostRow,
): Promise<SubmissionRow | undefined> {
  const submission = id === null ? undefined : await findSubmission(db, { id, workspace });
  return submission && findLatestReplacement(context, submission);
}

async function listNewest({ db }: HeldPostContext, { workspace, id: origin }: HeldPostRow) {
  const rows = await listFormSubmissions(db, { workspace, origin });
  return rows.filter(({ item }) => item > 0);
}

/** Whether the service didn't get a submission, and its post decides what becomes of it. */
export function isBackInPost({ state, reason }: SubmissionRow): boolean {
  return state === 'discarded' && reason === 'returned';
}

/** Lists the platforms of parts whose content is still stored. */
export function listPlatforms(
  context: HeldPostContext,
  parts: readonly Pick<SubmissionRow, 'id' | 'workspace' | 'content'>[],
): string[] {
  return parts.flatMap((part) => readHeldPost(context, part)?.platforms ?? []);
}

/** Lists the platforms whose part the service may have, but hasn't confirmed. */
export async function listUnconfirmed(context: HeldPostContext, row: HeldPostRow): Promise<string[]> {
  const parts = await listParts(context, row);
  return listPlatforms(
    context,
    parts.filter(({ state }) => state !== 'confirmed' && state !== 'discarded'),
  );
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
  const submissions = await listSubmissions(context, row);
  const isSplit = row.sent_to !== null;
  const returned =
    isSplit && row.state === 'needs-person' ? await listReturnedParts(context, row) : undefined;
  // A part that has come back since the post was read is missing, and has changed the post too.
  const current = isSplit ? await findHeldPost(context.db, row) : undefined;
  if (current && current.fence !== row.fence) return loadParts(context, current);
  const toPart = (sent: SubmissionRow): Part => ({
    sent,
    platforms: listPlatforms(context, [sent]),
    refusal: decryptRefusal(context.submissions.context, sent),
  });
  const parts = submissions.map(toPart);
  const [urgent] = parts.toSorted((one, other) => getUrgency(one) - getUrgency(other));
  const refused = returned ? returned.map(toPart) : urgent ? [urgent] : [];
  const publications = await loadPublications(context, row, parts);
  return { row, main: refused[0], parts, refused, publications };
}

/** Lists the submissions of a post's parts that the service didn't get, and that haven't been sent again. */
async function listReturnedParts(context: HeldPostContext, row: HeldPostRow): Promise<SubmissionRow[]> {
  const sent = listSentPlatforms(row);
  return (await listNewest(context, row)).filter(
    (part) =>
      isBackInPost(part) && !listPlatforms(context, [part]).some((platform) => sent.includes(platform)),
  );
}

function getUrgency({ sent: { state } }: Part): number {
  if (STATES_WAITING_FOR_PERSON.some((waiting) => waiting === state)) return 0;
  return FINAL_STATES.some((final) => final === state) ? 2 : 1;
}

export const isConfirmed = ({ sent }: Part) => sent.state === 'confirmed';

async function loadPublications(
  { submissions: { context }, clock }: HeldPostContext,
  { state, publish_at: publishAt }: HeldPostRow,
  parts: readonly Part[],
): Promise<LoadedParts['publications']> {
  if (state !== 'delivered' || !publishAt || publishAt > clock.now()) return [];
  const found = await Promise.all(
    parts.filter(isConfirmed).map(async ({ sent, platforms }) => {
      const publication = await context.findPublication(sent);
      return publication === undefined ? [] : [{ platforms, state: publication }];
    }),
  );
  return found.flat();
}
