import type { Button, KnownBlock } from '@slack/types';
import type { Post } from '../../api/posts.ts';
import { CLOSE_UNCHECKED } from '../../posts/close-posts.ts';
import { MIN_POST_GAP_MS } from '../../posts/platform-rules/platform-rules.ts';
import { renderExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type Viewer } from '../../posts/post-time.ts';
import type { HeldState } from '../../posts/state-copy.ts';
import {
  actions,
  button,
  context,
  escapeFormatting,
  escapeText,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { buildFallbackText, type Message } from '../../slack/message.ts';
import type { Shift } from '../../when/when.ts';
import { renderCount, renderDuration } from '../../words.ts';
import { UNDO_DAYS } from '../pace.ts';
import { describeOfMany, type Refusal } from '../refusals.ts';
import { addTypedTime } from './held-post-buttons.ts';

export type BulkChange =
  | { kind: 'cancel' }
  | { kind: 'restore' }
  | { kind: 'approve' }
  | { kind: 'continue' }
  | { kind: 'move'; shift: Shift }
  | { kind: 'move-back' };

/** The action ids of the buttons for all held posts of a list, which `features/held-posts` handles. */
export const BULK_ACTIONS = {
  move: 'bulk.move',
  moveBack: 'bulk.move-back',
  cancel: 'bulk.cancel',
  restore: 'bulk.restore',
  approve: 'bulk.approve',
} as const;

/** Maximum number of posts that a message names. */
export const MAX_NAMED = 10;

/** Renders the buttons for a list's held posts. `selection`: the stored posts' id. `when`: a typed time for them. */
export function renderBulkButtons(
  selection: string,
  list: {
    count: number;
    reviewCount: number;
    mayChange: boolean;
    arePartlySent: boolean;
    when: string | undefined;
  },
): KnownBlock[] {
  const { count, reviewCount, mayChange, arePartlySent, when } = list;
  const buttons: Button[] = [
    // It opens the posts first: a list shows only the beginning of each.
    ...(reviewCount > 1 ? [button('Approve all…', BULK_ACTIONS.approve, selection)] : []),
    ...(mayChange && count > 0
      ? [
          button('Move all…', BULK_ACTIONS.move, addTypedTime(selection, when)),
          renderCancelAll(selection, count, arePartlySent),
        ]
      : []),
  ];
  if (buttons.length === 0) return [];
  return [section(`${renderCount(count, 'post')} in this list can still be changed.`), actions(...buttons)];
}

function renderCancelAll(selection: string, count: number, arePartlySent: boolean): Button {
  const limit = arePartlySent ? ' What a platform already has stays there.' : '';
  return withConfirmation(button('Cancel all…', BULK_ACTIONS.cancel, selection, 'danger'), {
    title: `Cancel ${renderCount(count, 'post')}?`,
    text: `They won’t be sent.${limit} You can restore them for ${UNDO_DAYS} days.`,
    confirm: 'Cancel them',
    deny: 'Keep them',
    style: 'danger',
  });
}

const DONE: Readonly<Record<BulkChange['kind'], string>> = {
  cancel: 'cancelled',
  restore: 'restored',
  move: 'moved',
  'move-back': 'moved back',
  approve: 'approved',
  continue: 'restored',
};

/** The posts of a bulk change that aren't planned yet. */
interface WaitingCounts {
  /** The number of posts that need a review, or another approval. */
  reviewCount: number;
  /** The number of posts that came back after their time. */
  overdueCount: number;
}

/** Says how many posts of a bulk change still need an approval, or need it again, and how many need a new time. */
function renderWaiting(
  kind: BulkChange['kind'],
  { reviewCount, overdueCount }: WaitingCounts,
  count: number,
): KnownBlock[] {
  const name = (part: number) => (part < count ? `${part} of them` : part === 1 ? 'It' : 'They');
  const waits = reviewCount === 1 ? 'waits' : 'wait';
  const isMove = kind === 'move' || kind === 'move-back';
  const review =
    kind === 'approve'
      ? `still ${waits} for another approval`
      : `${waits} for ${isMove ? 'approval again' : 'a review'}`;
  const [needs, time] = overdueCount === 1 ? ['needs', 'its time'] : ['need', 'their time'];
  return [
    ...(reviewCount === 0 ? [] : [section(`${name(reviewCount)} ${review}.`)]),
    ...(overdueCount === 0
      ? []
      : [section(`${name(overdueCount)} ${needs} a new time, because ${time} has passed.`)]),
  ];
}

/** Renders the result: "3 posts moved, 2 had changed:", and the posts that weren't changed. */
export function renderBulkResult(
  kind: BulkChange['kind'],
  result: WaitingCounts & {
    doneCount: number;
    dueCount: number;
    /** The number of moved posts that are on a blackout day now. */
    blackoutCount: number;
    /** The number of moved posts that may be on one. */
    uncheckedCount: number;
    /** The number of moved posts at whose time another post, or a draft, is on one of their platforms. */
    sharedCount: number;
    /** The number of moved posts to which another one on one of their platforms is near. */
    nearCount: number;
    /** The number of moved posts whose text goes out again on a platform that may refuse it. */
    repeatCount: number;
    /** Whether others may be close, because not all posts could be read. */
    areOthersUnchecked: boolean;
    /** The number of posts that couldn't be cancelled or moved, and go out at their time. */
    goingOutCount: number;
    /** The number of cancelled or moved posts of which the service has a part, which stays as it is. */
    partlySentCount: number;
    /** The moved posts, with their new times. */
    moved?: readonly (Post | undefined)[];
    /** The id of the stored posts that can be moved back or restored; undefined if there are none. */
    undo: string | undefined;
    unchanged: readonly { post: Post | undefined; refusal: Refusal; state: HeldState | undefined }[];
    /** Why the rest was left, if the person's role is the reason (plain text). */
    stopped?: string;
  },
  { viewer, now }: { viewer: Viewer; now: Date },
): Message {
  const { doneCount, dueCount, blackoutCount, uncheckedCount, unchanged } = result;
  const { sharedCount, nearCount, repeatCount, partlySentCount, undo, stopped, moved = [] } = result;
  const { goingOutCount } = result;
  const counts = [...Map.groupBy(unchanged, ({ refusal, state }) => describeOfMany(refusal, state))].map(
    ([text, posts]) => `${posts.length} ${text}`,
  );
  const line = [`${renderCount(doneCount, 'post')} ${DONE[kind]}`, ...counts].join(', ');
  // The others weren't reached, and the person may not see them any more.
  const unchangedPosts = unchanged.flatMap(({ post, refusal }) =>
    refusal === 'role-lost' || refusal === 'role-not-checked' ? [] : [post],
  );
  const say = (count: number, text: string) => (count === 0 ? [] : [section(text)]);
  const blocks = [
    section(`*${line}${unchangedPosts.length === 0 ? '.' : ':'}*`),
    ...(unchangedPosts.length === 0 ? [] : [renderNames(unchangedPosts, viewer, now)]),
    ...(stopped === undefined ? [] : [section(`I stopped there, because ${escapeText(stopped)}.`)]),
    ...say(goingOutCount, renderGoingOut(goingOutCount)),
    ...say(partlySentCount, renderPartlySent(kind, partlySentCount)),
    ...renderWaiting(kind, result, doneCount),
    ...say(
      dueCount,
      `${renderCount(dueCount, 'of these posts is close to its time, so I’m handing it', 'of these posts are close to their time, so I’m handing them')} over now.`,
    ),
    ...say(
      blackoutCount,
      `:warning: ${renderCount(blackoutCount, 'post is', 'posts are')} on a blackout day now. Pick another day, unless that’s intended.`,
    ),
    ...say(
      uncheckedCount,
      `I couldn’t check whether ${renderCount(uncheckedCount, 'post is', 'posts are')} on a blackout day now.`,
    ),
    ...say(
      sharedCount,
      `:warning: ${renderCount(sharedCount, 'post has', 'posts have')} the time of another post on the same platform now.`,
    ),
    ...say(
      nearCount,
      `:warning: ${renderCount(nearCount, 'post is', 'posts are')} less than ${renderDuration(MIN_POST_GAP_MS)} from another post on the same platform now.`,
    ),
    ...say(
      repeatCount,
      `:warning: ${renderCount(repeatCount, 'post has', 'posts have')} the text of another post on a platform that may refuse it. Vary it.`,
    ),
    ...(result.areOthersUnchecked ? [section(`:warning: ${CLOSE_UNCHECKED}`)] : []),
    ...(moved.length === 0 ? [] : [section('New times:'), renderNames(moved, viewer, now)]),
    ...(kind === 'cancel' && doneCount > 0 ? [context(ADVICE.cancel)] : []),
    ...(undo === undefined ? [] : [actions(renderUndo(kind === 'cancel' ? 'restore' : 'move-back', undo))]),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders the button that undoes a bulk change. `selection`: the stored posts' id. */
export function renderUndo(kind: 'restore' | 'move-back', selection: string): Button {
  return kind === 'restore'
    ? button('Restore them', BULK_ACTIONS.restore, selection)
    : button('Undo move', BULK_ACTIONS.moveBack, selection);
}

/** Says that posts go out although somebody wanted to cancel or move them (mrkdwn). */
function renderGoingOut(count: number): string {
  const [posts, they] = count === 1 ? ['1 post', 'it goes'] : [`${count} posts`, 'they go'];
  return `:warning: I can’t change ${posts} any more, so ${they} out as planned. To stop that, remove ${count === 1 ? 'it' : 'them'} in the scheduling service.`;
}

/** Says that the service has parts of some posts already, which a change doesn't reach (mrkdwn). */
function renderPartlySent(kind: BulkChange['kind'], count: number): string {
  const which = renderCount(count, 'of these posts is', 'of these posts are');
  const rest =
    kind === 'cancel'
      ? 'what a platform already has stays there.'
      : 'only the platforms that didn’t have their text yet have the new time.';
  return `:warning: ${which} partly scheduled: ${rest}`;
}

/** What people can do after a bulk change (mrkdwn). Whoever moved posts has a button. */
const ADVICE: Readonly<Record<BulkChange['kind'], string>> = {
  cancel: 'Find and restore them with `/upnext posts cancelled`.',
  restore: 'See them with `/upnext posts scheduled or draft`.',
  move: 'See them with `/upnext posts scheduled or draft`.',
  'move-back': 'See them with `/upnext posts scheduled or draft`.',
  approve: 'See them with `/upnext posts scheduled`.',
  continue:
    'Their project is at the connected scheduling service again. See them with `/upnext posts scheduled`.',
};

/** Tells an author what somebody (Upnext: '') did with several of their posts: "@Ana moved 3 of your posts:", and the posts. */
export function renderBulkNotice(
  kind: BulkChange['kind'],
  { actor, posts, ...waiting }: WaitingCounts & { actor: string; posts: readonly (Post | undefined)[] },
  now: Date,
): Message {
  const who = actor === '' ? 'I' : `<@${escapeText(actor)}>`;
  const blocks = [
    section(`${who} ${DONE[kind]} ${posts.length} of your posts:`),
    renderNames(posts, {}, now),
    ...renderWaiting(kind, waiting, posts.length),
    context(ADVICE[kind]),
  ];
  return { text: buildFallbackText(blocks), blocks };
}

/** Names the first posts, a line for each, and counts the others (mrkdwn). */
function renderNames(posts: readonly (Post | undefined)[], viewer: Viewer, now: Date): KnownBlock {
  const names = posts.slice(0, MAX_NAMED).map((post) => `• ${renderName(post, viewer, now)}`);
  const hiddenCount = posts.length - names.length;
  return section([...names, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more`] : [])].join('\n'));
}

function renderName(post: Post | undefined, viewer: Viewer, now: Date): string {
  if (!post) return 'A post that isn’t there any more';
  const { scheduleDate: instant, timezone: zone } = post;
  const time = instant ? renderPostTime({ instant, zone }, viewer, now).plain : 'No date';
  return `${escapeText(time)}: ${escapeFormatting(renderExcerpt(post))}`;
}
