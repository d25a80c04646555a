import { STATUS_EMOJI as EMOJI } from './post-status.ts';

export interface Copy {
  emoji: string;
  name: string;
  /** What happens next, or what to do (mrkdwn). Placeholders: UNTIL, LEAD, NOUN and REASON. */
  sentence: string;
  /** What can't be done after the press that leads there, because the service has no operation for it. */
  limit?: string;
  /** Whether nobody has to do or to know anything because of it, so that cards say the sentence in small print. */
  isQuiet?: boolean;
  /** The title of a card. Defaults to the name. */
  title?: string;
  /** The title for whoever has just saved the post. Defaults to the other one. */
  savedTitle?: string;
}

export const HELD_POST_BUTTONS = [
  ...(['schedule', 'send-for-review', 'edit', 'move', 'hand-over', 'again', 'take-over'] as const),
  ...(['check', 'send-again', 'discard'] as const),
  ...(['cancel', 'undo', 'comment', 'history', 'share', 'duplicate', 'series'] as const),
] as const;
export type HeldPostButton = (typeof HELD_POST_BUTTONS)[number];

/**
 * The buttons of a submission. Only `send-again` may make a post twice: whoever presses it has read that the service may
 * have the post. A stale `retry` button doesn't count as `send-again`.
 */
export type SentButton = 'check' | 'retry' | 'send-again' | 'edit' | 'discard';

/** `buttons`: those that change a post. The first is the suggested one. */
interface HeldCopy extends Copy {
  buttons: readonly HeldPostButton[];
}
interface SentCopy extends Copy {
  buttons: readonly SentButton[];
}

const STOPPED = 'Sending is stopped, so it waits. I’ll send it if that ends in time.';

/** States that a post reaches on both ways. */
export const SENDING = {
  emoji: EMOJI.PENDING,
  name: 'Sending…',
  sentence: 'Saved. I’m sending it, and the scheduling service hasn’t answered yet.',
};
export const WAITING_FOR_STOP = { emoji: '⏸️', name: 'Stopped', sentence: STOPPED };
/** It certainly wasn't sent. A reason says why. */
const UNDECIDED = { emoji: EMOJI.DECISION, name: 'Needs a decision', sentence: 'It wasn’t sent.' };
const UNSURE = {
  emoji: EMOJI.UNCERTAIN,
  name: 'Not sure',
  sentence: 'I don’t know whether your NOUN was sent.',
};
const WAITING_FOR_CHECK = {
  emoji: EMOJI.PENDING,
  name: 'Waiting',
  sentence: 'Saved, not sent yet. I couldn’t check whether it may be sent, so I’ll keep trying.',
};
const NOT_ACCEPTED = { emoji: EMOJI.FAILED, name: 'Not accepted', sentence: 'Not sent. REASON' };
/** It couldn't be sent for 24 hours. */
const GAVE_UP = { emoji: EMOJI.FAILED, name: 'Not sent', sentence: 'Not sent. REASON' };
const OVERDUE = {
  emoji: EMOJI.FAILED,
  name: 'Overdue',
  sentence: 'Its time has passed, so I didn’t send it. Pick a new time.',
};
const OTHER_SERVICE = {
  emoji: EMOJI.DECISION,
  name: 'For another service',
  sentence: 'Its project isn’t at the scheduling service that’s connected now.',
};
/** The service has the post. One object in all tables, by which it is recognised. */
export const SCHEDULED = {
  emoji: EMOJI.SCHEDULED,
  name: 'Scheduled',
  sentence: 'The scheduling service publishes it at its time.',
  isQuiet: true,
  limit: 'You can’t edit or delete it from Slack once the scheduling service has it.',
  buttons: [],
};

/** What the confirmation says of a post, or a draft, that has gone to the service: no operation there changes it. */
export const FINAL_NOTE = 'You can no longer edit or delete it from Slack.';

/** The states of a held post: those of its lifecycle. */
export const HELD = {
  draft: {
    emoji: EMOJI.DRAFT,
    name: 'Draft',
    savedTitle: 'Saved as a draft',
    sentence: 'It isn’t sent until somebody schedules it.',
    isQuiet: true,
    buttons: ['schedule', 'send-for-review', 'edit', 'move', 'cancel'],
  },
  'awaiting-review': {
    emoji: EMOJI.REVIEW,
    name: 'Waiting for review',
    savedTitle: 'Sent for review',
    sentence: 'Without approval by UNTIL, it isn’t sent.',
    buttons: ['edit', 'move', 'cancel'],
  },
  held: {
    emoji: EMOJI.HELD,
    name: 'Editable',
    savedTitle: 'Saved',
    sentence: 'Editable until UNTIL. I’ll hand it over to the scheduling service in time.',
    isQuiet: true,
    buttons: ['edit', 'move', 'hand-over', 'send-for-review', 'cancel'],
  },
  'handed-over': { ...SENDING, buttons: [] },
  'needs-person': { ...UNDECIDED, buttons: ['edit', 'move', 'cancel'] },
  unsure: { ...UNSURE, buttons: [] },
  cancelled: {
    emoji: EMOJI.CANCELLED,
    name: 'Cancelled',
    sentence: 'It won’t be sent.',
    isQuiet: true,
    buttons: ['undo'],
  },
  delivered: SCHEDULED,
  dropped: { emoji: EMOJI.CANCELLED, name: 'Deleted', sentence: 'I no longer keep this post.', buttons: [] },
} as const satisfies Record<string, HeldCopy>;
export type HeldState = keyof typeof HELD;

