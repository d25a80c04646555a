import type { Kysely, Transaction } from 'kysely';
import { type AuditAction, commitWithEntry, type PreparedEntry } from '../access/access.ts';
import type { Change } from '../engine/capability.ts';
import type { HeldReason, HeldState } from '../posts/state-copy.ts';
import { findPolicy, requiresReview } from '../preferences/project-policy.ts';
import { type EventKind, getEventFacts } from './event-kinds.ts';
import { takeFromSubmissions } from './hand-over/withdraw.ts';
import { EDITABLE_STATES, type HeldPostRow, type HeldPostTables, splitPlatforms } from './held-post.ts';
import {
  computeNextAt,
  createContentColumns,
  describeWithoutTime,
  encryptJson,
  findStateOfContent,
  type HeldPostContext,
  readHeldContent,
} from './held-post-context.ts';
import type { Refusal } from './refusals.ts';
import { type FoundSlot, giveSlot } from './slots/service-slots.ts';
import { endReservation } from './slots/slots.ts';
import { addEvent, isChangedOnlyBy } from './sql/events.ts';
import { findHeldPost, type HeldPostKey } from './sql/held-posts.ts';

export interface PostChange {
  to: Exclude<HeldState, 'handed-over' | 'delivered' | 'dropped'>;
  reason?: HeldReason;
  /** Columns that change. A new `content` needs a new `version`. */
  columns?: Change<HeldPostRow>;
  event: EventKind;
  /** The text of a comment or of a reason. */
  text?: string;
  step?: number;
  /** Whether the new time of the post is a slot that is reserved for it. Defaults to false. */
  takesSlot?: boolean;
  followedBy?: EventKind;
}

/** The result of a change, with the post as it is now. Nothing but `changed` has changed anything. */
type Result<Kind extends Refusal> =
  | { kind: 'changed'; row: HeldPostRow }
  | { kind: Exclude<Kind, 'not-found'>; row: HeldPostRow }
  | { kind: 'not-found' };
export type ChangeResult = Result<Refusal>;
/** `slot`: the one that the edit has taken. */
export type EditResult = Result<'outdated' | 'too-late' | 'kept-changing'> & { slot?: FoundSlot };

export interface Press extends HeldPostKey {
  /** The Slack id of the person. */
  actor: string;
  /** The version that the person saw. Undefined if the press doesn't depend on the content. */
  version?: number | undefined;
  /** Delay of the notification, for a caller that tells people of several changes at once. Defaults to 0. */
  notifyAfterMs?: number;
  /** Whether the series applies to the post what the person did elsewhere. Defaults to false. */
  bySeries?: boolean;
  /** Prepares the audit entry of the change, which is stored with it. Absent if the press has another entry. */
  prepareEntry?(action: AuditAction, post: Pick<HeldPostRow, 'id' | 'project'>): PreparedEntry;
  /** Others who wrote the new content, so that they can't approve it. */
  otherEditors?: readonly string[];
}

/** A press on a button that depends on the post's content. */
export type VersionedPress = Press & { version: number };

/** A claim of the poll may come between the read and the change. */
const MAX_TRIES = 5;

/**
 * Changes a post, if it is in one of `fromStates` and still has the version that the person saw. A post that waits with
 * submissions that weren't sent is taken from them first, as one that needs a person. The history and the
 * audit log get it in the same transaction. An instance that is handing the post over at the same time loses its claim, or the
 * change is refused. `decide` resolves with the change, or with the result if there is none. It runs again if the post
 * changes meanwhile.
 */
export async function changeHeldPost<Decided extends ChangeResult>(
  context: HeldPostContext,
  press: Press,
  decide: (row: HeldPostRow) => PostChange | Decided | Promise<PostChange | Decided>,
  fromStates: readonly HeldState[] = EDITABLE_STATES,
): Promise<EditResult | Decided> {
  for (let tries = 0; ; tries += 1) {
    const found = await findHeldPost(context.db, press);
    if (!found) return { kind: 'not-found' };
    const isOutdated = found.version !== (press.version ?? found.version);
    const isWanted = !isOutdated && fromStates.includes('needs-person');
    const before = isWanted ? await takeFromSubmissions(context, found) : found;
    if (before.at_once || !fromStates.includes(before.state) || before.content === null)
      return { kind: 'too-late', row: before };
    if (isOutdated) return { kind: 'outdated', row: before };
    if (tries > MAX_TRIES) return { kind: 'kept-changing', row: before };
    // Before the transaction: the built-in database has a single connection, which the transaction takes.
    const change = await decide(before);
    if ('kind' in change) return change;
    const row = await commitWithEntry(context.db, prepareEventEntry(press, change.event, before), (trx) =>
      storeChange(context, trx, { before, press, change }),
    );
    if (row) return { kind: 'changed', row };
  }
}

/** Prepares the audit entry of a change by a person. */
export function prepareEventEntry(
  press: Pick<Press, 'prepareEntry'>,
  event: EventKind,
  post: Pick<HeldPostRow, 'id' | 'project'>,
): PreparedEntry | undefined {
  const { action } = getEventFacts(event);
  return action === null ? undefined : press.prepareEntry?.(action, post);
}

