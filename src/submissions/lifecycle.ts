import {
  filterStates,
  hasEnded,
  type Lifecycle,
  type StateRule,
  type StatesWith,
} from '../delivery/lifecycle.ts';

/**
 * The lifecycle of a submission. Each revision of a form's item is one row with the key (workspace, origin, item,
 * revision). At most one row of the same origin and item is active.
 *
 *   saved → sending → confirmed
 *                   ├→ refused
 *                   ├→ retryable → sending
 *                   └→ unknown → reconciling → confirmed | needs-person
 *   needs-person → confirmed | saved | discarded
 *   retryable → gave-up after 24 hours, needs-person if it is overdue
 *
 * `saved`: the submission is committed and nothing was sent. Any instance may send it.
 *
 * `sending`: the row is committed before the socket opens. If the instance dies during the call, the outcome is
 * unknown, so the next instance transitions the row to `unknown`.
 *
 * `retryable`: the service certainly doesn't have the submission, and the content isn't the cause. Upnext sends it
 * again with backoff.
 *
 * `unknown`: the call ended without a readable response, so the service may have the submission. The kind decides what
 * follows: reconciling, repeating, or asking the author.
 *
 * `reconciling`: Upnext counts equal records in the service's list, for about two minutes.
 *
 * `needs-person`: Upnext can't find out whether the service has the submission, or the author has to decide something.
 * The message to the author has buttons for the decision.
 *
 * `confirmed`: the service has the submission. Final.
 *
 * `refused`: the service doesn't have the submission and returned the reason. An edit by the author is the next
 * revision.
 *
 * `gave-up`: Upnext retried for 24 hours, and the submission certainly wasn't applied. The author may send it again,
 * edit it, or discard it.
 *
 * `discarded`: the author discarded the submission, or another revision replaced it. Final.
 */
export const STATES = [
  'saved',
  'sending',
  'retryable',
  'unknown',
  'reconciling',
  'needs-person',
  'confirmed',
  'refused',
  'gave-up',
  'discarded',
] as const;
export type State = (typeof STATES)[number];

/** After a restore, Upnext reconciles or asks the author, because the row may have been sent since the backup. */
const afterRestore = { to: 'unknown', overdue: 'needs-person' } as const;

const rules = {
  saved: {
    to: ['sending', 'retryable', 'refused', 'needs-person', 'gave-up', 'confirmed', 'discarded'],
    waitsFor: 'us',
    remote: 'absent',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  sending: {
    to: ['confirmed', 'refused', 'retryable', 'unknown'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    sends: true,
    afterRestore,
    afterUninstall: 'discarded',
  },
  retryable: {
    to: ['sending', 'refused', 'gave-up', 'needs-person', 'confirmed', 'discarded'],
    waitsFor: 'us',
    remote: 'absent',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  unknown: {
    to: ['reconciling', 'sending', 'confirmed', 'needs-person'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  reconciling: {
    to: ['confirmed', 'needs-person'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  'needs-person': {
    to: ['confirmed', 'saved', 'discarded', 'needs-person'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'discarded',
  },
  confirmed: { to: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  refused: { to: ['discarded'], waitsFor: 'person', remote: 'absent', notifies: true },
  'gave-up': { to: ['saved', 'discarded'], waitsFor: 'person', remote: 'absent', notifies: true },
  discarded: { to: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
} as const satisfies Lifecycle<State>;

export const LIFECYCLE: Lifecycle<State> = rules;
/** The type of the states that only `beginSending` enters. */
export type SendingState = StatesWith<typeof rules, 'sends', true>;
/** The type of the states with a step. */
export type ClaimableState = StatesWith<typeof rules, 'waitsFor', 'us'>;

const listStates = (test: (rule: StateRule<State>) => boolean) => filterStates(LIFECYCLE, test);

/** States in which the poll claims due rows. */
export const CLAIMABLE_STATES = listStates(({ waitsFor }) => waitsFor === 'us');
/** Claimable states without a call in progress. */
export const STATES_BETWEEN_CALLS = listStates(({ waitsFor, sends }) => waitsFor === 'us' && !sends);
/** Claimable states that may lead to `sending`. */
export const SENDABLE_STATES = listStates(({ waitsFor, to }) => waitsFor === 'us' && to.includes('sending'));
/** States that hold the lock for equal posts, because the outcome of the send is still unknown. */
export const LOCKED_STATES = listStates(({ waitsFor, remote }) => waitsFor === 'us' && remote === 'unknown');
/** States that wait for the author. */
export const STATES_WAITING_FOR_PERSON = listStates(({ waitsFor }) => waitsFor === 'person');
/** States without transitions. */
export const FINAL_STATES = listStates(({ waitsFor }) => waitsFor === 'nobody');
/** States from which a row may still reach the service. At most one row of the same form and item is active. */
export const ACTIVE_STATES = listStates((rule) => !hasEnded(rule));
/** States of ended rows that the service isn't known to have. An equal submission may be sent. */
export const ENDED_UNSENT_STATES = listStates((rule) => hasEnded(rule) && rule.remote !== 'present');
