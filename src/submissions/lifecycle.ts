import {
  hasEnded,
  type Lifecycle,
  type StateRule,
  type StatesWith,
  statesWhere,
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
 * `sending`: committed before the socket opens. If the instance dies during the call, the outcome is unknown, so the next
 * instance moves the row to `unknown`.
 *
 * `retryable`: the service certainly doesn't have it, and its content isn't the cause. It is sent again with backoff.
 *
 * `unknown`: the call ended without a readable answer, so the service may have it. The kind decides what follows:
 * reconciling, repeating, or asking the author.
 *
 * `reconciling`: Upnext counts equal records in the service's list, for about two minutes.
 *
 * `needs-person`: Upnext can't find out whether the service has it, or there is something to decide. The author gets
 * buttons for that.
 *
 * `confirmed`: the service has it. Final.
 *
 * `refused`: the service doesn't have it and said why. An edit by the author is the next revision.
 *
 * `gave-up`: it was tried for 24 hours and certainly wasn't applied. The author may send it again, edit or discard it.
 *
 * `discarded`: the author discarded it, or another revision replaced it. Final.
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

/** The row may have been sent since the backup, so Upnext reconciles or asks the author. */
const restored = { to: 'unknown', past: 'needs-person' } as const;

const rules = {
  saved: {
    to: ['sending', 'retryable', 'refused', 'needs-person', 'gave-up', 'confirmed', 'discarded'],
    waitsFor: 'us',
    remote: 'absent',
    notifies: false,
    restored,
    left: 'discarded',
  },
  sending: {
    to: ['confirmed', 'refused', 'retryable', 'unknown'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    sends: true,
    restored,
    left: 'discarded',
  },
  retryable: {
    to: ['sending', 'refused', 'gave-up', 'needs-person', 'confirmed', 'discarded'],
    waitsFor: 'us',
    remote: 'absent',
    notifies: false,
    restored,
    left: 'discarded',
  },
  unknown: {
    to: ['reconciling', 'sending', 'confirmed', 'needs-person'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    restored,
    left: 'discarded',
  },
  reconciling: {
    to: ['confirmed', 'needs-person'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    restored,
    left: 'discarded',
  },
  'needs-person': {
    to: ['confirmed', 'saved', 'discarded', 'needs-person'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    left: 'discarded',
  },
  confirmed: { to: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  refused: { to: ['discarded'], waitsFor: 'person', remote: 'absent', notifies: true },
  'gave-up': { to: ['saved', 'discarded'], waitsFor: 'person', remote: 'absent', notifies: true },
  discarded: { to: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
} as const satisfies Lifecycle<State>;

export const LIFECYCLE: Lifecycle<State> = rules;
/** The states that only `send` enters, as a type. */
export type Sending = StatesWith<typeof rules, 'sends', true>;
/** The states with a step, as a type. */
export type Claimable = StatesWith<typeof rules, 'waitsFor', 'us'>;

const where = (test: (rule: StateRule<State>) => boolean) => statesWhere(LIFECYCLE, test);

/** The poll claims rows in these states when they are due. */
export const CLAIMABLE = where(({ waitsFor }) => waitsFor === 'us');
/** Claimable states without a call in progress. */
export const BETWEEN_CALLS = where(({ waitsFor, sends }) => waitsFor === 'us' && !sends);
/** Claimable states that may lead to `sending`. */
export const SENDABLE = where(({ waitsFor, to }) => waitsFor === 'us' && to.includes('sending'));
/** States that keep the lock on equal posts: the result of counting them isn't known yet. */
export const LOCKED = where(({ waitsFor, remote }) => waitsFor === 'us' && remote === 'unknown');
/** States that wait for the author. */
export const WAITING_FOR_PERSON = where(({ waitsFor }) => waitsFor === 'person');
/** States without transitions. */
export const FINAL = where(({ waitsFor }) => waitsFor === 'nobody');
/** The row may still reach the service. At most one row of the same form and item is active. */
export const ACTIVE = where((rule) => !hasEnded(rule));
/** The row has ended, and the service isn't known to have it. An equal submission may be sent. */
export const ENDED_UNSENT = where((rule) => hasEnded(rule) && rule.remote !== 'present');