/** Stores a change with its events. Resolves with undefined if the post has changed since it was read. */
export async function storeChange(
  context: HeldPostContext,
  trx: Transaction<HeldPostTables>,
  {
    before,
    press,
    change,
  }: { before: HeldPostRow; press: Omit<Press, keyof HeldPostKey>; change: PostChange },
): Promise<HeldPostRow | undefined> {
  const { actor, notifyAfterMs = 0, otherEditors = [], bySeries } = press;
  const { event: kind, step, takesSlot = false } = change;
  const { publish_at: time = before.publish_at, platforms = before.platforms } = change.columns ?? {};
  const taken = splitPlatforms(before.platforms);
  // A time isn't a slot of a platform that an edit adds.
  const keepsSlot =
    time?.getTime() === before.publish_at?.getTime() &&
    splitPlatforms(platforms).every((platform) => taken.includes(platform));
  const columns = {
    has_slot: takesSlot || (before.has_slot && keepsSlot),
    next_at: computeNextAt(context, change.to, { ...before, ...change.columns }),
    checks: 0,
    reason: change.reason ?? null,
    ...change.columns,
  };
  const row = await context.verbs.byPerson(trx, before, change.to, columns, { notifyAfterMs });
  if (!row) return undefined;
  if (takesSlot) await endReservation(context, trx, row);
  const at = context.clock.now();
  for (const editor of otherEditors) await addEvent(trx, row, { kind, actor: editor, at, bySeries });
  const content = describeEvent(context, before, row, change);
  await addEvent(trx, row, { kind, actor, at, content, bySeries, ...(step !== undefined && { step }) });
  await voidApprovals(trx, before, row, at);
  if (change.followedBy) await addEvent(trx, row, { kind: change.followedBy, actor: '', at });
  return row;
}

/** Throws if a change lost every race, for a step that nobody sees, and that is repeated after its lease. */
export function throwIfEveryRaceLost({ kind }: ChangeResult): void {
  if (kind === 'kept-changing')
    throw new Error('a held post changed again and again while a step changed it');
}

/** The event stores the content of a new version, or the text of the person. */
function describeEvent(
  context: HeldPostContext,
  before: HeldPostRow,
  after: HeldPostRow,
  { text }: PostChange,
): string | null {
  if (text !== undefined) return encryptJson(context, after.workspace, text);
  return after.version === before.version ? null : after.content;
}

/**
 * Stores a new version of a post. A draft stays a draft, unless the content is scheduled. If the post is reviewed, the
 * edit voids its approvals, and its reviewers are asked again. `corrected`: the form that created the post was sent again.
 * An edit that is the current version already changes nothing: the answer to its first press may have been lost. A content
 * that takes a slot gets it first. Throws `NoFreeSlot` if there is none.
 */
export async function editHeldPost(
  context: HeldPostContext,
  press: Press,
  content: unknown,
  how: EditKind = 'edited',
): Promise<EditResult> {
  const result = await saveEdit(context, press, () => content, how);
  return findStored(context, result, { press, content });
}

/**
 * Stores a new version that is computed from the version that the person saw. See `editHeldPost`. Of two copies of a press at
 * the same moment, both have computed it, and the second one finds it stored.
 */
export async function changeContent(
  context: HeldPostContext,
  press: VersionedPress,
  how: 'moved' | 'scheduled',
  change: (content: unknown) => unknown,
): Promise<ChangeResult> {
  let content: unknown;
  const getContent = (row: HeldPostRow) => {
    const held = readHeldContent(context, row);
    content = held && change(held.content);
    return content;
  };
  const result = await saveEdit(context, press, getContent, how);
  return content === undefined ? result : findStored(context, result, { press, content });
}

/** The result of an edit. One that was refused because it is stored already has changed the post. */
async function findStored(
  context: HeldPostContext,
  result: EditResult,
  edit: { press: Press; content: unknown },
): Promise<EditResult> {
  if (result.kind === 'changed' || result.kind === 'not-found') return result;
  return (await isStored(context, result.row, edit)) ? { kind: 'changed', row: result.row } : result;
}

/** Whether a post is what a refused edit asks for, because the answer to its first press was lost. */
async function isStored(
  context: HeldPostContext,
  row: HeldPostRow,
  { press, content }: { press: Press; content: unknown },
): Promise<boolean> {
  if (row.state === 'cancelled' || row.version === press.version) return false;
  const from = context.kind.post.getSlotStart(content);
  if (from) {
    const held = readHeldContent(context, row);
    const hasSlot = row.has_slot && row.publish_at !== null && row.publish_at >= from;
    // Somebody else may have given the post another slot.
    if (!held || !hasSlot || !(await isChangedOnlyBy(context.db, row, press))) return false;
    return describeWithoutTime(context, held.content) === describeWithoutTime(context, content);
  }
  const policy = await findPolicy(context.db, row);
  const { content_hash } = await createContentColumns(context, row.workspace, content, policy);
  return content_hash === row.content_hash;
}

