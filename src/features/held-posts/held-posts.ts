import { createHash } from 'node:crypto';
import { claimOnce, claimRequest, REQUEST_RETENTION_MS, releaseClaim } from '../../engine/once-claim.ts';
import type { ActionCall, Handler, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import {
  authorizeShare,
  getSharedId,
  renderShared,
  returnToModalBelow,
  sendShared,
} from '../../handlers/share-outside.ts';
import { type ChangeResult, cancelHeldPost, type VersionedPress } from '../../held-posts/change.ts';
import {
  commentOnHeldPost,
  restoreCancelledPost,
  scheduleAgain,
  scheduleDraft,
  takeOver,
} from '../../held-posts/decisions.ts';
import { takeFromSubmissions } from '../../held-posts/hand-over/withdraw.ts';
import { type HeldPostContext, readHeldPost } from '../../held-posts/held-post-context.ts';
import { sendForReview } from '../../held-posts/review/decide.ts';
import { CARD } from '../../held-posts/show.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import { listHeldPostMessages, saveHeldPostMessages } from '../../held-posts/sql/messages.ts';
import {
  BUTTONS,
  buildHeldPostAction,
  buildHeldPostValue,
  OPEN_HELD_POST_ACTION,
} from '../../held-posts/text/held-post-buttons.ts';
import { HELD_POST_BUTTONS, type HeldPostButton, isDecidedBySubmission } from '../../posts/state-copy.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import { actions, button, context, plain } from '../../slack/blocks.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { addBlocks, BUTTON_UNAVAILABLE } from '../../slack/message.ts';
import { buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import { messageAddress } from '../../slack/notify-once.ts';
import { findRowsById } from '../../submissions/sql/submissions.ts';
import { bulkActions, bulkViews } from './bulk.ts';
import { showHistory } from './history.ts';
import {
  HAND_OVER_VIEW,
  handOver,
  handOverFromView,
  MOVE_TYPED_ACTION,
  MOVE_VIEW,
  moveFromView,
  openTimeForm,
  showTypedTime,
  UNDO_MOVE_ACTION,
  undoMove,
} from './move.ts';
import { decideOnSubmissions } from './on-its-way.ts';
import {
  acceptOwnChanges,
  answerWithError,
  answerWithMessage,
  encodeFormTarget,
  findPressedPost,
  isCurrent,
  onForm,
  onPost,
  type PostAction,
  type PressedPost,
  permitButton,
  renderForActor,
  renderPostExcerpt,
  showPost,
  showResult,
  type TargetedPost,
  TEXT_BLOCK,
} from './press.ts';
import { renderOpened, reviewActions, reviewViews } from './review-decisions.ts';
import { findCloseWarnings, renderTimeWarnings } from './typed-time.ts';

const COMMENT_VIEW = 'held-posts.comment';
/** A longer comment wouldn't fit the history. */
const MAX_COMMENT_LENGTH = 1_500;

/** [Comment] asks for a text. Whatever it says is a comment; the app reads no channel for comments. */
async function openComment(call: ActionCall, post: PressedPost): Promise<void> {
  const metadata = encodeFormTarget(call, post.row);
  const view = buildSubmitModal({ id: COMMENT_VIEW, metadata, title: 'Comment', submit: 'Comment' }, [
    context(plain(renderPostExcerpt(call, post.row))),
    buildTextInput(TEXT_BLOCK, 'Your comment', {
      hint: 'Its author and whoever worked on it read it. It never goes to the service.',
      multiline: true,
      max_length: MAX_COMMENT_LENGTH,
      focus_on_load: true,
    }),
  ]);
  await call.openView(view);
}

async function saveComment(call: SubmissionCall, post: TargetedPost): Promise<void> {
  const text = getTextInput(call.view.values, TEXT_BLOCK).trim().slice(0, MAX_COMMENT_LENGTH);
  if (text === '') return answerWithError(call, TEXT_BLOCK, 'Write something first.');
  const { workspace, user: actor } = call.actor;
  const row = await commentOnHeldPost(
    call.context.heldPosts,
    { id: post.row.id, workspace, actor, prepareEntry: createEntryPreparer(call) },
    text,
    // A form is delivered twice, or submitted again after a lost answer. Another text is another comment.
    `comment ${createHash('sha256').update(`${post.formId} ${text}`).digest('base64url')}`,
  );
  if (!row) return answerWithError(call, TEXT_BLOCK, 'This post was deleted, so I can’t add your comment.');
  await answerWithMessage(call, await renderForActor(call, row, 'Your comment is in the history.'));
}

/** The button with which an owner confirms sharing with a channel that another organisation can read. */
const SHARE_OUTSIDE_ACTION = 'held-posts.share-outside';

const SHARE_SUBJECT = 'held-posts action held-posts.share';

/** [Share] sends the card to the channel, where it changes with the post. A channel has at most one shared card. */
async function sharePost(call: ActionCall): Promise<void> {
  const post = await findPressedPost(call, getSharedId(call));
  if (!post) return call.reply(BUTTON_UNAVAILABLE);
  const { row } = post;
  // The channel of the press, or else the one that the post was written in. Direct messages can't be shared with.
  const channels = [call.channel, row.channel].filter((id) => typeof id === 'string');
  const channel = channels.find((id) => !isDirectMessage(id));
  const context = call.context.heldPosts;
  const showResult = async (text: string) => {
    if (!(await returnToModalBelow(call, text))) await call.reply({ text });
  };
  const refuse = (text: string) => {
    call.recordOutcome?.('unchanged', row.project);
    return showResult(text);
  };
  if (channel === undefined)
    return refuse('There’s no channel to share it with here. Open the post from a channel.');
  // Its author may have shared it together with the other times of its form.
  const ofForm = row.at_once && channel === row.channel ? row.submission : null;
  const isShared = async () =>
    (await listHeldPostMessages(context.db, row)).some(
      (message) => message.channel === channel && message.purpose === 'shared',
    ) ||
    (ofForm !== null &&
      (await findRowsById(context.db, [ofForm])).some(({ shared_at: sharedAt }) => sharedAt !== null));
  const shared = `I already shared this in <#${channel}>. That message changes with the post.`;
  if (await isShared()) return refuse(shared);
  const id = buildHeldPostValue(row);
  const share = {
    channel,
    projects: [row.project],
    id,
    confirmAction: SHARE_OUTSIDE_ACTION,
    subject: SHARE_SUBJECT,
  } as const;
  const authorized = await authorizeShare(call, share);
  if (!authorized) return;
  // Another press may share it at the same moment. If Slack's answer is lost, the claim expires.
  const claim = { workspace: row.workspace, name: `held-post share ${row.id} ${channel}` };
  if (!(await claimOnce(context.db, { ...claim, retentionMs: REQUEST_RETENTION_MS })))
    return refuse(
      `I’ve just begun to share this in <#${channel}>. If it isn’t there in 10 minutes, press again.`,
    );
  if (await isShared()) {
    await releaseClaim(context.db, claim);
    return refuse(shared);
  }
  const card = await CARD.render({ context, client: call.client, row }, 'everyone');
  const sent = await sendShared(call, channel, card);
  if ('response' in sent)
    await saveHeldPostMessages(context.db, {
      workspace: row.workspace,
      held_post: row.id,
      ...messageAddress.parse(sent.response),
      purpose: 'shared',
      shared_with: authorized.sharedWith,
      sent_at: context.clock.readShared(),
    });
  await releaseClaim(context.db, claim);
  await showResult('response' in sent ? await renderShared(call, channel) : sent.refusal);
}

const HANDLERS: Readonly<Record<HeldPostButton, Handler<ActionCall>>> = {
  schedule: createChange('schedule', 'schedule a draft', schedulePost),
  'send-for-review': createChange('send-for-review', 'send a post for review', sendPost),
  edit: createChange('edit', 'open the form of a post', editPost),
  move: createChange('move', 'open the form that moves a post', openMoveForm),
  'hand-over': createChange('hand-over', 'hand a post over at once', handOver),
  again: createChange('again', 'schedule a post again', sendAgain),
  check: createHandler('check', 'check a post that may have been sent', onPost(checkPost)),
  'send-again': createChange('send-again', 'send a post again', decideOnSubmissions('send-again')),
  discard: createChange('discard', 'discard a post', decideOnSubmissions('discard')),
  'take-over': createChange('take-over', 'take a post over', applyChange(takeOver)),
  cancel: createChange('cancel', 'cancel a post', applyChange(cancelHeldPost)),
  undo: createChange('undo', 'restore a post', restorePost),
  comment: createHandler('comment', 'open the form for a comment', onPost(openComment)),
  history: createHandler('history', 'open the history of a post', onPost(showHistory)),
  share: createHandler('share', 'share a post', sharePost),
  duplicate: createHandler('duplicate', 'open the form for a copy of a post', onPost(duplicatePost)),
  series: createHandler('series', 'open the series of a post', onPost(openSeries)),
};

/** Creates the handler of a button. Some posts may be edited by a contributor; each press checks the role for its post. */
function createHandler(
  name: HeldPostButton,
  deed: Handler<ActionCall>['deed'],
  run: Handler<ActionCall>['run'],
): Handler<ActionCall> {
  const { role } = BUTTONS[name];
  // Whoever isn’t a contributor is seldom the author of a draft, and the posts of others need a publisher.
  return { deed, run, ...(role === 'edit' ? { role: 'contributor', roleToRequest: 'publisher' } : { role }) };
}

/** [Series…] shows the series of a post, whose buttons then count from this post on. */
async function openSeries(call: ActionCall, { row }: PressedPost): Promise<void> {
  if (row.series === null) return call.reply(BUTTON_UNAVAILABLE);
  await call.openFeature('series', { id: row.series, from: String(row.item) });
}

/** [Duplicate] opens the form with a copy of the post, which has no time yet. */
async function duplicatePost(call: ActionCall, { row }: PressedPost): Promise<void> {
  await call.openFeature('schedule-post', { duplicate: row.id });
}

/** The buttons of posts that Upnext keeps until shortly before their time. */
export const heldPosts: Feature = {
  name: 'held-posts',
  commands: [],
  // All roles here are the lowest ones for any post. Each press checks the role for its post and project.
  role: 'publisher',
  open: {
    deed: 'open a post',
    role: 'viewer',
    async run(call, { id = '' }) {
      const row = await findHeldPost(call.context.db, { id, workspace: call.actor.workspace });
      if (!row || call.lacks('viewer', row.project)) return call.reply(BUTTON_UNAVAILABLE);
      await call.permit('viewer', row.project, 'held-posts open');
      await call.reply(await renderOpened(call, row));
    },
  },
  views: {
    [MOVE_VIEW]: { deed: 'move a post', role: 'contributor', run: onForm(moveFromView) },
    [HAND_OVER_VIEW]: { deed: 'hand a post over at once', run: onForm(handOverFromView) },
    [COMMENT_VIEW]: { deed: 'comment on a post', role: 'viewer', run: onForm(saveComment) },
    ...reviewViews,
    ...bulkViews,
  },
  actions: {
    ...Object.fromEntries(HELD_POST_BUTTONS.map((name) => [buildHeldPostAction(name), HANDLERS[name]])),
    [MOVE_TYPED_ACTION]: { deed: 'open the form that moves a post', role: 'contributor', run: showTypedTime },
    [UNDO_MOVE_ACTION]: { deed: 'move a post', role: 'contributor', run: undoMove },
    [OPEN_HELD_POST_ACTION]: {
      deed: 'open a post',
      role: 'viewer',
      // Below a list, or in place of the text that a form left.
      run: onPost(async (call, { row, isInList }) =>
        call.reply(await renderOpened(call, row), { replace: !isInList }),
      ),
    },
    [SHARE_OUTSIDE_ACTION]: {
      deed: 'share a post with people outside the workspace',
      role: 'owner',
      run: sharePost,
    },
    ...reviewActions,
    ...bulkActions,
  },
};

/**
 * Creates the handler of a button that changes a post. One that the post doesn't have any more changes nothing and shows
 * the current card. So does a copy of a press: after [Undo], the post is again in the state and version that an earlier
 * [Cancel post] was for.
 */
function createChange(
  name: HeldPostButton,
  deed: Handler<ActionCall>['deed'],
  run: PostAction,
): Handler<ActionCall> {
  const change: PostAction = async (call, found) => {
    await permitButton(call, name, found.row);
    const post = await acceptOwnChanges(call, found);
    if (!isCurrent(post, name)) return showResult(call, found, { kind: 'outdated', row: found.row });
    if (await claimRequest(call, `held-post ${name}`)) return run(call, post);
    call.recordOutcome?.('unchanged', post.row.project);
    await showPost(call, post);
  };
  return createHandler(name, deed, onPost(change));
}

/** Creates the action that applies a change which is complete with its press. */
function applyChange(
  change: (context: HeldPostContext, press: VersionedPress) => Promise<ChangeResult>,
): PostAction {
  return async (call, post) => showResult(call, post, await change(call.context.heldPosts, post.press));
}

/** [Retry now] of a post that waits for the service, or [Schedule again] of one that waits for a person. */
async function sendAgain(call: ActionCall, post: PressedPost): Promise<void> {
  const send = isDecidedBySubmission(post.row.state)
    ? decideOnSubmissions('retry')
    : applyChange(scheduleAgain);
  await send(call, post);
}

/** [Check again] looks for a post in the service. */
async function checkPost(call: ActionCall, post: PressedPost): Promise<void> {
  if (isCurrent(post, 'check')) return decideOnSubmissions('check')(call, post);
  await showResult(call, post, { kind: 'outdated', row: post.row });
}

/** [Undo] restores a cancelled post with its time, which another post may have by now. */
async function restorePost(call: ActionCall, post: PressedPost): Promise<void> {
  const result = await restoreCancelledPost(call.context.heldPosts, post.press);
  const warnings = result.kind === 'changed' ? await findCloseWarnings(call, result.row) : [];
  const note = warnings.length > 0 ? ['Restored.', ...warnings].join(' ') : undefined;
  await showResult(call, post, result, note);
}

/** [Edit] and [Fix] open the form with the post, and with the service's messages if it refused the post. */
async function editPost(call: ActionCall, post: PressedPost): Promise<void> {
  const { row } = post;
  // The form of a post that was sent at once sends it at once again, and shows what the service says.
  const submission = row.at_once && row.author === call.actor.user ? row.submission : null;
  if (submission === null) await takeFromSubmissions(call.context.heldPosts, row);
  await call.openFeature(
    'schedule-post',
    submission === null ? { held: row.id } : { submission, message: call.message?.ts },
  );
  await replaceOpenedCard(call, post);
}

async function openMoveForm(call: ActionCall, post: PressedPost, does: 'move' | 'schedule' = 'move') {
  await openTimeForm(call, post, does);
  await replaceOpenedCard(call, post);
}

/** Replaces an ephemeral card by a text that stays true, because only a press could change it after the form. */
async function replaceOpenedCard(call: ActionCall, { row, isInList }: PressedPost): Promise<void> {
  if (call.message || call.view || isInList) return;
  const open = button('Open', OPEN_HELD_POST_ACTION, buildHeldPostValue(row));
  const message = { text: 'You opened this post in the form.' };
  await call.reply(addBlocks(message, actions(open)), { replace: true });
}

/** [Schedule] schedules a draft with one press, or asks for a time if the draft has none to come. */
async function schedulePost(call: ActionCall, post: PressedPost): Promise<void> {
  const { publish_at: publishAt } = post.row;
  if (publishAt === null || publishAt <= call.now()) return openMoveForm(call, post, 'schedule');
  const context = call.context.heldPosts;
  const result = await scheduleDraft(context, post.press);
  const time = { instant: publishAt, zone: readHeldPost(context, post.row)?.timezone ?? 'UTC' };
  const warnings = result.kind === 'changed' ? await renderTimeWarnings(call, result.row, time) : [];
  await showResult(call, post, result, warnings.length > 0 ? warnings.join(' ') : undefined);
}

/** [Send for review] asks the reviewers of the project. A post without a time to come is edited first. */
async function sendPost(call: ActionCall, post: PressedPost): Promise<void> {
  const result = await sendForReview(call.context.heldPosts, post.press);
  if (result.kind !== 'no-time' && result.kind !== 'overdue') return showResult(call, post, result);
  call.recordOutcome?.('unchanged', result.row.project);
  await call.openFeature('schedule-post', { held: result.row.id });
}
