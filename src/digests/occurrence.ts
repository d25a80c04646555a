import type { Generated, Selectable } from 'kysely';
import type { AccessTables } from '../access/access.ts';
import type { Storage } from '../engine/capability.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import type { Lifecycle, StatesWith } from '../engine/lifecycle.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { NullableText, NullableTimestamp, Timestamp } from '../store/column-values.ts';

/**
 * The lifecycle of one occurrence of a digest. The digest and the slot identify an occurrence. The slot is the
 * scheduled date in the digest's zone, or a person's request to send the digest now.
 *
 *   due → sending → following-up → sent
 *    │       ├→ due                  certainly not sent: retry with backoff
 *    │       ├→ reconciling → sent   Slack may have the message
 *    │       │          ├→ uncertain → sent | due   the owner decides
 *    │       │          └→ paused     the digest was removed, or its reader is gone
 *    │       ├→ paused               the app can't write to the channel
 *    │       └→ missed               Slack refused every form of the message
 *    └→ silent | missed | paused | due (the service doesn't answer, or Slack limits the rate)
 *
 * `due`: the scheduled moment has passed, and nothing was sent. An instance composes the message in this state. If the
 * instance fails, another continues.
 *
 * `sending`: committed before Slack is called. If the instance dies, the outcome is unknown and the row is reconciled.
 *
 * `reconciling`: Slack may have the message. The channel's history is searched for it, by the occurrence id in its
 * metadata.
 *
 * `uncertain`: the message wasn't found, but may exist. The digest's owner confirms it or has it sent again.
 *
 * `following-up`: the message was sent, and its thread follows.
 *
 * `sent`: everything was sent. Final.
 *
 * `missed`: the message was too late, or Slack refused every form of it. The owner is notified. Final.
 *
 * `paused`: the digest is paused or removed, or the app can't write to the channel. Final for this occurrence; the owner
 * resumes the digest.
 *
 * `silent`: the digest was empty, and its settings suppress empty messages. Final.
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

/** After a restored backup, the message is reconciled, because it may have been sent since the backup. */
const restored = { to: 'reconciling' } as const;

const rules = {
  due: {
    nextStates: ['sending', 'silent', 'missed', 'paused'],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: false,
    afterRestore: restored,
    afterUninstall: 'paused',
  },
  sending: {
    nextStates: ['following-up', 'sent', 'due', 'reconciling', 'missed', 'paused'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    sends: true,
    afterRestore: restored,
    afterUninstall: 'paused',
  },
  reconciling: {
    nextStates: ['following-up', 'sent', 'uncertain', 'paused'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterRestore: restored,
    afterUninstall: 'paused',
  },
  'following-up': {
    nextStates: ['sent'],
    waitsFor: 'upnext',
    remote: 'present',
    notifies: false,
    // The follow-ups may have been sent since the backup, so they aren't sent again.
    afterRestore: { to: 'sent' },
    afterUninstall: 'sent',
  },
  uncertain: {
    nextStates: ['sent', 'due', 'paused'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'paused',
  },
  sent: { nextStates: [], waitsFor: 'nobody', remote: 'present', notifies: false },
  missed: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  // Owners are notified of the digest's pause, not of each occurrence.
  paused: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
  silent: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: false },
} as const satisfies Lifecycle<State>;

export const LIFECYCLE: Lifecycle<State> = rules;
/** The states that only `beginSending` enters. */
export type SendState = StatesWith<typeof rules, 'sends', true>;
export type ClaimableState = StatesWith<typeof rules, 'waitsFor', 'upnext'>;

export function chooseStateAfterSending(row: { follow_ups: string | null }): 'following-up' | 'sent' {
  return row.follow_ups === null ? 'sent' : 'following-up';
}

/** State reasons: what the next step or a notice does differently for rows in the same state. */
const REASONS = [
  /** Missed: Slack refused every form of the message. Without it, the scheduled moment passed too long ago. */
  'refused',
  /** Uncertain: the message couldn't be looked for, e.g. because the workspace declined the scope for that. */
  'not-searched',
  /** A backup was restored, and another instance may have sent the message since the backup. */
  'restored',
] as const;

/** The settings of a digest, its next slot, and data about its last message. */
export interface DigestTable {
  id: string;
  workspace: string;
  /** Channel id, or the user id of the reader of a personal digest. */
  channel: string;
  kind: string;
  /** Project ids in the service, as JSON; null for the projects that the channel is bound to. */
  projects: NullableText;
  /** ISO weekdays: `1,2,3,4,5`. */
  days: string;
  /** Minute of the day on the wall clock of `zone`. */
  minute: number;
  /** IANA name. */
  zone: string;
  /** As JSON. */
  sections: string;
  silent_when_empty: boolean;
  /** Ids of the other Slack organisations that an owner allowed to read it, as JSON; null if no owner has decided. */
  shared_with: NullableText;
  /** User id of the person who created the digest, and who is notified about it. */
  owner: string;
  /** The owner's setting, not a lifecycle state. See `digest_occurrence` for the lifecycle. */
  state: 'on' | 'paused';
  pause_reason: NullableText;
  /** The next slot's instant and date; null while paused. */
  next_at: NullableTimestamp;
  next_date: NullableText;
  sent_at: NullableTimestamp;
  /** The composer's `snapshot` of the last message, as JSON. It contains no post content. */
  snapshot: NullableText;
  /** When to notify the owner of the pause; null if nothing is pending. */
  notify_at: NullableTimestamp;
  notifying_since: NullableTimestamp;
  notify_attempts: Generated<number>;
  created_at: Timestamp;
  changed_at: Timestamp;
}

/**
 * One occurrence of a digest, and its state. In the state `due`, the column `checks` counts the sends that Slack
 * refused because it hadn't processed the picture. In the state `reconciling`, it counts the searches for the message.
 */
export interface DigestOccurrenceTable extends DeliveryColumns<State, (typeof REASONS)[number]> {
  digest: string;
  /** The scheduled date in the digest's zone (2026-12-01), or the id of a person's request. */
  slot: string;
  channel: string;
  owner: string;
  due_at: Timestamp;
  /** When a person requested the occurrence; null for a scheduled occurrence. */
  requested_at: NullableTimestamp;
  /** Start of the last attempt by `context.now`, not by the shared clock, for comparison with Slack's timestamps. */
  sending_at: NullableTimestamp;
  /** The conversation that contains the message: the channel, or the direct message with the reader. */
  conversation: NullableText;
  ts: NullableText;
  /** The picture's file id in Slack, or what the message is sent without: see `NO_PICTURE`. */
  file: NullableText;
  /** The messages of the digest's thread, as encrypted JSON. */
  follow_ups: NullableText;
  created_at: Timestamp;
}

export interface DigestTables extends AccessTables, PreferenceTables {
  digest: DigestTable;
  digest_occurrence: DigestOccurrenceTable;
}

export type DigestRow = Selectable<DigestTables['digest']>;
export type OccurrenceRow = Selectable<DigestTables['digest_occurrence']>;

export const OCCURRENCES: Storage<State, OccurrenceRow> = {
  table: 'digest_occurrence',
  lifecycle: LIFECYCLE,
  onEntry: (to) => (LIFECYCLE[to].waitsFor === 'nobody' ? { follow_ups: null } : {}),
};
