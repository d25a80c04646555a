import type { Lifecycle, StatesWith } from '../delivery/lifecycle.ts';

/**
 * The lifecycle of one occurrence of a digest. Its key is the digest and the scheduled date in the digest's zone, or the
 * request of a person who wants the digest now.
 *
 *   due → sending → following-up → sent
 *    │       ├→ due                  certainly not sent: retry with backoff
 *    │       ├→ reconciling → sent   Slack may have the message
 *    │       │          ├→ uncertain → sent | due   the owner decides
 *    │       │          └→ paused     the digest was removed
 *    │       ├→ paused               the app can't write to the channel
 *    │       └→ missed               Slack refused every form of the message
 *    └→ silent | missed | paused | due (the service doesn't answer, or Slack limits the rate)
 *
 * due: The scheduled moment has passed. The message is composed in this state and nothing was sent, so another instance
 * can continue if this one dies.
 * sending: Committed before Slack is called. If the instance dies, the outcome is unknown and the row is reconciled.
 * reconciling: The channel's history is searched for the message, by the occurrence id in its metadata.
 * uncertain: The message wasn't found, but may exist. The digest's owner confirms it or has it sent again.
 * following-up: The message was sent, and its thread and direct messages follow.
 * sent: Everything was sent. Final.
 * missed: The message was too late, or Slack refused it. The owner is notified. Final.
 * paused: The digest is paused or removed. Final for this occurrence.
 * silent: There was nothing to say. Final.
 */
const STATES = [
  'due',
  'sending',
  'reconciling',
  'following-up',
  'sent',
  'uncertain',
  'missed',
  'paused',
  'silent',
] as const;
export type State = (typeof STATES)[number];

/** After a restored backup: the message may have been sent since the backup was made. */
const restored = { to: 'reconciling' } as const;

const rules = {
  due: {
    to: ['sending', 'silent', 'missed', 'paused'],
    waitsFor: 'us',
    remote: 'absent',
    notifies: false,
    afterRestore: restored,
    afterUninstall: 'paused',
  },
  sending: {
    to: ['following-up', 'sent', 'due', 'reconciling', 'missed', 'paused'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    sends: true,
    afterRestore: restored,
    afterUninstall: 'paused',
  },
  reconciling: {
    to: ['following-up', 'sent', 'uncertain', 'paused'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    afterRestore: restored,
    afterUninstall: 'paused',
  },
  'following-up': {
    to: ['sent'],
    waitsFor: 'us',
    remote: 'present',
    notifies: false,
    // The messages that follow may have been sent since the backup was made; they aren't repeated.
    afterRestore: { to: 'sent' },
    afterUninstall: 'sent',
  },
  uncertain: {
    to: ['sent', 'due', 'paused'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'paused',
  },
  sent: { to: [], waitsFor: 'nobody', remote: 'present', notifies: false },
  missed: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  // Owners are notified of the digest's pause, not of each occurrence.
  paused: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
  silent: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
} as const satisfies Lifecycle<State>;

export const LIFECYCLE: Lifecycle<State> = rules;
/** The states that only `send` enters. */
export type SendState = StatesWith<typeof rules, 'sends', true>;
/** The states that have a step. */
export type Claimable = StatesWith<typeof rules, 'waitsFor', 'us'>;

/** The next state of an occurrence whose message was sent. */
export function stateAfterSending(row: { follow_ups: string | null }): 'following-up' | 'sent' {
  return row.follow_ups === null ? 'sent' : 'following-up';
}

/** State reasons: what distinguishes rows in the same state. */
const REASONS = [
  'late',
  'refused',
  'removed',
  'asked',
  'service',
  'plain',
  'person',
  'found',
  'service-down',
  /** Unknown: what the reader may see, who reads the channel, or whether the app is installed. */
  'not-checked',
  /** A backup was restored; another instance may have sent the message since. */
  'restored',
] as const;
export type Reason = (typeof REASONS)[number];