const WITH_SERIES = {
  ...HELD.cancelled,
  name: 'Cancelled with its series',
  sentence: 'It won’t be sent, because its series was paused, cancelled or changed.',
  isQuiet: false,
};
/** The reasons of a held post's state, each with what it changes in the copy of the state that can have it. */
export const HELD_REASONS = {
  refused: { state: 'needs-person', ...NOT_ACCEPTED, buttons: ['edit', 'move', 'cancel'] },
  'gave-up': { state: 'needs-person', ...GAVE_UP, buttons: ['again', 'edit', 'move', 'cancel'] },
  // Its author wants to edit it.
  'taken-back': {
    state: 'needs-person',
    emoji: EMOJI.DECISION,
    name: 'Taken back',
    sentence: 'The service doesn’t have it. Edit it, and I’ll send it again.',
    buttons: ['edit', 'again', 'move', 'cancel'],
  },
  overdue: { state: 'needs-person', ...OVERDUE, buttons: ['move', 'edit', 'cancel'] },
  'not-allowed': {
    state: 'needs-person',
    emoji: EMOJI.DECISION,
    name: 'Nobody may schedule it',
    sentence: 'Neither its author nor an approver may schedule it now. A Publisher can take it over.',
    buttons: ['take-over', 'edit', 'move', 'cancel'],
  },
  'not-approved': {
    state: 'needs-person',
    emoji: EMOJI.FAILED,
    name: 'Not approved in time',
    sentence:
      'It wasn’t approved in time, so I didn’t send it. Its reviewers can still approve it, or you pick a new time and I’ll ask them again.',
    buttons: ['move', 'edit', 'cancel'],
  },
  'other-service': {
    state: 'needs-person',
    ...OTHER_SERVICE,
    sentence: `${OTHER_SERVICE.sentence} I’ll go on with it when it’s there again.`,
    buttons: ['edit', 'cancel'],
  },
  restored: {
    state: 'needs-person',
    emoji: EMOJI.UNCERTAIN,
    name: 'Restored from a backup',
    sentence: 'My data was restored from a backup, so the service may have it already. Check there first.',
    buttons: ['again', 'edit', 'move', 'cancel'],
  },
  stopped: { state: 'held', ...WAITING_FOR_STOP, buttons: ['edit', 'move', 'send-for-review', 'cancel'] },
  'not-checked': { state: 'held', ...WAITING_FOR_CHECK, buttons: HELD.held.buttons },
  'changes-requested': {
    state: 'draft',
    emoji: EMOJI.DRAFT,
    name: 'Changes requested',
    sentence: 'Edit it, then send it for review again.',
    buttons: ['edit', 'send-for-review', 'move', 'cancel'],
  },
  rejected: {
    state: 'draft',
    emoji: EMOJI.DRAFT,
    name: 'Rejected',
    sentence: 'It won’t be sent. You can edit it and send it for review again.',
    buttons: ['edit', 'send-for-review', 'move', 'cancel'],
  },
  // The series may restore the post, also one for which its rule had no date or its texts had none.
  series: { state: 'cancelled', ...WITH_SERIES },
  'no-date': { state: 'cancelled', ...WITH_SERIES },
} as const satisfies Record<string, HeldCopy & { state: HeldState }>;
export type HeldReason = keyof typeof HELD_REASONS;

const CHECKING = {
  emoji: EMOJI.UNCERTAIN,
  name: 'Checking…',
  sentence: 'Saved. The service didn’t confirm it, so I’m checking. I won’t send it twice.',
  buttons: [],
};

