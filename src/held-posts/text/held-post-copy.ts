import type { PostStatus } from '../../api/platforms.ts';
import type { HELD_STATUSES } from '../../posts/post-status.ts';
import type { State, StateReason } from '../held-post.ts';

/** The buttons of a held post. */
export const HELD_POST_BUTTONS = [
  'schedule',
  'send-for-review',
  'edit',
  'move',
  'hand-over',
  'again',
  'take-over',
  'cancel',
  'undo',
  'comment',
  'history',
  'share',
  'series',
] as const;
export type HeldPostButton = (typeof HELD_POST_BUTTONS)[number];

/** The texts and buttons of a state. */
interface Copy {
  title: string;
  /** What happens next, or what to do; mrkdwn. */
  text: string;
  /** The buttons that change the post. The first is the suggested one. */
  buttons: readonly HeldPostButton[];
}

const COPY: Readonly<Record<State, Copy>> = {
  draft: {
    title: 'Draft',
    text: 'It isn’t sent until somebody schedules it.',
    buttons: ['schedule', 'send-for-review', 'edit', 'move', 'cancel'],
  },
  'awaiting-review': {
    title: 'Waiting for review',
    text: 'It’s sent only after it’s approved.',
    buttons: ['edit', 'move', 'cancel'],
  },
  held: {
    title: 'Editable',
    text: 'I’ll hand it over to the scheduling service in time.',
    buttons: ['edit', 'move', 'hand-over', 'send-for-review', 'cancel'],
  },
  'handed-over': {
    title: 'Being handed over',
    text: 'I’m handing it over, and the scheduling service hasn’t confirmed it yet.',
    buttons: [],
  },
  'needs-person': { title: 'Needs you', text: 'It wasn’t sent.', buttons: ['edit', 'move', 'cancel'] },
  cancelled: { title: 'Cancelled', text: 'It won’t be sent.', buttons: ['undo'] },
  delivered: {
    title: 'Handed over to the service',
    text: 'The service has it, so it can no longer be edited from Slack.',
    buttons: [],
  },
  dropped: { title: 'Deleted', text: 'I no longer keep this post.', buttons: [] },
};

/** What a reason changes in the copy of its state. */
const REASON_COPY: Readonly<Record<StateReason, { state: State } & Partial<Copy>>> = {
  refused: {
    state: 'needs-person',
    title: 'Needs you: not accepted',
    text: 'The service didn’t accept it. Fix it, and I’ll hand it over again.',
  },
  'gave-up': {
    state: 'needs-person',
    title: 'Needs you: not sent',
    text: 'I couldn’t send it for 24 hours, so the service doesn’t have it.',
    buttons: ['again', 'edit', 'move', 'cancel'],
  },
  'taken-back': {
    state: 'needs-person',
    title: 'Taken back',
    text: 'The service doesn’t have it. Edit it, and I’ll hand it over again.',
    buttons: ['edit', 'again', 'move', 'cancel'],
  },
  overdue: {
    state: 'needs-person',
    title: 'Needs you: time passed',
    text: 'Its time passed before I could hand it over, so I didn’t send it late. Pick a new time.',
    buttons: ['move', 'edit', 'cancel'],
  },
  'not-allowed': {
    state: 'needs-person',
    title: 'Needs you: nobody may schedule it',
    text: 'Neither its author nor an approver may schedule it now. A Publisher can take it over.',
    buttons: ['take-over', 'edit', 'move', 'cancel'],
  },
  'not-approved': {
    state: 'needs-person',
    title: 'Needs you: not approved in time',
    text: 'It wasn’t approved before its hand-over, so I didn’t send it. Pick a new time to ask again.',
    buttons: ['move', 'edit', 'cancel'],
  },
  'other-service': {
    state: 'needs-person',
    title: 'Needs you: another service',
    text: 'It was written for another scheduling service than the one that’s connected now.',
    buttons: ['again', 'edit', 'cancel'],
  },
  restored: {
    state: 'needs-person',
    title: 'Needs you: restored from a backup',
    text: 'My data was restored from a backup, so the service may have it already. Check there first.',
    buttons: ['again', 'edit', 'move', 'cancel'],
  },
  stopped: {
    state: 'held',
    title: 'Stopped',
    text: 'Sending is stopped for this project. I’ll hand it over if that ends before its time.',
    buttons: ['edit', 'move', 'send-for-review', 'cancel'],
  },
  'not-checked': {
    state: 'held',
    text: 'A check before the hand-over had no answer yet. I’ll keep trying until its time.',
  },
  'changes-requested': {
    state: 'draft',
    title: 'Changes requested',
    text: 'Edit it, then send it for review again.',
    buttons: ['edit', 'send-for-review', 'move', 'cancel'],
  },
  rejected: {
    state: 'draft',
    title: 'Rejected',
    text: 'It won’t be sent. You can edit it and send it for review again.',
    buttons: ['edit', 'send-for-review', 'move', 'cancel'],
  },
  series: {
    state: 'cancelled',
    title: 'Cancelled with its series',
    text: 'It won’t be sent, because its series was paused, cancelled or changed.',
  },
};

/** Returns the texts and buttons of a held post's state. Its reason may change both. */
export function getHeldPostCopy({ state, reason }: { state: State; reason: StateReason | null }): Copy {
  const overrides = reason === null ? undefined : REASON_COPY[reason];
  return overrides?.state === state ? { ...COPY[state], ...overrides } : COPY[state];
}

/** The label of a button, which depends on why the post needs somebody. */
export function getHeldPostLabel(
  name: HeldPostButton,
  { state, reason }: { state: State; reason: StateReason | null },
): string {
  if (name === 'edit' && reason === 'refused') return 'Fix';
  if (name === 'again' && reason === 'other-service') return 'Send to the current service';
  if (name === 'move' && state === 'needs-person') return 'New time…';
  return LABELS[name];
}

const LABELS: Readonly<Record<HeldPostButton, string>> = {
  schedule: 'Schedule',
  'send-for-review': 'Send for review',
  edit: 'Edit',
  move: 'Move to…',
  'hand-over': 'Hand over now',
  again: 'Schedule again',
  'take-over': 'Take over',
  cancel: 'Cancel',
  undo: 'Undo',
  comment: 'Comment',
  history: 'History',
  share: 'Share',
  series: 'Series…',
};

/** The status with which cards and lists show a held post. */
type HeldPostStatus = PostStatus | 'PENDING' | (typeof HELD_STATUSES)[number];

const STATUSES: Readonly<Record<State, HeldPostStatus>> = {
  draft: 'DRAFT',
  'awaiting-review': 'REVIEW',
  held: 'HELD',
  'handed-over': 'PENDING',
  'needs-person': 'DECISION',
  cancelled: 'CANCELLED',
  delivered: 'SCHEDULED',
  dropped: 'CANCELLED',
};

export function getHeldPostStatus({ state }: { state: State }): HeldPostStatus {
  return STATUSES[state];
}
