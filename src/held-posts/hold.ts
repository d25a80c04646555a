import { MINUTE_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import {
  computeHandOverAt,
  holdsPosts,
  type ProjectPolicy,
  requiresReview,
} from '../preferences/project-policy.ts';
import { lockUntilEnd } from '../store/locks.ts';
import { findSamePostStart } from '../submissions/save.ts';
import { listEarlierSubmissions } from '../submissions/sql/lists.ts';
import { replaceSubmission } from '../submissions/sql/submissions.ts';
import { ENDED_UNSENT_STATES } from '../submissions/submission.ts';
import { editHeldPost } from './change.ts';
import { type HeldPostRow, splitPlatforms } from './held-post.ts';
import {
  createContentColumns,
  describeWithoutTime,
  type HeldPostContext,
  readHeldPost,
  readPostsWithoutTime,
  wakeFor,
} from './held-post-context.ts';
import { type FoundSlot, giveSlot, type TimedContent } from './slots/service-slots.ts';
import { endReservation } from './slots/slots.ts';
import { listEvents } from './sql/events.ts';
import { findEqualHeldPost, listFormHeldPosts, type NewHeldPost } from './sql/held-posts.ts';
import { prepareHeldPost, type ReceivedPost, storeNewPost } from './store-post.ts';

export interface ReceivedPosts<Content = unknown> extends ReceivedPost {
  /** The content for each publishing time. */
  contents: readonly Content[];
  /** When Slack sent the form, on its clock. Undefined if that isn't known. */
  sentAt?: Date | undefined;
  /** The posts are rows of an import, which has compared them with others before. */
  imported?: {
    items: readonly number[];
    /**
     * Runs in the transaction, before anything is stored. Finds the items that the service has, or may have, since the import compared them.
     * Throws if the import may store nothing any more.
     */
    findSent(transaction: HeldPostContext['db']): Promise<ReadonlySet<number>>;
  };
}

export interface HeldPost {
  row: HeldPostRow;
  /** Whether the author stored the same post from another form a moment ago. */
  wasSavedBefore: boolean;
  /** The slot that the post has taken. `isOther`: it isn't the one that the author saw, which was taken meanwhile. */
  slot?: FoundSlot & { isOther: boolean };
}

/** Whether a post is held: its project holds posts and it can change, or it is a draft there, or needs a review. */
export function shouldHold(
  { kind, clock }: Pick<HeldPostContext, 'kind' | 'clock'>,
  policy: ProjectPolicy,
  content: unknown,
): boolean {
  if (!holdsPosts(policy)) return false;
  const publishAt = kind.post.getTime(content);
  const isTimed = kind.post.getSlotStart(content) === undefined && publishAt !== undefined;
  if (kind.post.isDraft(content) || !isTimed || requiresReview(policy)) return true;
  return computeHandOverAt(policy, publishAt, clock.now()) > clock.now();
}

/**
 * Stores the posts of a form, all or none, in the order of their contents. Leaves out those that the form has sent to the
 * service before. Posts that take slots get them first. Throws `NoFreeSlot` if there is none.
 */
export async function holdPosts(context: HeldPostContext, received: ReceivedPosts): Promise<HeldPost[]> {
  const items = received.imported?.items ?? received.contents.map((_, index) => index);
  const timed = await giveSlots(context, received, items);
  const contents = timed.map(({ content }) => content);
  const posts = await storePosts(context, { ...received, contents }, { items, timed });
  return posts.map((post, index): HeldPost => {
    const slot = post.slot ?? timed.find((_, position) => items[position] === post.row.item)?.slot;
    const shownAt = context.kind.post.getTime(received.contents[index])?.getTime();
    const { row, wasSavedBefore } = post;
    const taken = slot && { slot: { ...slot, isOther: shownAt !== slot.instant.getTime() } };
    return { row, wasSavedBefore, ...taken };
  });
}

/**
 * Gives the contents of a form their slots. A form that is sent again keeps those of its posts, unless it asks for others
 * now: then its correction takes them.
 */
async function giveSlots(
  context: HeldPostContext,
  { contents, ...received }: ReceivedPosts,
  items: readonly number[],
): Promise<TimedContent[]> {
  const { post } = context.kind;
  const timed: TimedContent[] = [];
  const takesSlot = contents.some((content) => post.getSlotStart(content));
  const knownRows = takesSlot ? await listFormHeldPosts(context.db, received) : [];
  for (const [index, content] of contents.entries()) {
    const item = items[index] ?? index;
    const row = knownRows.find((known) => known.item === item);
    const from = post.getSlotStart(content);
    if (!row || !from)
      // An import has given its rows slots that were compared with the service's posts, so nobody waits for those again.
      timed.push(
        await giveSlot(
          context,
          { ...received, item },
          content,
          received.imported && { maxWaitMs: 0, isLive: false },
        ),
      );
    else if (row.publish_at && keepsTime(context, row, content, from)) {
      // A form that hasn't shown its slot doesn't know the slot's zone.
      const zone = readHeldPost(context, row)?.timezone;
      timed.push({ content: post.moveTo(content, { instant: row.publish_at, ...(zone && { zone }) }) });
    } else timed.push({ content });
  }
  return timed;
}

/**
 * Whether a stored post keeps its time although its form asks for a slot. It does if its time was taken as a slot, so that a
 * form that arrives twice changes nothing, whatever has happened since. A post that was edited elsewhere keeps its time too.
 */
function keepsTime({ kind }: HeldPostContext, row: HeldPostRow, content: unknown, from: Date): boolean {
  if (row.version !== row.form_version) return true;
  const taken = splitPlatforms(row.platforms);
  const isWanted = kind.post.toPost(content).platforms.every((platform) => taken.includes(platform));
  return row.has_slot && row.publish_at !== null && row.publish_at >= from && isWanted;
}

async function storePosts(
  context: HeldPostContext,
  received: ReceivedPosts,
  { items, timed }: { items: readonly number[]; timed: readonly TimedContent[] },
): Promise<StoredPost[]> {
  const { workspace, project, contents, imported, sentAt } = received;
  const newPosts = await Promise.all(
    contents.map((content, index) => prepareHeldPost(context, received, content, items[index] ?? index)),
  );
  const since = findSamePostStart(context.clock.readShared(), sentAt);
  const corrections = await context.db.transaction().execute(async (trx) => {
    // An author's forms wait for each other, so that equal posts see each other.
    await lockUntilEnd(trx, `held posts ${workspace} ${received.author}`);
    // Several people may import the same table.
    if (imported) await lockUntilEnd(trx, `imported posts ${workspace}/${project}`);
    // An import has no submissions to replace. What others have sent of its rows keeps no slot, so that becomes free again.
    const { sentItems, deliveries } = imported
      ? { sentItems: await imported.findSent(trx), deliveries: new Map<number, string>() }
      : await replaceEarlierSubmissions(context, trx, received);
    const knownRows = await listFormHeldPosts(trx, received);
    const corrections: Correction[] = [];
    for (const [index, post] of newPosts.entries()) {
      const sent = { post, content: contents[index], slot: timed[index]?.slot };
      const row = knownRows.find(({ item }) => item === post.item);
      if (row) {
        const takesSlot = context.kind.post.getSlotStart(sent.content) !== undefined;
        const isCorrected =
          !imported && (await hasCorrection(context, trx, { row, sent: post, sentAt, takesSlot }));
        const content = isCorrected ? sent.content : undefined;
        corrections.push({ post: { row, wasSavedBefore: false }, content });
      } else if (!sentItems.has(post.item)) {
        const equalRow = await findEqualPost(context, trx, sent, { imported, since });
        const stored = equalRow ?? (await storeSentPost(context, trx, sent, deliveries.get(post.item)));
        corrections.push({
          post: { row: stored, wasSavedBefore: equalRow !== undefined },
          content: undefined,
        });
      }
    }
    return corrections;
  });
  for (const { post } of corrections) wakeFor(context, post.row);
  return Promise.all(corrections.map((correction) => applyCorrection(context, correction)));
}

/** A post of a form, and the slot that is reserved for it. */
interface SentPost {
  post: NewHeldPost;
  content: unknown;
  slot: TimedContent['slot'] | undefined;
}

/** Finds a post that is the same. Whenever and by whom a row of a table was stored, an import of it makes no second post. */
async function findEqualPost(
  context: HeldPostContext,
  trx: HeldPostContext['db'],
  { post, content, slot }: SentPost,
  { imported, since }: { imported: ReceivedPosts['imported'] | undefined; since: Date },
): Promise<HeldPostRow | undefined> {
  if (!imported) return findEqualHeldPost(trx, post, since);
  if (slot) return findRepeatedPost(context, trx, post, content);
  return findEqualHeldPost(trx, { ...post, author: undefined }, new Date(0));
}

async function storeSentPost(
  context: HeldPostContext,
  trx: HeldPostContext['db'],
  { post, slot }: SentPost,
  delivery: string | undefined,
): Promise<HeldPostRow> {
  const row = await storeNewPost(context, trx, { ...post, has_slot: slot !== undefined }, { delivery });
  if (!row) throw new Error('a form has stored a held post twice');
  if (slot) await endReservation(context, trx, row);
  return row;
}

/** Another import of the same rows may have stored its posts since this one compared them. */
const RECENT_MS = 10 * MINUTE_MS;

/** Finds a post that another import has just made of the same row, which took another slot. */
async function findRepeatedPost(
  context: HeldPostContext,
  trx: HeldPostContext['db'],
  { workspace, project, origin }: NewHeldPost,
  content: unknown,
): Promise<HeldPostRow | undefined> {
  const since = addMs(context.clock.readShared(), -RECENT_MS);
  const known = await readPostsWithoutTime(context, trx, { workspace, project, origin, since });
  return known.get(describeWithoutTime(context, content));
}

/** Whether the author has stored one of these posts from another form a moment ago, when it was still to be held. */
export async function hasEqualHeldPosts(context: HeldPostContext, received: ReceivedPosts): Promise<boolean> {
  const since = findSamePostStart(context.clock.readShared(), received.sentAt);
  for (const content of received.contents) {
    const { content_hash } = await createContentColumns(
      context,
      received.workspace,
      content,
      received.policy,
    );
    if (await findEqualHeldPost(context.db, { ...received, content_hash }, since)) return true;
  }
  return false;
}

export type NotHeldReason =
  /** The submission that the form edits has reached the service meanwhile, or may have. */
  | 'sent-meanwhile'
  /** The post was edited or cancelled elsewhere since the form stored it, so the form's correction isn't applied. */
  | 'changed-elsewhere'
  /** Slack sent this request before the one whose content is stored, as far as its clock says. */
  | 'sent-late';

/** The posts of a form certainly weren't stored. */
export class NotHeld extends Error {
  override name = 'NotHeld';
  readonly reason: NotHeldReason;

  constructor(reason: NotHeldReason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Discards what the service doesn't have, so that only the held posts are sent: the submission that the form edits, and
 * those of the form that the service refused. Resolves with the items that it has, or may have
 * (`sentItems`), and with the discarded submission of each other item (`deliveries`).
 */
async function replaceEarlierSubmissions(
  { clock }: HeldPostContext,
  trx: HeldPostContext['db'],
  { workspace, author, origin }: ReceivedPosts,
): Promise<{ sentItems: ReadonlySet<number>; deliveries: ReadonlyMap<number, string> }> {
  const now = clock.readShared();
  const earlierRows = await listEarlierSubmissions(trx, { workspace, author, origin });
  const edited = earlierRows.find(({ id }) => id === origin);
  if (edited && !(await replaceSubmission(trx, edited, now))) throw new NotHeld('sent-meanwhile');
  const sentItems = new Set<number>();
  const deliveries = new Map(edited && [[0, edited.id]]);
  for (const row of earlierRows) {
    if (row === edited) continue;
    const isEnded = ENDED_UNSENT_STATES.includes(row.state);
    if (isEnded && row.state !== 'discarded') await replaceSubmission(trx, row, now);
    if (isEnded) deliveries.set(row.item, row.id);
    else sentItems.add(row.item);
  }
  return { sentItems, deliveries };
}

/** A stored post. `slot`: the one that a correction of it has taken. */
type StoredPost = Omit<HeldPost, 'slot'> & { slot?: FoundSlot };

/** A stored post, and what its form has sent since. */
interface Correction {
  post: StoredPost;
  /** Undefined if the form has sent nothing new. */
  content: unknown;
}

/**
 * Whether a form was sent again with another content, because its answer was lost. After somebody has edited the post
 * elsewhere, or the form was sent once more, what the form has stored before is an old request, which changes nothing.
 * Throws `NotHeld` if the correction is of a version that nobody sees any more, or came late. `takesSlot`: it asks for a slot
 * that the post doesn't have, which the hash of its content may not say.
 */
async function hasCorrection(
  { clock }: HeldPostContext,
  trx: HeldPostContext['db'],
  {
    row,
    sent,
    sentAt,
    takesSlot,
  }: { row: HeldPostRow; sent: NewHeldPost; sentAt: Date | undefined; takesSlot: boolean },
): Promise<boolean> {
  if (row.content_hash === sent.content_hash && !takesSlot) return false;
  const events = await listEvents(trx, row);
  const stored = events.find(({ version }) => version === row.version);
  // The author may have corrected it meanwhile, while this request waited, for example for a frozen instance.
  const isLate = stored && sentAt && addMs(sentAt, MAX_STORE_DELAY_MS) < clock.toShared(stored.at);
  if (row.version === row.form_version && !isLate) return true;
  const isRepeated = events.some(
    ({ version, content_hash: hash }) => version <= row.form_version && hash === sent.content_hash,
  );
  if (isRepeated) return false;
  throw new NotHeld(isLate && row.version === row.form_version ? 'sent-late' : 'changed-elsewhere');
}

/** Slack's clock and the database's may differ a little, and a form takes a while until it is stored. */
const MAX_STORE_DELAY_MS = 5_000;

async function applyCorrection(context: HeldPostContext, { post, content }: Correction): Promise<StoredPost> {
  if (content === undefined) return post;
  const { id, workspace, author: actor, version } = post.row;
  const result = await editHeldPost(context, { id, workspace, actor, version }, content, 'corrected');
  if (result.kind === 'changed')
    return { ...post, row: result.row, ...(result.slot && { slot: result.slot }) };
  const isHandedOver = result.kind === 'too-late' && result.row.state !== 'cancelled';
  throw new NotHeld(isHandedOver ? 'sent-meanwhile' : 'changed-elsewhere');
}