/** The states of a submission: those of its lifecycle. Each kind says itself what a confirmed one is. */
const SENT = {
  saved: { ...SENDING, buttons: ['edit', 'discard'] },
  sending: { ...SENDING, buttons: [] },
  retryable: {
    emoji: EMOJI.PENDING,
    name: 'Waiting',
    sentence: 'Saved, not sent yet. REASON I’ll keep retrying.',
    buttons: ['retry', 'edit', 'discard'],
  },
  unknown: CHECKING,
  reconciling: CHECKING,
  blocked: { ...UNDECIDED, buttons: ['edit', 'discard'] },
  unsure: { ...UNSURE, buttons: ['check', 'send-again', 'discard'] },
  confirmed: SCHEDULED,
  refused: { ...NOT_ACCEPTED, buttons: ['edit', 'discard'] },
  'gave-up': { ...GAVE_UP, buttons: ['retry', 'edit', 'discard'] },
  discarded: { emoji: '🗑️', name: 'Discarded', sentence: 'Discarded. I won’t send it.', buttons: [] },
} as const satisfies Record<string, SentCopy>;
export type SentState = keyof typeof SENT;

/** The reasons of a submission's state, each with what it changes in the copy of the state that can have it. */
export const SENT_REASONS = {
  paused: {
    state: 'retryable',
    sentence:
      'Saved, not sent yet: the service refuses my access, and the Owners know. I’ll keep retrying for 24 hours.',
    buttons: ['edit', 'discard'],
  },
  'sending-stopped': { state: 'retryable', ...WAITING_FOR_STOP, buttons: ['edit', 'discard'] },
  'not-checked': { state: 'retryable', ...WAITING_FOR_CHECK },
  repeated: {
    state: 'unknown',
    sentence: 'Saved. The service didn’t confirm it, so I’ll send it again. That’s safe.',
  },
  'repeat-not-checked': {
    state: 'unknown',
    sentence:
      'Saved. The service didn’t confirm it. I’ll send it again as soon as I can check your permissions.',
  },
  'not-found': {
    state: 'unsure',
    sentence: 'I couldn’t find your NOUN after 2 minutes. It may still turn up, so I won’t send it again.',
  },
  'several-found': {
    state: 'unsure',
    sentence:
      'The service didn’t confirm it, and now lists more than one NOUN like yours. Check there before you send it again.',
  },
  'equal-found': {
    state: 'unsure',
    sentence:
      'Not sent again yet. The service lists a NOUN like yours, and I can’t tell whether it’s this one.',
  },
  'cannot-tell': {
    state: 'unsure',
    sentence:
      'The service didn’t confirm it, and I can’t tell whether it has your NOUN. I won’t send it again.',
  },
  'cannot-reconcile': {
    state: 'unsure',
    sentence:
      'The service didn’t confirm it, and I can’t check whether it has your NOUN. I won’t send it again.',
    buttons: ['send-again', 'discard'],
  },
  overdue: { state: 'blocked', ...OVERDUE },
  'overdue-uncertain': {
    state: 'unsure',
    sentence:
      'I don’t know whether your NOUN was sent, and its time has passed. Check the service before you make another.',
    buttons: ['check', 'discard'],
  },
  'not-allowed': {
    state: 'blocked',
    emoji: EMOJI.FAILED,
    name: 'Not allowed',
    sentence: 'Not sent. You no longer have permission, so ask an Owner for a role.',
    buttons: ['retry', 'discard'],
  },
  'other-service': {
    state: 'blocked',
    ...OTHER_SERVICE,
    sentence: `Not sent. ${OTHER_SERVICE.sentence}`,
    buttons: ['retry', 'edit', 'discard'],
  },
  'other-service-uncertain': {
    state: 'unsure',
    sentence:
      'The service didn’t confirm it, and another one was connected. I don’t know whether your NOUN was sent, and won’t send it again.',
  },
  'switched-off': {
    state: 'unsure',
    name: 'Switched off',
    sentence: 'An operator has switched this off, so I won’t send it.',
    buttons: ['discard'],
  },
  superseded: {
    state: 'unsure',
    name: 'Not sent again',
    sentence: 'There’s a newer change, so I won’t send this one again.',
    buttons: ['discard'],
  },
  restored: {
    state: 'unsure',
    sentence:
      'My data was restored from a backup, so I don’t know whether your NOUN was sent. I won’t send it again.',
  },
  'no-access': { state: 'gave-up', sentence: 'Not sent. The service refused my access for 24 hours.' },
  'never-checked': {
    state: 'gave-up',
    sentence: 'Not sent. I couldn’t check for 24 hours whether it may be sent.',
  },
  // The author's edit has replaced the submission.
  replaced: { state: 'discarded', name: 'Changed', sentence: 'You’ve changed this since.' },
  returned: {
    state: 'discarded',
    name: 'Changed',
    sentence: 'I keep this post again: see its state with `/upnext posts`.',
  },
} as const satisfies Record<string, { state: SentState } & Partial<SentCopy>>;
export type SentReason = keyof typeof SENT_REASONS;
/** The reasons with which a submission certainly wasn't sent. */
export type BlockedReason = {
  [Reason in SentReason]: (typeof SENT_REASONS)[Reason]['state'] extends 'blocked' ? Reason : never;
}[SentReason];

