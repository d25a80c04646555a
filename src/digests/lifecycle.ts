import type { Lifecycle, StatesWith } from '../delivery/lifecycle.ts';

/**
 * The way of one occurrence of a digest. One row in the database for each; its key is the digest and the local date
 * that is meant.
 *
 *   due → sending → following-up → posted
 *    │       ├→ due                certainly not applied: again, a little later
 *    │       ├→ looking → posted   it may have been posted: looked for in the channel
 *    │       │          ├→ uncertain → posted (it is there) | due (post again): its owner says
 *    │       │          └→ paused   nobody wants it any more: its digest was removed, then or before
 *    │       ├→ paused             there is nowhere to post to
 *    │       └→ missed             Slack takes it in no form
 *    └→ silent | missed | paused | due (the service does not answer, or Slack takes no more just now)
 *
 * due: its time has come. It is composed in this state, so whoever finds it abandoned may go on with it.
 * sending: committed before Slack is called; whoever finds it abandoned knows nothing, and looks.
 * looking: it is looked for by the mark that its message carries. uncertain: it was not found; its owner says.
 * following-up: posted, and its thread and direct messages follow. posted: nothing follows any more.
 * missed: too late, or refused. paused: the digest is. silent: there was nothing to say.
 */
const STATES = [
  'due',
  'sending',
  'looking',
  'following-up',
  'posted',
  'uncertain',
  'missed',
  'paused',
  'silent',
] as const;
export type State = (typeof STATES)[number];

/** It may have been posted since the backup was made. */
const restored = { to: 'looking' } as const;

const rules = {
  due: {
    to: ['sending', 'silent', 'missed', 'paused'],
    waitsFor: 'us',
    remote: 'absent',
    notifies: false,
    restored,
    left: 'paused',
  },
  sending: {
    to: ['following-up', 'posted', 'due', 'looking', 'missed', 'paused'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    sends: true,
    restored,
    left: 'paused',
  },
  looking: {
    to: ['following-up', 'posted', 'uncertain', 'paused'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    restored,
    left: 'paused',
  },
  'following-up': {
    to: ['posted'],
    waitsFor: 'us',
    remote: 'present',
    notifies: false,
    // Its thread may stand there already; what is left of it isn't sent twice.
    restored: { to: 'posted' },
    left: 'posted',
  },
  uncertain: {
    to: ['posted', 'due', 'paused'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    left: 'paused',
  },
  posted: { to: [], waitsFor: 'nobody', remote: 'present', notifies: false },
  missed: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  // The pause itself is told.
  paused: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
  silent: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
} as const satisfies Lifecycle<State>;

export const LIFECYCLE: Lifecycle<State> = rules;
/** The states that only `send` enters. */
export type Sending = StatesWith<typeof rules, 'sends', true>;
/** The states that have a step. */
export type Moving = StatesWith<typeof rules, 'waitsFor', 'us'>;

/** The next state of a digest that is in its channel. */
export function afterPosting(row: { afterwards: string | null }): 'following-up' | 'posted' {
  return row.afterwards === null ? 'posted' : 'following-up';
}

/** Cases of states that have more than one. */
const STATE_REASONS = [
  'late',
  'refused',
  'removed',
  'asked',
  'service',
  'plain',
  'person',
  'found',
  'service-down',
  /** Slack or the database did not say what its reader may see, who reads its channel, or whether the app is there. */
  'not-checked',
  /** A backup was put back: another instance may have posted it since. */
  'restored',
] as const;
export type Why = (typeof STATE_REASONS)[number];
