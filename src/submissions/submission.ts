import { type Generated, type Selectable, sql } from 'kysely';
import type { AccessTables } from '../access/access.ts';
import type { Capability, Storage } from '../engine/capability.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import {
  endsDelivery,
  filterStates,
  isStateOf,
  type Lifecycle,
  type OwnerState,
  parseState,
  type StateRule,
  type StatesWith,
} from '../engine/lifecycle.ts';
import { restoreDeliveries } from '../engine/sql/bulk-transitions.ts';
import { POST_OF_SUBMISSION } from '../posts/post-of-submission.ts';
import {
  getSentCopy,
  type HeldReason,
  type HeldState,
  type SentButton,
  type SentReason,
  type SentRow,
  type SentState,
} from '../posts/state-copy.ts';
import type { NullableCount, NullableText, NullableTimestamp, Timestamp } from '../store/column-values.ts';

/**
 * The lifecycle of a submission. Each revision is one row with the key (workspace, origin, item, revision). At most one
 * revision is active.
 *
 *   saved → sending → confirmed
 *                   ├→ refused
 *                   ├→ retryable → sending
 *                   └→ unknown → reconciling → confirmed | unsure
 *   unsure → confirmed | saved | discarded
 *   retryable → gave-up after 24 hours, blocked if it is overdue
 *   blocked → saved | discarded
 *
 * `saved`: the submission is committed and nothing was sent. Any instance may send it.
 *
 * `sending`: the state is committed before the socket opens. If the instance dies during the call, the outcome is
 * unknown: the next instance that claims the row transitions it to `unknown`.
 *
 * `retryable`: the service certainly doesn't have the submission, and its content isn't to blame: the service is down, too
 * busy, or refuses the token or the list of equal posts; or sending is stopped, or Upnext couldn't find out whether the
 * author may still do this. Upnext retries with backoff for 24 hours. While sending is stopped, the row waits until its
 * publishing time.
 *
 * `unknown`: the call ended without a readable response, so the service may have the submission. Depending on the kind's
 * `unknownOutcome`, Upnext reconciles before it does anything else, repeats a call that is safe to repeat, or asks the
 * author.
 *
 * `reconciling`: Upnext counts equal posts in the service's list, for about two minutes, or for up to 24 hours if the
 * list can't be read.
 *
 * `unsure`: the service may have the submission, and Upnext can't find out. The author checks, sends it again, which may
 * make a second post, or discards it. One that an operator has switched off, or that a newer change has replaced, can only be
 * discarded.
 *
 * `blocked`: the service certainly doesn't have the submission, and it can't be sent as it is: its publishing time has
 * passed, the author may no longer do this, or the workspace connected another service, which gets nothing unasked. The
 * author changes it, tries again, or discards it.
 *
 * `confirmed`: the service has the submission. Final.
 *
 * `refused`: the service has refused the submission and said why. The author's edit becomes the next revision, or the
 * author discards it.
 *
 * `gave-up`: all retries failed for 24 hours, because the service couldn't be reached, or refused the token or the list
 * of equal posts. It certainly doesn't have the submission. The author may send, edit or discard it.
 *
 * `discarded`: the author discarded the submission, another revision replaced it, or it is a held post again. Final.
 */

/** After a restore, Upnext reconciles or asks the author, because the row may have been sent since the backup. */
const afterRestore = { to: 'unknown', overdue: 'unsure' } as const;

/** What the post of a submission becomes with it. */
type PostOfDelivery = OwnerState & { state: HeldState; reason?: HeldReason };

/** A post is on its way until its delivery has ended. */
const underWay = { owner: { state: 'handed-over' } satisfies PostOfDelivery };

