import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { type Role, renderMissingRole } from '../../access/access.ts';
import { claimOnce, claimRequest, REQUEST_RETENTION_MS, releaseClaim } from '../../engine/once-claim.ts';
import { findSendingStop } from '../../engine/sending-stop.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import { updateOpenView } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import {
  changeAll,
  countWaiting,
  type HeldSelection,
  heldSelection,
  SELECTION_KIND,
} from '../../held-posts/bulk.ts';
import { type HeldPostRow, listSentPlatforms } from '../../held-posts/held-post.ts';
import {
  describeContent,
  findPostBlackout,
  getEditRole,
  type HeldPostContext,
  readHeldContent,
  readHeldPost,
} from '../../held-posts/held-post-context.ts';
import { isBeyondChange } from '../../held-posts/refusals.ts';
import { findCloseToRows } from '../../held-posts/slots/close-to-rows.ts';
import {
  BULK_ACTIONS,
  type BulkChange,
  renderBulkResult,
  renderUndo,
} from '../../held-posts/text/bulk-text.ts';
import { getHashPrefix, splitTypedTime } from '../../held-posts/text/held-post-buttons.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { mapLimited } from '../../promises.ts';
import { actions, clipLine, context, section } from '../../slack/blocks.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { buildMessageView, buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import { listFormSubmissions } from '../../submissions/sql/lists.ts';
import { LIFECYCLE } from '../../submissions/submission.ts';
import { type Shift, understandShift } from '../../when/when.ts';
import { renderCount } from '../../words.ts';
import { APPROVE_ALL_VIEW, openApproveAll } from './approve-all.ts';
import { answerWithError, answerWithMessage } from './press.ts';

/** The callback id of the form that asks by how long all posts are moved. */
const MOVE_ALL_VIEW = 'bulk.move';
const SHIFT_BLOCK = 'shift';
const MAX_SHIFT_LENGTH = 50;
const MAX_PROJECT_LENGTH = 80;
const SHIFT_MISSING = 'Enter how far to move them, such as “1 week”, “2 days earlier” or “-90 min”.';
/** Posts of the 29th to the 31st would meet on the last day of a shorter month. */
const SHIFT_OF_MONTHS = 'Months differ in length. Enter weeks or days, such as “4 weeks”.';

const TOO_OLD: Message = {
  text: 'This list isn’t yours, or it’s too old. Get a new one with `/upnext posts`.',
};
const TOO_OLD_TO_UNDO = {
  'move-back': { text: 'This is too old to undo. Move the posts with `/upnext move`.' },
  restore: { text: 'This is too old to undo. Restore the posts with `/upnext posts cancelled`.' },
} as const;
const UNDOING = { 'move-back': 'Moving them back…', restore: 'Restoring them…' } as const;
const UNDOING_ALREADY: Message = {
  text: 'I’m doing that already. If nothing happens, press again in 10 minutes.',
};

export const bulkActions: NonNullable<Feature['actions']> = {
  [BULK_ACTIONS.cancel]: {
    deed: 'cancel all listed posts',
    run: (call) => changeListed(call, { kind: 'cancel' }),
  },
  [BULK_ACTIONS.approve]: {
    deed: 'open the form that approves all listed posts',
    role: 'viewer',
    run: openApproval,
  },
  [BULK_ACTIONS.move]: { deed: 'open the form that moves all listed posts', run: openMoveAll },
  [BULK_ACTIONS.moveBack]: {
    deed: 'change the time of all listed posts',
    run: (call) => undoChange(call, 'move-back'),
  },
  [BULK_ACTIONS.restore]: {
    deed: 'restore all cancelled posts',
    run: (call) => undoChange(call, 'restore'),
  },
};

export const bulkViews: NonNullable<Feature['views']> = {
  [MOVE_ALL_VIEW]: { deed: 'change the time of all listed posts', run: moveAll },
  [APPROVE_ALL_VIEW]: { deed: 'approve all listed posts', role: 'viewer', run: approveAll },
};

/** Reads the posts of the list. Undefined for everybody but the person whose list it is. */
async function readSelection(call: Call, id: string | undefined): Promise<HeldSelection | undefined> {
  const selection = await readSealedValue(call, SELECTION_KIND, heldSelection, id ?? '');
  if (!selection) call.recordOutcome?.('unchanged');
  return selection;
}

