import {
  hasEnded,
  type Lifecycle,
  type StateRule,
  type StatesWith,
  statesWhere,
} from '../delivery/lifecycle.ts';

/**
 * The way of what a person submits. One row in the database for each; its key is (workspace, origin, item, revision),
 * and of one origin and item at most one row is active.
 *
 *   saved → sending → confirmed
 *                   ├→ refused    the person edits: next revision
 *                   ├→ retryable  certainly not applied → sending
 *                   └→ unknown → reconciling → confirmed | needs-person
 *   needs-person → confirmed | saved (sent again, asked for) | discarded (asked for)
 *   retryable for 24 h → gave-up;  its moment has passed, unsent → needs-person
 *
 * saved: committed, and nothing was sent. Whoever finds it may send it.
 * sending: committed before the socket opens. Whoever finds it without its sender knows nothing of the service.
 * retryable: the service certainly does not have it, and its content is not to blame.
 * unknown: the call ended without an answer that could be read.
 * reconciling: it is looked for in what the service lists.
 * needs-person: nobody can find out, or something must be decided; its person has buttons for that.
 * confirmed: the service has it.
 * refused: the service certainly does not have it, and said why.
 * gave-up: tried for 24 hours, and certainly not applied.
 * discarded: asked for, or another took its place.
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

/** It may have been sent since the backup was made: it is looked for, or its author is asked. */
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
/** The states that only `send` enters. */
export type Sending = StatesWith<typeof rules, 'sends', true>;
/** The states that have a step. */
export type Moving = StatesWith<typeof rules, 'waitsFor', 'us'>;

const where = (test: (rule: StateRule<State>) => boolean) => statesWhere(LIFECYCLE, test);

/** A worker claims it when it is due. */
export const MOVING = where(({ waitsFor }) => waitsFor === 'us');
/** Of these, what isn't being sent. */
export const BETWEEN_CALLS = where(({ waitsFor, sends }) => waitsFor === 'us' && !sends);
/** What can be sent next. */
export const SENDABLE = where(({ waitsFor, to }) => waitsFor === 'us' && to.includes('sending'));
/** Of the same fingerprint only one is in these: nobody knows yet what the count will say. */
export const LOCKED = where(({ waitsFor, remote }) => waitsFor === 'us' && remote === 'unknown');
/** It waits for its person. */
export const PERSONS = where(({ waitsFor }) => waitsFor === 'person');
/** Nothing is left to do. */
export const FINAL = where(({ waitsFor }) => waitsFor === 'nobody');
/** It may still reach the service. Of one form and item at most one is active. */
export const ACTIVE = where((rule) => !hasEnded(rule));
/** What has ended, and the service doesn't have as far as anybody knows: an equal one may be sent. */
export const ENDED_UNSENT = where((rule) => hasEnded(rule) && rule.remote !== 'present');