const rules = {
  saved: {
    nextStates: [
      ...(['sending', 'retryable', 'refused', 'blocked', 'unsure'] as const),
      ...(['gave-up', 'confirmed', 'discarded'] as const),
    ],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
    ...underWay,
  },
  sending: {
    nextStates: ['confirmed', 'refused', 'retryable', 'unknown'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    sends: true,
    afterRestore,
    afterUninstall: 'discarded',
    ...underWay,
  },
  retryable: {
    nextStates: ['sending', 'refused', 'gave-up', 'blocked', 'unsure', 'confirmed', 'discarded'],
    waitsFor: 'upnext',
    remote: 'absent',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
    ...underWay,
  },
  unknown: {
    nextStates: ['reconciling', 'sending', 'confirmed', 'unsure'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
    ...underWay,
  },
  reconciling: {
    nextStates: ['confirmed', 'unsure'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    afterRestore,
    afterUninstall: 'discarded',
    ...underWay,
  },
  unsure: {
    nextStates: ['confirmed', 'saved', 'discarded', 'unsure'],
    waitsFor: 'person',
    remote: 'unknown',
    keepsContent: true,
    notifies: true,
    afterUninstall: 'discarded',
    // An edit of what the service may have would send it twice.
    owner: { state: 'unsure', keepsReason: true } satisfies PostOfDelivery,
  },
  blocked: {
    nextStates: ['saved', 'discarded'],
    waitsFor: 'person',
    remote: 'absent',
    keepsContent: true,
    notifies: true,
    afterUninstall: 'discarded',
    owner: { state: 'needs-person', keepsReason: true } satisfies PostOfDelivery,
  },
  confirmed: {
    nextStates: [],
    waitsFor: 'nobody',
    remote: 'present',
    notifies: true,
    owner: { state: 'delivered' } satisfies PostOfDelivery,
  },
  refused: {
    nextStates: ['discarded'],
    waitsFor: 'person',
    remote: 'absent',
    notifies: true,
    owner: { state: 'needs-person', reason: 'refused' } satisfies PostOfDelivery,
  },
  'gave-up': {
    nextStates: ['saved', 'discarded'],
    waitsFor: 'person',
    remote: 'absent',
    notifies: true,
    owner: { state: 'needs-person', reason: 'gave-up' } satisfies PostOfDelivery,
  },
  // Unless the post has another delivery, or is held again: that is stored in the same transaction, and decides then.
  discarded: {
    nextStates: [],
    waitsFor: 'nobody',
    remote: 'unknown',
    notifies: false,
    owner: { state: 'dropped' } satisfies PostOfDelivery,
  },
} as const satisfies Lifecycle<SentState>;

export const LIFECYCLE: Lifecycle<SentState> = rules;
/** States that only `beginSending` enters. */
export type SendingState = StatesWith<typeof rules, 'sends', true>;
/** States in which the poll claims due rows. */
export type ClaimableState = StatesWith<typeof rules, 'waitsFor', 'upnext'>;

const listStates = (test: (rule: StateRule<SentState>) => boolean) => filterStates(LIFECYCLE, test);

export const STATES = listStates(() => true);
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
export const STATES_WAITING_FOR_PERSON = listStates(({ waitsFor }) => waitsFor === 'person');
/** States without a further transition. */
export const FINAL_STATES = listStates(({ waitsFor }) => waitsFor === 'nobody');
/** States from which a row may still reach the service. */
export const ACTIVE_STATES = listStates((rule) => !endsDelivery(rule));
/** Ended states without a confirmation. After them, the author may send an equal submission. */
export const ENDED_UNSENT_STATES = listStates((rule) => endsDelivery(rule) && rule.remote !== 'present');

/**
 * Whether the service has a submission. Throws if this version doesn't know the state. An earlier send of a submission
 * that Upnext still processes may be applied late.
 */
export function readSubmissionRemote(row: {
  state: string;
  maybe_sent?: boolean;
}): StateRule<SentState>['remote'] {
  const { waitsFor, remote } = LIFECYCLE[parseState(LIFECYCLE, row.state)];
  return row.maybe_sent && waitsFor === 'upnext' ? 'unknown' : remote;
}

/**
 * Whether a submission was discarded, and the service certainly doesn't have it. Of one that may have arrived, nobody
 * knows, and it isn't sent again.
 */
export function isGivenUp({ state, maybe_sent }: Pick<SentRow, 'state' | 'maybe_sent'>): boolean {
  return state === 'discarded' && !maybe_sent;
}

export function isState(state: string): state is SentState {
  return isStateOf(LIFECYCLE, state);
}

/** Returns a row's rule, texts and buttons, by state and reason. Throws for a state that this version doesn't know. */
export function getStateCopy(row: SentRow) {
  const state = parseState(LIFECYCLE, row.state);
  return { ...LIFECYCLE[state], ...getSentCopy(row), state, remote: readSubmissionRemote(row) };
}

export function hasButton(row: SubmissionRow, button: SentButton): boolean {
  return row.content !== null && getSentCopy(row).buttons.includes(button);
}

/** Baseline after a failed count. An unknown outcome can't be reconciled then, so the author decides. */
export const UNKNOWN_COUNT = -1;

export interface SubmissionTable extends DeliveryColumns<SentState, SentReason> {
  author: string;
  kind: string;
  /** The id of the form. For an edit, the id of the edited submission. */
  origin: string;
  /** The index of the publishing time in the form; 0 if there is none. */
  item: number;
  revision: number;
  /** The form's channel id; null if there is none. */
  channel: string | null;
  /** Slack's trigger id of the request that saved the row. A copy of the request has the same. Null if there is none. */
  trigger_id: NullableText;
  /** Encrypted JSON; null after the purge. */
  content: string | null;
  /** Encrypted JSON of the service's last refusal, of the send or of the list before it; null if there is none. */
  refusal: string | null;
  /** The project's id in the service; null if there is no project. */
  project: NullableText;
  /** Keyed hash. Equal submissions of one tenant have the same fingerprint. */
  fingerprint: NullableText;
  /** Keyed hash for the lock; null if the kind needs no lock. See `computeLockKey`. */
  lock_key: NullableText;
  /** Whether the row has the lock. Only one row with the same lock key can have the lock. */
  locked: Generated<boolean>;
  /** Whether any send had an unknown outcome. If so, equal posts are counted before the next send. */
  maybe_sent: Generated<boolean>;
  /** Number of equal posts before the first send, or UNKNOWN_COUNT. */
  baseline: NullableCount;
  /** Publishing time; null if there is none. Upnext never sends the post after that time. */
  publish_at: NullableTimestamp;
  /** Whether the submission is confirmed, and Upnext hasn't begun to check that its post was published. */
  awaits_publication: Generated<boolean>;
  /** The id of the submission's open view; null if there is none. */
  view_id: NullableText;
  /** The channel of the message that shows the submission and its next revisions; null if there is none. */
  message_channel: NullableText;
  /** The ts of the message that shows the submission; null if there is none. */
  message_ts: NullableText;
  /** Time of the author's last notification; null if there was none. */
  notified_at: NullableTimestamp;
  /** Encrypted JSON of the summary, which replaces the content in the purge; null if there is none. */
  summary: NullableText;
  /**
   * When the purge deletes the row. Null before the purge has deleted the content, and for a row with a summary, which
   * stays: nothing else knows the people and prompts in it.
   */
  delete_at: NullableTimestamp;
  /** The service's id for the created object; null if unknown. */
  service_id: NullableText;
  /** When the post was shared in the channel; null if it wasn't shared. */
  shared_at: NullableTimestamp;
  created_at: Timestamp;
}

/** The table of pauses. Until the next probe, paused submissions aren't sent. */
export interface ServicePauseTable {
  workspace: string;
  /** Scope of the pause: one token, or one kind in one project. See `buildPauseScopes`. */
  scope: string;
  /** HTTP status of the refusal; 0 after the pause has ended. */
  status: number;
  since: Timestamp;
  probe_at: Timestamp;
}

/** Each row links a draft to a post created from the draft. */
export interface ScheduledDraftTable {
  workspace: string;
  /** The id of the post's submission. */
  submission: string;
  /** The project's id in the service. */
  project: string;
  /** The draft's id in the service. */
  draft: string;
  /** The post's id in the service; null if unknown. */
  post: NullableText;
  /** Publishing time of the post; null if there is none. */
  scheduled_at: NullableTimestamp;
  /** Time zone of the publishing time; an IANA name. */
  zone: NullableText;
  created_by: string;
  created_at: Timestamp;
}

export interface SubmissionTables extends AccessTables {
  submission: SubmissionTable;
  service_pause: ServicePauseTable;
  scheduled_draft: ScheduledDraftTable;
}

/** A submission. `content` and `refusal` are encrypted. */
export type SubmissionRow = Selectable<SubmissionTables['submission']>;

export const SUBMISSION_STORAGE: Storage<SentState, SubmissionRow> = {
  table: 'submission',
  lifecycle: LIFECYCLE,
  project: ({ project }) => project ?? undefined,
  stopped: { state: 'retryable', reason: 'sending-stopped' },
  owner: POST_OF_SUBMISSION,
  onEntry: (to) => ({
    ...(LOCKED_STATES.includes(to) ? {} : { locked: false }),
    ...(to === 'confirmed' && { awaits_publication: true, refusal: null }),
  }),
};

export const SUBMISSIONS: Capability<SentState, SubmissionRow, SubmissionTables> = {
  name: 'submissions',
  ...SUBMISSION_STORAGE,
  initialStates: ['saved'],
  async restore(db, now) {
    const { unknown = 0, unsure: overdue = 0 } = await restoreDeliveries(db, SUBMISSION_STORAGE, {
      now,
      overdue: sql`publish_at <= ${now}`,
      change: { reason: 'restored', maybe_sent: true, checks: 0, locked: false },
      // The post may have been sent since the backup, so equal posts are counted before the next send.
      changeOfOthers: { maybe_sent: true },
    });
    return [
      {
        count: unknown,
        label: 'Unfinished submissions',
        explanation:
          "They may have been sent since the backup. After the start, Upnext looks for them in the service and doesn't send them again automatically.",
      },
      {
        count: overdue,
        label: 'Overdue submissions',
        explanation: 'Each author decides about them in /upnext outbox.',
      },
    ];
  },
  /** Deletes the contents and refusals of the workspace's submissions. */
  async endAfterUninstall(transaction, { workspace }) {
    await transaction
      .updateTable('submission')
      .set({ content: null, refusal: null })
      .where('workspace', '=', workspace)
      .execute();
  },
};