type EditKind = 'edited' | 'moved' | 'scheduled' | 'sent-for-review' | 'corrected';

async function saveEdit(
  context: HeldPostContext,
  press: Press,
  getContent: (row: HeldPostRow) => unknown,
  how: EditKind,
): Promise<EditResult> {
  const event = how === 'corrected' || how === 'sent-for-review' ? 'edited' : how;
  let taken: FoundSlot | undefined;
  const result = await changeHeldPost<EditResult>(context, press, async (row) => {
    const wanted = getContent(row);
    if (wanted === undefined) return { kind: 'too-late', row };
    const { content, slot } = await giveSlot(context, { ...row, present: row.publish_at }, wanted);
    taken = slot;
    const policy = await findPolicy(context.db, row);
    const columns = await createContentColumns(context, row.workspace, content, policy);
    const inReview = row.in_review || requiresReview(policy) || how === 'sent-for-review';
    const next = findUnchangedState(row, event) ?? { to: findStateOfContent(context, content, inReview) };
    const isSame = columns.content_hash === row.content_hash;
    // An edit that asks the service for the same voids no approval, and nobody is told of it.
    const isPlanned = [next.to, 'held'].includes(row.state) && inReview === row.in_review;
    if (how !== 'corrected' && isSame && isPlanned) return { kind: 'changed', row };
    // Without a review, somebody else who edits the post may carry its hand-over, which checks their role.
    const approver = inReview || press.bySeries || press.actor === row.author ? null : press.actor;
    return {
      ...next,
      columns: {
        ...columns,
        ...(isSentAgain(row, columns) && { hand_over_at: context.clock.now() }),
        in_review: inReview,
        approver,
        version: row.version + 1,
        ...(how === 'corrected' && { form_version: row.version + 1 }),
      },
      takesSlot: slot !== undefined,
      event,
    };
  });
  return result.kind === 'changed' && taken ? { ...result, slot: taken } : result;
}

/** A new time of a post, or the wish for the first free slot from a time on. */
export type NewTime = { instant: Date; zone?: string } | { slotFrom: Date };

/** Moves a content to a new time, or makes it take a slot. */
export function moveContent({ kind }: Pick<HeldPostContext, 'kind'>, content: unknown, time: NewTime) {
  return 'slotFrom' in time
    ? kind.post.takeSlotFrom(content, time.slotFrom)
    : kind.post.moveTo(content, time);
}

/** Whether an edit fixes a post that came back after its hand-over: it goes over at once, unless it gets a new time. */
export function isSentAgain(
  { state, reason, publish_at: before, in_review: inReview }: HeldPostRow,
  { publish_at: after }: Pick<HeldPostRow, 'publish_at'>,
): boolean {
  const cameBack = state === 'needs-person' && (reason === 'refused' || reason === 'taken-back');
  return cameBack && !inReview && before !== null && before.getTime() === after?.getTime();
}

/** Whether a post waits until its project is at the connected service again. */
export function isForOtherService({ state, reason }: Pick<HeldPostRow, 'state' | 'reason'>): boolean {
  return state === 'needs-person' && reason === 'other-service';
}

/** The state in which an edited post stays. Undefined if its content decides. */
function findUnchangedState(
  row: HeldPostRow,
  event: EventKind,
): Pick<PostChange, 'to' | 'reason'> | undefined {
  const { state, reason, in_review: inReview } = row;
  if (isForOtherService(row)) return { to: 'needs-person', reason: 'other-service' };
  // A draft that a reviewer returned is sent for review again only on purpose.
  if (state === 'draft' && inReview && event === 'moved') return { to: state, ...(reason && { reason }) };
  return undefined;
}

/** Why a series has cancelled one of its posts. */
export type SeriesCancellation = Extract<HeldReason, 'series' | 'no-date'>;

/** Cancels a post. It isn't sent, and can be restored until it is deleted. `reason`: why, if its series did it. */
export function cancelHeldPost(
  context: HeldPostContext,
  press: Press,
  reason?: SeriesCancellation,
): Promise<ChangeResult> {
  return changeHeldPost(context, press, () => ({
    to: 'cancelled',
    ...(reason && { reason }),
    event: 'cancelled',
  }));
}

/** Records that a new version voids the approvals of the one before, if it had any. */
async function voidApprovals(
  db: Kysely<HeldPostTables>,
  before: HeldPostRow,
  after: HeldPostRow,
  at: Date,
): Promise<void> {
  if (!before.in_review || before.version === after.version) return;
  const approval = await db
    .selectFrom('held_post_event')
    .select('id')
    .where('held_post', '=', before.id)
    .where('workspace', '=', before.workspace)
    .where('version', '=', before.version)
    .where('kind', '=', 'approved')
    .limit(1)
    .executeTakeFirst();
  if (approval) await addEvent(db, after, { kind: 'approval-voided', actor: '', at });
}
