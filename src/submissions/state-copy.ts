import { isStateOf, type StateRule } from '../delivery/lifecycle.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';

/** The buttons of a submission. Each press is checked against the buttons of the current row. */
const BUTTONS = ['check', 'retry', 'edit', 'discard', 'new-time', 'draft'] as const;
export type Button = (typeof BUTTONS)[number];

interface Copy {
  title: string;
  /**
   * Placeholders: NOUN ("post", "invitation" …), DONE (the submission kind's confirmation text) and REASON (the text of
   * the refusal).
   */
  text: string;
  buttons: readonly Button[];
}

const SENDING_COPY = { title: 'Sending…', text: 'Saved. Sending… the service has not answered yet.' };
const CHECKING_COPY = {
  title: 'Checking…',
  text: 'Saved. The service did not answer; I am checking, and will not send it twice.',
  buttons: [],
};

const COPY: Readonly<Record<State, Copy>> = {
  saved: { ...SENDING_COPY, buttons: ['edit', 'discard'] },
  sending: { ...SENDING_COPY, buttons: [] },
  retryable: {
    title: 'Waiting',
    text: 'Saved, not sent yet. The service cannot take it just now; I try again by myself, for 24 hours.',
    buttons: ['edit', 'discard'],
  },
  unknown: CHECKING_COPY,
  reconciling: CHECKING_COPY,
  'needs-person': {
    title: 'Not sure',
    text: 'I do not know whether your NOUN was sent.',
    buttons: ['check', 'retry', 'discard'],
  },
  confirmed: { title: 'Done', text: 'DONE', buttons: [] },
  refused: { title: 'Not sent', text: 'Not sent. REASON', buttons: ['edit', 'discard'] },
  'gave-up': {
    title: 'Not sent',
    text: 'Not sent: the service could not be reached for 24 hours. Your text is below.',
    buttons: ['retry', 'edit', 'discard'],
  },
  discarded: { title: 'Discarded', text: 'Discarded. I will not send it.', buttons: [] },
};

/** State reasons, stored in the column `reason`. */
export const STATE_REASONS = [
  'paused',
  'halted',
  'not-checked',
  'repeated',
  'repeat-not-checked',
  'not-found',
  'several-found',
  'equal-found',
  'cannot-tell',
  'cannot-reconcile',
  'overdue',
  'overdue-uncertain',
  'not-allowed',
  'switched-off',
  'superseded',
  'restored',
  'no-access',
  'halted-too-long',
  'never-checked',
  'replaced',
] as const;
export type StateReason = (typeof STATE_REASONS)[number];

type ReasonRule = { state: State } & Partial<Copy & Pick<StateRule<State>, 'remote'>>;

const REASON_RULES: Readonly<Record<StateReason, ReasonRule>> = {
  paused: {
    state: 'retryable',
    text: 'Saved, not sent yet. The service refuses our access, and its owners know. I send it as soon as it lets us, within 24 hours.',
  },
  halted: {
    state: 'retryable',
    text: 'Saved, not sent yet. Whoever runs this app has stopped all sending for now. I send it as soon as that ends, within 24 hours.',
  },
  // Slack or the database didn't return the author's permissions.
  'not-checked': {
    state: 'retryable',
    text: "Saved. I couldn't check your permissions; I'll keep trying.",
  },
  repeated: {
    state: 'unknown',
    text: 'Saved. The service did not answer. Sent twice it changes nothing more, so I send it again by myself.',
  },
  'repeat-not-checked': {
    state: 'unknown',
    text: "Saved. The service didn't answer, and I couldn't check your permissions to send it again. I'll keep trying.",
  },
  'not-found': {
    state: 'needs-person',
    text: 'I could not find your NOUN after 2 minutes. It may still turn up, so I do not send it again by myself.',
  },
  'several-found': {
    state: 'needs-person',
    text: 'The service did not answer, and now lists more than one NOUN like yours. Please look there before you send it again.',
  },
  'equal-found': {
    state: 'needs-person',
    text: 'Not sent again yet. The service lists a NOUN like yours, and I cannot tell whether it is this one. Sent again, there is one more.',
  },
  'cannot-tell': {
    state: 'needs-person',
    text: 'The service did not answer, and from its list I cannot tell whether it has your NOUN. I do not send it again by myself.',
  },
  'cannot-reconcile': {
    state: 'needs-person',
    text: 'The service did not answer, and there is nowhere to look whether it has your NOUN. I do not send it again by myself.',
    buttons: ['retry', 'discard'],
  },
  overdue: {
    state: 'needs-person',
    title: 'Not sent',
    remote: 'absent',
    text: 'Its moment has passed, so I do not send it as it is. Your text is below.',
    buttons: ['new-time', 'draft', 'discard'],
  },
  'overdue-uncertain': {
    state: 'needs-person',
    text: 'I do not know whether your NOUN was sent, and its moment has passed, so I do not send it again. Please look at the service before you make another.',
    buttons: ['check', 'discard'],
  },
  'not-allowed': {
    state: 'needs-person',
    title: 'Not sent',
    remote: 'absent',
    text: 'Not sent: you may not do this any more. Ask whoever runs the project.',
    buttons: ['retry', 'discard'],
  },
  'switched-off': {
    state: 'needs-person',
    title: 'Not sent',
    text: 'Not sent: whoever runs this app has switched this off meanwhile.',
    buttons: ['discard'],
  },
  superseded: {
    state: 'needs-person',
    title: 'Not sent again',
    text: 'There is a newer change of the same thing, so I do not send this one again.',
    buttons: ['discard'],
  },
  restored: {
    state: 'needs-person',
    text: 'A backup was restored, so I do not know whether your NOUN was sent. I send nothing of that time by myself.',
  },
  'no-access': {
    state: 'gave-up',
    text: 'Not sent: the service refused our access for 24 hours. Your text is below.',
  },
  'halted-too-long': {
    state: 'gave-up',
    text: 'Not sent: whoever runs this app had stopped all sending for 24 hours. Your text is below.',
  },
  'never-checked': {
    state: 'gave-up',
    text: "Not sent: I couldn't check your permissions for 24 hours. Your text is below.",
  },
  // The author's edit has replaced the submission.
  replaced: { state: 'discarded', title: 'Changed', text: 'You have changed this since.' },
};

export function isState(state: string): state is State {
  return isStateOf(LIFECYCLE, state);
}

function isReason(reason: string | null): reason is StateReason {
  return reason !== null && Object.hasOwn(REASON_RULES, reason);
}

type Rule = StateRule<State> & Copy & { state: State };

/**
 * Returns the rule of a row's state, with the overrides of the state reason. Throws if only a newer version knows the
 * state.
 */
export function getRule(row: { state: string; reason: string | null; maybe_sent?: boolean }): Rule {
  const { state, reason } = row;
  if (!isState(state)) throw new Error(`a submission is in the state "${state}", unknown to this version`);
  const { state: _state, ...overrides } =
    isReason(reason) && REASON_RULES[reason].state === state ? REASON_RULES[reason] : { state };
  const rule: Rule = { ...LIFECYCLE[state], ...COPY[state], ...overrides, state };
  if (!row.maybe_sent || rule.waitsFor !== 'us') return rule;
  // The author has requested a further send, and the service may still apply the first send.
  return { ...rule, remote: 'unknown', buttons: rule.buttons.filter((name) => name !== 'edit') };
}
