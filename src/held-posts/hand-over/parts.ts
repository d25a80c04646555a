import { normalizeText, POST_FIELDS } from '../../api/post-fields.ts';
import { findOwnText, type Post } from '../../api/posts.ts';
import type { PartsFacts, PostFacts } from '../../posts/describe-post.ts';
import { sortPlatforms } from '../../posts/platforms.ts';
import { isDecidedBySubmission, type PublicationState, type SentRow } from '../../posts/state-copy.ts';
import { decryptRefusal, type ServiceRefusal } from '../../submissions/content.ts';
import { listFormSubmissions } from '../../submissions/sql/lists.ts';
import { findLatestReplacement, findRowsById } from '../../submissions/sql/submissions.ts';
import { isGivenUp, STATES_WAITING_FOR_PERSON, type SubmissionRow } from '../../submissions/submission.ts';
import { type HeldPostRow, listSentPlatforms } from '../held-post.ts';
import { type HeldPostContext, readHeldPost } from '../held-post-context.ts';
import { findHeldPost } from '../sql/held-posts.ts';

/**
 * Groups the newest submissions of a post: what it became, as a whole or in parts, and the parts that have come back to
 * it. Pure.
 */
export function groupParts<Sent extends Pick<SubmissionRow, 'item' | 'state' | 'reason'>>(
  { sent_to: sentTo, at_once: isSentAtOnce }: Pick<HeldPostRow, 'sent_to' | 'at_once'>,
  newest: readonly Sent[],
): { parts?: Sent[]; returned?: Sent[] } {
  if (isSentAtOnce) return { parts: [...newest] };
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

/** `known`: the submission of a post that was sent at once, if the caller has read it. */
async function listNewest(
  { db }: HeldPostContext,
  { workspace, id: origin, submission, at_once: isSentAtOnce }: HeldPostRow,
  known?: SubmissionRow,
) {
  if (submission === null) return [];
  if (isSentAtOnce && known?.id === submission) return [known];
  return isSentAtOnce ? findRowsById(db, [submission]) : listFormSubmissions(db, { workspace, origin });
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

/**
 * Shows a post with what was sent of it: somebody may have edited it since, which changes nothing at the service. `parts`:
 * what was sent for some of its platforms. Pure.
 */
export function showSentTexts(post: Post, parts: readonly Post[]): Post {
  if (parts.length === 0) return post;
  const platforms = sortPlatforms([...new Set([post, ...parts].flatMap((each) => each.platforms))]);
  const { content = '' } = post;
  const getText = (platform: string) =>
    parts.find((part) => part.platforms.includes(platform))?.content ??
    findOwnText(post, platform) ??
    content;
  const groups = [...Map.groupBy(platforms, (platform) => normalizeText(getText(platform)))];
  const [largest] = groups.toSorted(([, one], [, other]) => other.length - one.length);
  const main = groups.find(([text]) => text === normalizeText(content)) ?? largest;
  const toText = ([first = '']: readonly string[]) => getText(first);
  const ownTexts = groups.flatMap((group) =>
    group === main ? [] : [{ platforms: group[1], text: toText(group[1]) }],
  );
  const { ownTexts: _own, ...others } = post;
  return {
    ...{ ...others, platforms, content: main ? toText(main[1]) : content },
    ...(ownTexts.length > 0 && { ownTexts }),
  };
}

/** Adds to the facts of a post what the service has with another picture or source of the text than it has by now. Pure. */
export function addEarlierFields(
  { parts: known, ...facts }: PostFacts,
  post: Post | undefined,
  parts: readonly Post[],
): PostFacts {
  if (!known) return facts;
  const earlier = post === undefined ? [] : parts.flatMap((part) => listEarlierFields(post, part));
  return { ...facts, parts: { ...known, ...(earlier.length > 0 && { earlier }) } };
}

function listEarlierFields(post: Post, part: Post): NonNullable<PartsFacts['earlier']> {
  const fields = POST_FIELDS.filter(
    ({ name }) => name !== 'content' && normalizeText(part[name]) !== normalizeText(post[name]),
  );
  return fields.map(({ label }) => ({ platforms: part.platforms, field: label.toLowerCase() }));
}

/** Reads what the service has, or may have, of a post that was handed over in parts, as far as it is still stored. */
export function readSentPosts(
  context: HeldPostContext,
  row: Pick<HeldPostRow, 'sent_to'>,
  parts: readonly Pick<SubmissionRow, 'id' | 'workspace' | 'content' | 'state' | 'maybe_sent'>[],
): Post[] {
  const sent = parts.filter((part) => !isGivenUp(part));
  return row.sent_to === null ? [] : sent.flatMap((part) => readHeldPost(context, part) ?? []);
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

/** `known`: see `listNewest`. */
export async function loadParts(
  context: HeldPostContext,
  row: HeldPostRow,
  known?: SubmissionRow,
): Promise<LoadedParts> {
  const newest = groupParts(row, await listNewest(context, row, known));
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

/** A submission of a held post. Lists don't say for which time it was sent. */
interface SentPart {
  sent: SentRow & { publish_at?: Date | null };
  platforms: readonly string[];
}

/**
 * Finds the part that decides what people read: one that waits for somebody, or else one that isn't done. While others are
 * sent again, a part that stays behind doesn't count.
 */
export function findMainPart<Part extends SentPart>(
  row: Pick<HeldPostRow, 'sent_to'>,
  parts: readonly Part[],
): Part | undefined {
  const sentTo = listSentPlatforms(row);
  const again = parts.filter(
    ({ sent, platforms }) => getUrgency(sent) < 2 && !platforms.some((platform) => sentTo.includes(platform)),
  );
  const candidates = again.length > 0 ? again : parts;
  return candidates.toSorted((one, other) => getUrgency(one.sent) - getUrgency(other.sent))[0];
}

function getUrgency({ state }: SentRow): number {
  if (STATES_WAITING_FOR_PERSON.includes(state)) return 0;
  if (state === 'discarded') return 3;
  return state === 'confirmed' ? 2 : 1;
}

const isConfirmed = ({ sent }: SentPart) => sent.state === 'confirmed';

/**
 * Reads what cards and lists say of a held post from its row and its submissions. `platforms`: undefined if its content
 * can't be read. `publications`: what became of confirmed parts at their time. Pure.
 */
export function readPostFacts(
  row: Pick<HeldPostRow, 'state' | 'reason' | 'hand_over_at' | 'publish_at' | 'sent_to'>,
  loaded: {
    platforms: readonly string[] | undefined;
    parts: readonly SentPart[];
    publications?: readonly { platforms: readonly string[]; state: PublicationState }[];
    isStopped: boolean;
  },
): PostFacts {
  const { state, reason, hand_over_at, publish_at } = row;
  const { platforms, parts, publications = [], isStopped } = loaded;
  const main = isDecidedBySubmission(state) ? findMainPart(row, parts) : undefined;
  const failed = publications.filter((each) => each.state === 'failed').flatMap((each) => each.platforms);
  const failedParts = failed.length > 0 && { sent: [], others: failed, total: platforms?.length ?? 0 };
  return {
    held: { state, reason, hand_over_at },
    ...(main && { sent: main.sent }),
    ...(row.sent_to !== null && {
      parts: failedParts || (platforms && describePlatforms(row, { platforms, parts, main })),
    }),
    at: publish_at,
    isStopped,
    publication: summarizePublications(publications, parts.filter(isConfirmed).length),
  };
}

/** The platforms that have their part of a post that was handed over in parts, and the others. */
function describePlatforms(
  row: Pick<HeldPostRow, 'state' | 'publish_at' | 'sent_to'>,
  {
    platforms,
    parts,
    main,
  }: { platforms: readonly string[]; parts: readonly SentPart[]; main: SentPart | undefined },
): PostFacts['parts'] {
  const list = (wanted: (sent: SentRow) => boolean) =>
    parts.filter(({ sent }) => wanted(sent)).flatMap((part) => part.platforms);
  const unconfirmed = list((sent) => sent.state !== 'confirmed' && !isGivenUp(sent));
  const sentTo = listSentPlatforms(row);
  const done = new Set([
    ...sentTo.filter((platform) => !unconfirmed.includes(platform)),
    ...list(({ state }) => state === 'confirmed'),
  ]);
  const shown = list(({ state, reason }) => state === main?.sent.state && reason === main.sent.reason);
  // After the others have come back, one whose outcome is unknown is on its own.
  const unsure = unconfirmed.filter(
    (platform) => !main || (sentTo.includes(platform) && !shown.includes(platform)),
  );
  const others = platforms.filter((platform) => !done.has(platform) && !unsure.includes(platform));
  return {
    sent: sortPlatforms([...done]),
    unsure: sortPlatforms(unsure),
    others: main ? others.filter((platform) => shown.includes(platform)) : others,
    // The service has these for another time than the post's, because the post was moved since.
    moved: parts.flatMap((part) => {
      const instant = isConfirmed(part) ? part.sent.publish_at : null;
      if (!instant || instant.getTime() === row.publish_at?.getTime()) return [];
      return [{ platforms: [...part.platforms], instant }];
    }),
    total: new Set([...platforms, ...done, ...unsure]).size,
  };
}

/** What became of a post: the worst that became of a part. It went out once all its parts did. Pure. */
function summarizePublications(
  publications: readonly { state: PublicationState }[],
  partCount: number,
): PublicationState | undefined {
  const worst = (['failed', 'unclear', 'late'] as const).find((wanted) =>
    publications.some(({ state }) => state === wanted),
  );
  if (worst || partCount === 0) return worst;
  return publications.length === partCount ? 'published' : undefined;
}