/** Acknowledges first, and waits until that has left, because hundreds of posts take longer than Slack waits. */
async function changeListed(call: ActionCall, change: BulkChange): Promise<void> {
  await call.acknowledge();
  await delay(call.context.pace.afterAcknowledgementMs);
  const selection = await readSelection(call, call.action.value);
  await call.reply(selection ? await applyChange(call, selection, change) : TOO_OLD);
}

/** Moves the posts back or restores them once: a second press would replace the result with what has changed since. */
async function undoChange(call: ActionCall, kind: 'move-back' | 'restore'): Promise<void> {
  await call.acknowledge();
  await delay(call.context.pace.afterAcknowledgementMs);
  const { action, actor, context } = call;
  const selection = await readSelection(call, action.value);
  if (!selection) return call.reply(TOO_OLD_TO_UNDO[kind]);
  const claim = { workspace: actor.workspace, name: `bulk ${kind} ${action.value}` };
  if (!(await claimRequest(call, claim.name))) return call.recordOutcome?.('unchanged', selection.project);
  if (!(await claimOnce(context.db, { ...claim, retentionMs: REQUEST_RETENTION_MS }))) {
    call.recordOutcome?.('unchanged', selection.project);
    return call.reply(UNDOING_ALREADY);
  }
  try {
    // The instance may end before it has replaced this with the result, so the button stays.
    await call.reply(renderUndoing(kind, action.value ?? ''), { replace: true, isInterim: true });
    await call.reply(await applyChange(call, selection, { kind }), { replace: true });
  } catch (error) {
    await releaseClaim(context.db, claim);
    throw error;
  }
}

function renderUndoing(kind: 'move-back' | 'restore', selection: string): Message {
  const text = UNDOING[kind];
  return { text, blocks: [section(text), actions(renderUndo(kind, selection))] };
}

/** Changes the posts, and renders the result. Each post is authorized alone. */
async function applyChange(call: Call, selection: HeldSelection, change: BulkChange): Promise<Message> {
  const context = call.context.heldPosts;
  const { workspace, user: actor } = call.actor;
  const role = change.kind === 'approve' ? 'viewer' : 'publisher';
  await call.permit(role, selection.project, `held-posts action bulk.${change.kind}`);
  // The others weren't counted in the question.
  const posts = selection.posts.filter(({ mayApprove }) => change.kind !== 'approve' || mayApprove !== false);
  const { done, refused, earlierTimes } = await changeAll(
    context,
    { posts, workspace, actor, prepareEntry: createEntryPreparer(call) },
    change,
    {
      getRole: (row) => (change.kind === 'approve' ? 'viewer' : getEditRole(context, row, actor)),
      mayAtPress: call.may,
    },
  );
  if (done.length === 0) call.recordOutcome?.('unchanged', selection.project);
  const now = call.now();
  const due = done.filter(
    ({ state, hand_over_at: handOverAt }) => state === 'held' && handOverAt !== null && handOverAt <= now,
  );
  const isStopped = due[0] && (await findSendingStop(context.db, due[0]));
  const leaving = isStopped ? [] : due;
  if (leaving.length > 0) context.verbs.wake();
  const stopped = refused.find(({ kind }) => kind === 'role-lost' || kind === 'role-not-checked');
  const unchanged = refused.map((result) => {
    const row = 'row' in result && call.may('viewer', result.row.project) ? result.row : undefined;
    return { post: row && readHeldPost(context, row), refusal: result.kind, state: row?.state };
  });
  // It's too late to pick another day for those that are leaving.
  const isMove = change.kind === 'move' || change.kind === 'move-back';
  const moved = isMove ? done.filter((row) => !leaving.includes(row)) : [];
  const hasNewTimes = isMove || change.kind === 'restore';
  const viewer = await fetchReader(call);
  const result = {
    ...{ doneCount: done.length, ...countWaiting(change.kind, done) },
    ...{ dueCount: leaving.length, unchanged },
    ...(await countOnBlackouts(context, selection, moved)),
    ...countClose(
      await findCloseToRows(context, hasNewTimes ? done.filter((row) => !leaving.includes(row)) : []),
    ),
    goingOutCount: await countGoingOut(call, change.kind, refused),
    partlySentCount:
      isMove || change.kind === 'cancel' ? done.filter((row) => listSentPlatforms(row).length > 0).length : 0,
    moved: isMove ? done.map((row) => readHeldPost(context, row)) : [],
    ...(stopped && 'row' in stopped && { stopped: describeStop(context, stopped, role) }),
    undo: await storeUndo(call, selection, change.kind, { done, moved, earlierTimes }),
  };
  return renderBulkResult(change.kind, result, { viewer, now });
}

