import {
  endsDelivery,
  filterStates,
  type Lifecycle,
  type StateRule,
  type StatesWith,
} from '../engine/lifecycle.ts';

/**
 * The lifecycle of a submission. Each revision is one row with the key (workspace, origin, item, revision). At most one
 * revision is active.
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
 * `sending`: the state is committed before the socket opens. If the instance dies during the call, the next instance
 * transitions the row to `unknown`.
 *
 * `retryable`: the service certainly doesn't have the submission, but may accept it later. Upnext retries with backoff.
 *
 * `unknown`: the call ended without a readable response, so the service may have the submission. Depending on the kind,
 * Upnext reconciles, repeats the call, or asks the author.
 *
 * `reconciling`: Upnext counts equal posts in the service's list, for about two minutes.
 *
 * `needs-person`: the author has to decide, e.g. because the outcome stays unknown. The message to the author has
 * buttons for the decision.
 *
 * `confirmed`: the service has the submission. Final.
 *
 * `refused`: the service has refused the submission. The author's edit becomes the next revision.
 *
 * `gave-up`: all retries failed for 24 hours, and the service certainly doesn't have the submission. The author may
 * send, edit or discard the submission.
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
    nextStates: ['sending', 'retryable', 'refused', 'needs-person', 'gave-up', 'confirmed', 'discarded'],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  sending: {
    nextStates: ['confirmed', 'refused', 'retryable', 'unknown'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    sends: true,
    afterRestore,
    afterUninstall: 'discarded',
  },
  retryable: {
    nextStates: ['sending', 'refused', 'gave-up', 'needs-person', 'confirmed', 'discarded'],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  unknown: {
    nextStates: ['reconciling', 'sending', 'confirmed', 'needs-person'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  reconciling: {
    nextStates: ['confirmed', 'needs-person'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
  },
  'needs-person': {
    nextStates: ['confirmed', 'saved', 'discarded', 'needs-person'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'discarded',
  },
  confirmed: { nextStates: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  refused: { nextStates: ['discarded'], waitsFor: 'person', remote: 'absent', notifies: true },
  'gave-up': { nextStates: ['saved', 'discarded'], waitsFor: 'person', remote: 'absent', notifies: true },
  discarded: { nextStates: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
} as const satisfies Lifecycle<State>;

export const LIFECYCLE: Lifecycle<State> = rules;
/** States that only `beginSending` enters. */
export type SendingState = StatesWith<typeof rules, 'sends', true>;
/** States in which the poll claims due rows. */
export type ClaimableState = StatesWith<typeof rules, 'waitsFor', 'upnext'>;

const listStates = (test: (rule: StateRule<State>) => boolean) => filterStates(LIFECYCLE, test);

/** Claimable states without a call in progress. */
export const STATES_BETWEEN_CALLS = listStates(({ waitsFor, sends }) => waitsFor === 'upnext' && !sends);
/** Claimable states with a transition to `sending`. */
export const SENDABLE_STATES = listStates(
  ({ waitsFor, nextStates }) => waitsFor === 'upnext' && nextStates.includes('sending'),
);
/** States in which a row has the lock for equal posts, because the outcome of the send is unknown. */
export const LOCKED_STATES = listStates(
  ({ waitsFor, remote }) => waitsFor === 'upnext' && remote === 'unknown',
);
/** States with a decision pending. */
export const STATES_WAITING_FOR_PERSON = listStates(({ waitsFor }) => waitsFor === 'person');
/** States without a further transition. */
export const FINAL_STATES = listStates(({ waitsFor }) => waitsFor === 'nobody');
/** States from which a row may still reach the service. */
export const ACTIVE_STATES = listStates((rule) => !endsDelivery(rule));
/** Ended states without a confirmation. After them, the author may send an equal submission. */
export const ENDED_UNSENT_STATES = listStates((rule) => endsDelivery(rule) && rule.remote !== 'present');
