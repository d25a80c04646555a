import type { HeldState } from '../posts/state-copy.ts';
import { BUTTON_UNAVAILABLE } from '../slack/message.ts';

/** What people read if a press changes nothing. */
interface RefusalTexts {
  /** On the post's card (mrkdwn). Defaults to OUTDATED. */
  note?: string;
  /** After the number of such posts, if the press was for many. Defaults to “had changed”. */
  ofMany?: string;
}

export const OUTDATED = 'This post has changed since, so nothing was done. This is how it is now.';

const APPROVED = { ofMany: 'already approved' };
const NOT_THEIRS = { ofMany: 'not yours to decide' };

/** Why a press changes nothing. */
const TABLE = {
  /** Somebody else edited the post meanwhile. */
  outdated: {},
  'not-found': { note: BUTTON_UNAVAILABLE.text },
  /** The post changed whenever this change was to be stored. Its version may be the one that the person saw. */
  'kept-changing': {},
  /** The post can't be changed in its state: it was handed over, or cancelled. */
  'too-late': {},
  // A decision of a reviewer.
  own: { note: 'You wrote this post, so somebody else has to review it.', ...NOT_THEIRS },
  edited: { note: 'You’ve edited this post, so somebody else has to review it.', ...NOT_THEIRS },
  decided: { note: 'You’ve already approved this version.', ...APPROVED },
  /** They approved an earlier step, and the policy asks other people in each. */
  'other-step': {
    note: 'You approved an earlier step of this review, so somebody else has to approve this one.',
    ...APPROVED,
  },
  'not-asked': { note: 'This post isn’t waiting for your review.', ...NOT_THEIRS },
  approved: { note: 'This post is already approved.', ...APPROVED },
  overdue: {
    note: 'The time of this post has passed, so nothing was done. Approve it for a new time instead.',
    ofMany: 'overdue',
  },
  stopped: {
    note: 'Sending is stopped for this project, so nothing was done. Approve the post after that.',
    ofMany: 'waiting because sending is stopped',
  },
  'not-checked': {
    note: 'I couldn’t check whether you may decide on this post, so nothing was done. Try again.',
    ofMany: 'couldn’t be checked',
  },
  // A press on [Send for review].
  'no-review': {
    note: 'This project has no reviews, so there’s nobody to ask. A Manager can change that with `/upnext policy`.',
  },
  /** Everybody who could approve the post has written or edited it. */
  nobody: {
    note: 'Nobody who may review it is left: nobody reviews what they wrote themselves. A Manager can change that with `/upnext policy`.',
  },
  /** Everybody who could still approve the post has approved an earlier step. */
  'nobody-else': {
    note: 'Nobody who may review it is left, because each step needs somebody else. A Manager can change that with `/upnext policy`.',
  },
  'no-time': { ofMany: 'had no time' },
  // Others.
  'not-connected': {
    note: 'The scheduling service of its project isn’t connected now, so nothing was done. An Owner can connect it with `/upnext connect`.',
  },
  'not-allowed': NOT_THEIRS,
  // Of a press for many posts, whose person has lost the role since. The result says which role.
  'role-lost': { ofMany: 'not changed' },
  'role-not-checked': { ofMany: 'not changed' },
  past: { note: 'Its earlier time has passed. Pick a later one.', ofMany: 'would be in the past' },
} as const satisfies Record<string, RefusalTexts>;
export type Refusal = keyof typeof TABLE;

export function getRefusalTexts(refusal: Refusal): Required<RefusalTexts> {
  return { note: OUTDATED, ofMany: 'had changed', ...TABLE[refusal] };
}

/** Whether a press came too late because the service has the post, or is getting it. */
export function isBeyondChange(refusal: Refusal, state: HeldState | undefined): boolean {
  return refusal === 'too-late' && (state === 'handed-over' || state === 'delivered');
}

/** What is said after the number of posts that a press for many didn't change. `state`: that of the posts now. */
export function describeOfMany(refusal: Refusal, state: HeldState | undefined): string {
  if (isBeyondChange(refusal, state)) return 'already with the scheduling service, or on the way to it';
  if (refusal === 'too-late' && state === 'cancelled') return 'already cancelled';
  return getRefusalTexts(refusal).ofMany;
}