/** Counts the posts that can't be cancelled or moved any more, and go out. */
async function countGoingOut(
  call: Call,
  kind: BulkChange['kind'],
  refused: Awaited<ReturnType<typeof changeAll>>['refused'],
): Promise<number> {
  if (kind !== 'cancel' && kind !== 'move') return 0;
  const rows = refused.flatMap((result) =>
    'row' in result && isBeyondChange(result.kind, result.row.state) ? [result.row] : [],
  );
  const visibleRows = rows.filter(({ project }) => call.may('viewer', project));
  const goingOut = await mapLimited(visibleRows, (row) => goesOut(call.context.heldPosts, row));
  return goingOut.filter(Boolean).length;
}

/** Whether a post that can't be changed any more goes out at its time, unless somebody removes it from the service. */
async function goesOut(context: HeldPostContext, row: HeldPostRow): Promise<boolean> {
  const { workspace, id: origin, publish_at: publishAt } = row;
  const content = readHeldContent(context, row)?.content;
  if (content === undefined || context.kind.post.isDraft(content)) return false;
  if (publishAt === null || publishAt <= context.clock.now()) return false;
  if (row.state === 'handed-over' && (await findSendingStop(context.db, row))) return false;
  const submissions = await listFormSubmissions(context.db, { workspace, origin });
  return submissions.every(({ state }) => state === 'confirmed' || LIFECYCLE[state].waitsFor === 'upnext');
}

function countClose({ same, near, repeats, isComplete }: Awaited<ReturnType<typeof findCloseToRows>>) {
  const repeatCount = repeats.size;
  return { sharedCount: same.size, nearCount: near.size, repeatCount, areOthersUnchecked: !isComplete };
}

/** Says why the rest was left: the person lost the role meanwhile, or it couldn't be looked up (plain text). */
function describeStop(
  context: HeldPostContext,
  { kind, row }: { kind: string; row: HeldPostRow },
  role: Role,
): string {
  const { project } = describeContent(context, readHeldContent(context, row));
  const answer = kind === 'role-lost' ? 'no' : 'unknown';
  return renderMissingRole(answer, role, clipLine(project, MAX_PROJECT_LENGTH));
}

/**
 * Stores what [Undo move] moves back, or [Restore them] restores. Resolves with undefined if there is nothing: the earlier
 * times of all posts have passed, or the change has no undo.
 */
async function storeUndo(
  call: Call,
  { project }: HeldSelection,
  kind: BulkChange['kind'],
  changed: {
    done: readonly HeldPostRow[];
    moved: readonly HeldPostRow[];
    earlierTimes: ReadonlyMap<string, Date>;
  },
): Promise<string | undefined> {
  const toPost = (row: HeldPostRow) => ({ id: row.id, version: row.version, hash: getHashPrefix(row) });
  const posts: HeldSelection['posts'] =
    kind === 'cancel'
      ? changed.done.map((row) => ({ ...toPost(row), cancelledAt: row.changed_at.toISOString() }))
      : kind === 'move'
        ? changed.moved.flatMap((row) => {
            const before = changed.earlierTimes.get(row.id);
            return before ? [{ ...toPost(row), movedFrom: before.toISOString() }] : [];
          })
        : [];
  const isPossible = ({ movedFrom }: HeldSelection['posts'][number]) =>
    movedFrom === undefined || new Date(movedFrom) > call.now();
  return posts.some(isPossible) ? storeSealedValue(call, SELECTION_KIND, { project, posts }) : undefined;
}