/** What a submission's row says of its state. An earlier send may still be applied if it `maybe_sent`. */
export interface SentRow {
  state: SentState;
  reason: SentReason | null;
  maybe_sent?: boolean;
}

export const PUBLICATION = {
  published: { emoji: EMOJI.PUBLISHED, name: 'Published', sentence: 'It went out.', isQuiet: true },
  failed: { emoji: EMOJI.FAILED, name: 'Failed', sentence: 'The service couldn’t publish it.' },
  late: { emoji: '⚠️', name: 'Overdue', sentence: 'The service still lists it as scheduled.' },
  /** Nobody has looked since its time, or Upnext is still looking. */
  checking: {
    emoji: EMOJI.PENDING,
    name: 'Not confirmed yet',
    sentence: 'Its time has passed, and I don’t know yet whether it went out.',
  },
  unclear: {
    emoji: EMOJI.UNCERTAIN,
    name: 'Not confirmed',
    sentence: 'I couldn’t find out whether it went out.',
  },
} as const satisfies Record<string, Copy>;
export type PublicationState = keyof typeof PUBLICATION;

const NOT_CHECKED = 'I couldn’t check all approvals yet. I’ll check again before its time.';

/**
 * What the reviewers of a post read. The title is what they are asked, or how their review ended; the sentence, if there is
 * one, replaces that of the post's state.
 */
export const REVIEW = {
  asked: { title: 'Please review this post' },
  'asked-not-checked': { title: 'Please review this post', sentence: NOT_CHECKED },
  approved: { title: 'Approved' },
  'not-needed': { title: 'No review needed' },
  'not-checked': { title: 'Approvals not checked yet', sentence: NOT_CHECKED },
  lost: {
    title: 'Approval no longer counts',
    sentence:
      'Whoever approved it may no longer do so. It isn’t sent without another approval, and I’ll ask for one before its hand-over.',
  },
} as const satisfies Record<string, Partial<Copy>>;
export type ReviewState = keyof typeof REVIEW;

/** The statuses of the service's posts, and those that lists find several states by. */
export const LISTED: Readonly<Record<string, Copy>> = {
  DRAFT: {
    emoji: EMOJI.DRAFT,
    name: 'Draft',
    savedTitle: HELD.draft.savedTitle,
    sentence: 'The scheduling service has it, so duplicate it to schedule it.',
    isQuiet: true,
    limit: 'You can’t edit or delete it from Slack once it’s saved.',
  },
  SCHEDULED,
  PUBLISHED: PUBLICATION.published,
  FAILED: PUBLICATION.failed,
  HELD: HELD.held,
  REVIEW: HELD['awaiting-review'],
  DECISION: HELD['needs-person'],
  CANCELLED: HELD.cancelled,
};

/** Whether the submission of a post decides what people read of it, and what they may do. */
export function isDecidedBySubmission(state: HeldState): boolean {
  return state === 'handed-over' || state === 'unsure' || state === 'dropped';
}

/**
 * Returns the copy of a held post's state. Its reason may change it. The parts of a post that was handed over in parts
 * (`sent_to` isn't null) can be tried again as they are, because the other platforms have theirs.
 */
export function getHeldPostCopy(post: {
  state: HeldState;
  reason: HeldReason | null;
  sent_to?: string | null;
}): HeldCopy {
  const { state, reason, sent_to: sentTo = null } = post;
  const copy = reason === null ? undefined : HELD_REASONS[reason];
  if (copy?.state !== state) return HELD[state];
  return reason === 'refused' && sentTo !== null ? { ...copy, buttons: ['again', ...copy.buttons] } : copy;
}

/**
 * Returns the copy of a submission's state. Its reason may change it. An earlier send of a submission that `maybe_sent`
 * marks may still be applied, so it can't be edited before it ends, isn't called unsent, and may outlive a discard.
 */
export function getSentCopy({ state, reason, maybe_sent: maybeSent }: SentRow): SentCopy {
  // A newer version may have stored the row.
  if (!Object.hasOwn(SENT, state)) throw new Error(`the state "${state}" is unknown to this version`);
  const copy: SentCopy = SENT[state];
  const overrides = reason === null ? undefined : SENT_REASONS[reason];
  const ownCopy = overrides?.state === state ? { ...copy, ...overrides } : copy;
  if (maybeSent && ownCopy === SENT.discarded)
    return { ...ownCopy, sentence: 'Discarded. I won’t send it again, but the service may have it.' };
  if (!maybeSent || !['saved', 'retryable'].includes(state)) return ownCopy;
  return {
    ...ownCopy,
    sentence: ownCopy.sentence.replace('not sent yet', 'not sent again yet'),
    buttons: ownCopy.buttons.filter((button) => button !== 'edit'),
  };
}
