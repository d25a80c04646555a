import { isStateOf, type StateRule } from '../engine/lifecycle.ts';
import { LIFECYCLE, readSubmissionRemote, type State, type StateReason } from './submission.ts';

/**
 * The buttons of a submission. Only `send-again` may make a post twice: whoever presses it has read that the service may
 * have the post. A stale `retry` button doesn't count as `send-again`.
 */
const BUTTONS = ['check', 'retry', 'send-again', 'edit', 'discard', 'new-time', 'draft'] as const;
export type Button = (typeof BUTTONS)[number];

/** The texts and buttons of a state. */
interface Copy {
  title: string;
  /**
   * Placeholders: NOUN ("post", "invitation" …), DONE (the confirmation text of the kind) and REASON (the text of the
   * refusal, or of what keeps it from being sent).
   */
  text: string;
  buttons: readonly Button[];
}

const SENDING_COPY = { title: 'Sending…', text: 'Saved. Sending… The service hasn’t answered yet.' };
const CHECKING_COPY = {
  title: 'Checking…',
  text: 'Saved. The service didn’t confirm it, so I’m checking. I won’t send it twice.',
  buttons: [],
};

const COPY: Readonly<Record<State, Copy>> = {
  saved: { ...SENDING_COPY, buttons: ['edit', 'discard'] },
  sending: { ...SENDING_COPY, buttons: [] },
  retryable: {
    title: 'Waiting',
    text: 'Saved, not sent yet. REASON I’ll keep retrying.',
    buttons: ['retry', 'edit', 'discard'],
  },
  unknown: CHECKING_COPY,
  reconciling: CHECKING_COPY,
  'needs-person': {
    title: 'Not sure',
    text: 'I don’t know whether your NOUN was sent.',
    buttons: ['check', 'send-again', 'discard'],
  },
  confirmed: { title: 'Done', text: 'DONE', buttons: [] },
  refused: { title: 'Not sent', text: 'Not sent. REASON', buttons: ['edit', 'discard'] },
  'gave-up': {
    title: 'Not sent',
    text: 'Not sent. REASON Your text is below.',
    buttons: ['retry', 'edit', 'discard'],
  },
  discarded: { title: 'Discarded', text: 'Discarded. I won’t send it.', buttons: [] },
};

/** What a state reason changes in the copy of its state. */
type ReasonOverrides = { state: State } & Partial<Copy>;

const REASON_OVERRIDES: Readonly<Record<StateReason, ReasonOverrides>> = {
  paused: {
    state: 'retryable',
    text: 'Saved, not sent yet. The service refuses my access, and the Owners know. I’ll keep retrying for 24 hours.',
    buttons: ['edit', 'discard'],
  },
  'sending-stopped': {
    state: 'retryable',
    text: 'Saved, not sent yet. Sending is stopped here, and I’ll send it if that ends in time.',
    buttons: ['edit', 'discard'],
  },
  // The permission check failed.
  'not-checked': {
    state: 'retryable',
    text: 'Saved. I couldn’t check whether it may be sent, so I’ll keep trying.',
  },
  repeated: {
    state: 'unknown',
    text: 'Saved. The service didn’t confirm it, so I’ll send it again. That’s safe.',
  },
  'repeat-not-checked': {
    state: 'unknown',
    text: 'Saved. The service didn’t confirm it. I’ll send it again as soon as I can check your permissions.',
  },
  'not-found': {
    state: 'needs-person',
    text: 'I couldn’t find your NOUN after 2 minutes. It may still turn up, so I won’t send it again.',
  },
  'several-found': {
    state: 'needs-person',
    text: 'The service didn’t confirm it, and now lists more than one NOUN like yours. Check there before you send it again.',
  },
  'equal-found': {
    state: 'needs-person',
    text: 'Not sent again yet. The service lists a NOUN like yours, and I can’t tell whether it’s this one.',
  },
  'cannot-tell': {
    state: 'needs-person',
    text: 'The service didn’t confirm it, and I can’t tell whether it has your NOUN. I won’t send it again.',
  },
  'cannot-reconcile': {
    state: 'needs-person',
    text: 'The service didn’t confirm it, and I can’t check whether it has your NOUN. I won’t send it again.',
    buttons: ['send-again', 'discard'],
  },
  overdue: {
    state: 'needs-person',
    title: 'Not sent',
    text: 'Its time has passed, so I didn’t send it. Your text is below.',
    buttons: ['new-time', 'draft', 'discard'],
  },
  'overdue-uncertain': {
    state: 'needs-person',
    text: 'I don’t know whether your NOUN was sent, and its time has passed. Check the service before you make another.',
    buttons: ['check', 'discard'],
  },
  'not-allowed': {
    state: 'needs-person',
    title: 'Not sent',
    text: 'Not sent. You no longer have permission, so ask a Manager of the project.',
    buttons: ['retry', 'discard'],
  },
  'switched-off': {
    state: 'needs-person',
    title: 'Switched off',
    text: 'An operator has switched this off, so I won’t send it.',
    buttons: ['discard'],
  },
  superseded: {
    state: 'needs-person',
    title: 'Not sent again',
    text: 'There’s a newer change, so I won’t send this one again.',
    buttons: ['discard'],
  },
  restored: {
    state: 'needs-person',
    text: 'My data was restored from a backup, so I don’t know whether your NOUN was sent. I won’t send it again.',
  },
  'no-access': {
    state: 'gave-up',
    text: 'Not sent. The service refused my access for 24 hours. Your text is below.',
  },
  'sending-stopped-too-long': {
    state: 'gave-up',
    text: 'Not sent. Sending was stopped for 24 hours. Your text is below.',
  },
  'never-checked': {
    state: 'gave-up',
    text: 'Not sent. I couldn’t check for 24 hours whether it may be sent. Your text is below.',
  },
  // The author's edit has replaced the submission.
  replaced: { state: 'discarded', title: 'Changed', text: 'You’ve changed this since.' },
  returned: {
    state: 'discarded',
    title: 'Changed',
    text: 'I keep this post again: see its state with `/upnext posts`.',
  },
};

export function isState(state: string): state is State {
  return isStateOf(LIFECYCLE, state);
}

function isReason(reason: string | null): reason is StateReason {
  return reason !== null && Object.hasOwn(REASON_OVERRIDES, reason);
}

/** The copy of a state, with the state's rule in the lifecycle. */
type StateCopy = StateRule<State> & Copy & { state: State };

/**
 * Returns the copy and the lifecycle rule of a row's state, with what the state reason changes in them. Throws if this
 * version doesn't know the state.
 */
export function getStateCopy(row: { state: string; reason: string | null; maybe_sent?: boolean }): StateCopy {
  const { state, reason } = row;
  if (!isState(state)) throw new Error(`a submission is in the state "${state}", unknown to this version`);
  const { state: _state, ...overrides } =
    isReason(reason) && REASON_OVERRIDES[reason].state === state ? REASON_OVERRIDES[reason] : { state };
  const remote = readSubmissionRemote(row);
  const stateCopy: StateCopy = { ...LIFECYCLE[state], ...COPY[state], ...overrides, state, remote };
  if (!row.maybe_sent || stateCopy.waitsFor !== 'upnext') return stateCopy;
  // An earlier send may still be applied, so the submission can't be edited, and isn't called unsent.
  return {
    ...stateCopy,
    text: stateCopy.text.replace('not sent yet', 'not sent again yet'),
    buttons: stateCopy.buttons.filter((name) => name !== 'edit'),
  };
}