/** Counts the posts that are on blackout days of the project, and those of which that couldn't be found out. */
async function countOnBlackouts(
  context: HeldPostContext,
  { project }: HeldSelection,
  posts: readonly HeldPostRow[],
): Promise<{ blackoutCount: number; uncheckedCount: number }> {
  const [first] = posts;
  if (!first) return { blackoutCount: 0, uncheckedCount: 0 };
  const { blackouts } = await findPolicy(context.db, { workspace: first.workspace, project });
  const found = posts.map((row) => findPostBlackout(context, row, blackouts));
  return {
    blackoutCount: found.filter((days) => typeof days === 'object').length,
    uncheckedCount: found.filter((days) => days === 'unknown').length,
  };
}

async function openMoveAll(call: ActionCall): Promise<void> {
  const { id, when } = splitTypedTime(call.action.value ?? '');
  const selection = await readSelection(call, id);
  if (!selection) return call.reply(TOO_OLD);
  await call.permit('publisher', selection.project, 'held-posts action bulk.move');
  const isShift = when !== undefined && when.length <= MAX_SHIFT_LENGTH && readShift(call, when);
  const shift = isShift ? when : undefined;
  await call.openView(renderMoveAllView(id, selection.posts, shift), { isForm: true });
}

/** A duration is the same in every zone and language, so the person isn't looked up before the response. */
function readShift(call: Call, text: string): Shift | undefined {
  return understandShift({ text, now: call.now(), zone: 'UTC', mayBeBare: true });
}

/** `shift`: the text with which the field begins. */
function renderMoveAllView(
  selection: string,
  posts: HeldSelection['posts'],
  shift: string | undefined,
): ModalView {
  const submit = `Move ${renderCount(posts.length, 'post')}`;
  const partlySentCount = posts.filter(({ isPartlySent }) => isPartlySent).length;
  return buildSubmitModal(
    { id: MOVE_ALL_VIEW, metadata: selection, title: 'Move all posts', submit, close: 'Cancel' },
    [
      buildTextInput(SHIFT_BLOCK, 'By how long', {
        hint: 'Such as “1 week”, “2 days earlier” or “-90 min”.',
        max_length: MAX_SHIFT_LENGTH,
        focus_on_load: true,
        ...(shift !== undefined && { initial_value: shift }),
      }),
      ...(partlySentCount === 0
        ? []
        : [
            context(
              `${renderCount(partlySentCount, 'of these posts is', 'of these posts are')} partly scheduled. Only the platforms that don’t have their text yet get the new time.`,
            ),
          ]),
    ],
  );
}

async function moveAll(call: SubmissionCall): Promise<void> {
  const text = getTextInput(call.view.values, SHIFT_BLOCK);
  const shift = readShift(call, text);
  if (!shift) return answerWithError(call, SHIFT_BLOCK, SHIFT_MISSING);
  if (shift.months !== 0) return answerWithError(call, SHIFT_BLOCK, SHIFT_OF_MONTHS);
  await changeFromView(call, MOVE_ALL_VIEW, { text: 'Moving the posts…' }, { kind: 'move', shift });
}

async function openApproval(call: ActionCall): Promise<void> {
  const selection = await readSelection(call, call.action.value);
  await (selection ? openApproveAll(call, selection) : call.reply(TOO_OLD));
}

function approveAll(call: SubmissionCall): Promise<void> {
  return changeFromView(call, APPROVE_ALL_VIEW, { text: 'Approving the posts…' }, { kind: 'approve' });
}

/** Changes the posts of a form. The form shows first that this is being done. */
async function changeFromView(
  call: SubmissionCall,
  view: string,
  interim: Message,
  change: BulkChange,
): Promise<void> {
  await answerWithMessage(call, interim);
  // A copy of the request would say in the same view that the posts have changed since.
  if (!(await claimRequest(call, view))) return call.recordOutcome?.('unchanged');
  await delay(call.context.pace.afterAcknowledgementMs);
  const selection = await readSelection(call, call.view.metadata);
  const result = selection ? await applyChange(call, selection, change) : TOO_OLD;
  const sealed = call.sealButtons(result);
  if (!(await updateOpenView(call.client, call.view.id, buildMessageView(sealed, 'Close'))))
    await call.client.chat.postMessage({ channel: call.actor.user, ...disableParsing(sealed) });
}
