import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Role } from '../access/access.ts';
import type { Capability, Storage } from '../engine/capability.ts';
import type { DeliveryColumns } from '../engine/columns.ts';
import { filterStates, type Lifecycle, type StatesWith } from '../engine/lifecycle.ts';
import { restoreDeliveries } from '../engine/sql/bulk-transitions.ts';
import type { HeldReason, HeldState } from '../posts/state-copy.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { Actor } from '../slack/actor.ts';
import type { NullableCount, NullableText, NullableTimestamp, Timestamp } from '../store/column-values.ts';
import type { SubmissionTables } from '../submissions/submission.ts';
import type { EventKind } from './event-kinds.ts';
import type { SeriesTables } from './series/series.ts';

/**
 * The lifecycle of a held post: a post that Upnext keeps, so that it can be edited, until it hands it over to the
 * scheduling service shortly before its time.
 *
 *   draft ⇄ awaiting-review ⇄ held → handed-over → delivered
 *     └────────→ held ─┘        └→ needs-person ←┘
 *   handed-over → awaiting-review, if it needs a review by then
 *   handed-over → unsure → delivered | handed-over | dropped
 *   each but handed-over and delivered → cancelled → the state before
 *
 * `draft`: somebody is still writing the post, or a reviewer has returned it. It is handed over only after somebody has
 * scheduled it.
 *
 * `awaiting-review`: its reviewers have been asked. They are reminded 24 and 2 hours before the hand-over, and without
 * their approval the post isn't sent then.
 *
 * `held`: the post goes over at `hand_over_at`, which is its time minus the policy's lead. Before that, Upnext checks
 * whether somebody may still schedule it, the service is the same, nothing is stopped, and the approvals are for this
 * content. It also does so twice a day, so that managers are asked early if nobody may schedule it.
 *
 * `handed-over`: committed in one transaction with the submission, which alone decides from then on. Upnext waits for
 * its outcome. A post with texts of its own for some platforms has a submission for each distinct text. A post that the
 * service doesn't have yet is taken back if it needs a review by then.
 *
 * `needs-person`: somebody has to decide; `HELD_REASONS` says why. The post wasn't sent, except perhaps before a backup
 * was restored. A post for another service goes on as before when its own is connected again. Its author, its approver
 * and the project's channel are asked; whoever reads the channel is mentioned there instead of getting a message of
 * their own.
 *
 * `unsure`: the service may have the post, so it can't be edited, moved or restored, which could send it twice. Only its
 * submission is checked, sent again or discarded.
 *
 * `cancelled`: somebody cancelled the post. It can be restored until it is deleted.
 *
 * `delivered`: the service has the post. Final.
 *
 * `dropped`: the app was uninstalled, which deletes the content, or the author discarded the submission. Final, unless the
 * same form sends the post once more.
 *
 * A post that was sent at once (`at_once`) is stored with its submission, in one statement, and is `handed-over` from the
 * beginning. Each transition of the submission changes it in the same statement (`Owner`). Lists leave it out, because they
 * show its submission: held posts are a view of the table. A change of it takes it from its submission, if that
 * certainly wasn't sent. Then it is held.
 */

/** The content exists only in Upnext. */
const kept = { remote: 'absent', keepsContent: true, afterUninstall: 'dropped' } as const;
/** The post may have been handed over since the backup. */
const restored = { afterRestore: { to: 'needs-person' } } as const;

const rules = {
  draft: {
    nextStates: ['held', 'awaiting-review', 'handed-over', 'cancelled', 'needs-person', 'dropped'],
    waitsFor: 'person',
    notifies: true,
    ...kept,
  },
  'awaiting-review': {
    nextStates: ['draft', 'held', 'handed-over', 'needs-person', 'cancelled', 'dropped'],
    waitsFor: 'upnext',
    notifies: true,
    ...kept,
    ...restored,
  },
  held: {
    nextStates: ['draft', 'awaiting-review', 'handed-over', 'needs-person', 'cancelled', 'dropped'],
    waitsFor: 'upnext',
    notifies: true,
    ...kept,
    ...restored,
  },
  'handed-over': {
    nextStates: ['delivered', 'awaiting-review', 'needs-person', 'unsure', 'dropped'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'dropped',
  },
  'needs-person': {
    nextStates: ['draft', 'held', 'awaiting-review', 'handed-over', 'cancelled', 'dropped'],
    waitsFor: 'person',
    notifies: true,
    ...kept,
  },
  unsure: {
    nextStates: ['delivered', 'handed-over', 'needs-person', 'dropped'],
    waitsFor: 'person',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'dropped',
  },
  cancelled: {
    nextStates: ['draft', 'held', 'awaiting-review', 'needs-person', 'dropped'],
    waitsFor: 'person',
    remote: 'absent',
    notifies: true,
    afterUninstall: 'dropped',
  },
  delivered: { nextStates: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  dropped: { nextStates: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
} as const satisfies Lifecycle<HeldState>;

export const LIFECYCLE: Lifecycle<HeldState> = rules;
/** States in which the poll claims due rows. */
export type ClaimableState = StatesWith<typeof rules, 'waitsFor', 'upnext'>;

/** States in which the post can be edited, moved and cancelled. */
export const EDITABLE_STATES = filterStates(LIFECYCLE, ({ keepsContent }) => keepsContent === true);
/** States in which the post is still the project's plan: it is editable, or on its way to the service. */
export const PLANNED_STATES = [...EDITABLE_STATES, 'handed-over'] as const satisfies HeldState[];

/** States in which the post goes out, has gone out, or waits for somebody. The others are cancelled. */
export const STORED_STATES = [...PLANNED_STATES, 'delivered'] as const satisfies HeldState[];

/** The view of held posts, through which they are also stored. An endpoint is a workspace. */
export interface HeldPostTable extends DeliveryColumns<HeldState, HeldReason> {
  author: string;
  /** The project's id in the service. */
  project: string;
  /** The channel that the form was opened from; null if there is none. */
  channel: NullableText;
  /** What stored the post: the id of a form or of a series, or of an import with the number of a batch. */
  origin: string;
  /** The index of the time in the form, of the post in the batch, or the key of the date (see `series/rule.ts`). */
  item: number;
  /** The id of the series; null if the post doesn't belong to one. */
  series: NullableText;
  /** Incremented by every edit. Starts at 1. */
  version: number;
  /** The last version that the form or the series of `origin` has stored. */
  form_version: Generated<number>;
  /** Encrypted JSON of the submission's content; null after the purge. */
  content: string | null;
  /** Keyed hash of everything that the request to the service would contain. Approvals are bound to it. */
  content_hash: string;
  /** The platforms of the content, with commas between: those on which the post keeps others from its slot. */
  platforms: Generated<string>;
  /** Publishing time; null for a draft without a time. */
  publish_at: NullableTimestamp;
  /** Whether the post took its time as a slot. False for a time that somebody entered, also if it is that of a slot. */
  has_slot: Generated<boolean>;
  /** When the post is handed over, unless it waits for a person; null for a draft. On the clock that people see. */
  hand_over_at: NullableTimestamp;
  /** Whether the post goes over only with the approvals of its project's policy. */
  in_review: Generated<boolean>;
  /** The Slack id of a person on whose authority the post may be handed over too; null if only the author's. */
  approver: NullableText;
  /** The id of the submission after the hand-over; null before. */
  submission: NullableText;
  /** Whether the service may have the post already, because a backup was restored. */
  maybe_sent: Generated<boolean>;
  /**
   * The platforms whose part the service has, or may have, with commas between. Null unless the post was handed over in
   * parts, because platforms get different texts: then it has a submission for each distinct text.
   */
  sent_to: NullableText;
  /**
   * Whether the post was sent at once, and is stored with `submission`, which decides, and which alone has the content.
   * False for held posts.
   */
  at_once: Generated<boolean>;
  created_at: Timestamp;
}

/** The history of posts: versions, decisions and comments. Rows are only added. */
export interface HeldPostEventTable {
  id: string;
  workspace: string;
  held_post: string;
  /** The post's version after the event. */
  version: number;
  kind: EventKind;
  /** The Slack id of the person; '' for Upnext. */
  actor: string;
  /**
   * Encrypted JSON: the content of a version, or the text of a comment or of a reason. Null if there is none, or if a
   * submission has it, because the version was sent at once.
   */
  content: NullableText;
  /** The post's `content_hash` at the time of the event. */
  content_hash: NullableText;
  /** The review step of a decision, from 0. */
  step: NullableCount;
  /** Whether the series applied to the post what the person did elsewhere. The post's author isn't told of it. */
  by_series: Generated<boolean>;
  /** On the clock that people see, which may be set back. */
  at: Timestamp;
  /** The order of the events. */
  position: Generated<string>;
}

/** The messages that show held posts, and change with them. */
export interface HeldPostMessageTable {
  workspace: string;
  held_post: string;
  channel: string;
  ts: string;
  /**
   * `nudge`: a reply in the thread of a review request that asks again, until the review or a later one settles it.
   * `reminder`: a message that doesn't change, such as one about many posts, or a nudge that is settled.
   */
  purpose: 'card' | 'shared' | 'review' | 'nudge' | 'reminder';
  /**
   * The Slack id of the notified person or channel, and always that of the person of direct messages; null for shared
   * messages and requests to review one post in a channel.
   */
  recipient: NullableText;
  /** Keys of what the message told, e.g. the ids of events, so that nobody is told twice. JSON. */
  told: ColumnType<readonly string[], string | undefined, string>;
  /** The ids of the outsiders for whom an owner has confirmed a shared message, see `areConfirmed`. JSON. */
  shared_with: ColumnType<readonly string[] | null, string | null | undefined, string | null>;
  /** On the shared clock. */
  sent_at: Timestamp;
}

/**
 * The slots of posts that are being stored: a row for each platform. A stored post keeps others from its slot by its time,
 * so the slot is free again once the post is moved or cancelled.
 */
export interface SlotReservationTable {
  workspace: string;
  project: string;
  platform: string;
  slot_at: ColumnType<Date>;
  /** The post's `origin` and `item`. */
  origin: string;
  item: number;
  /** On the shared clock. */
  reserved_until: Timestamp;
}

export interface HeldPostTables extends SubmissionTables, PreferenceTables, SeriesTables {
  /** The table of all posts: held posts, and those that were sent at once. */
  post: HeldPostTable;
  held_post: HeldPostTable;
  held_post_event: HeldPostEventTable;
  held_post_message: HeldPostMessageTable;
  slot_reservation: SlotReservationTable;
}

/** A held post. `content` is encrypted. */
export type HeldPostRow = Selectable<HeldPostTables['held_post']>;

/** The platforms that aren't sent again with the post. */
export function listSentPlatforms({ sent_to: sentTo }: Pick<HeldPostRow, 'sent_to'>): string[] {
  return splitPlatforms(sentTo ?? '');
}

/** Reads a column with platforms. */
export function splitPlatforms(platforms: string): string[] {
  return platforms.split(',').filter((platform) => platform !== '');
}

/**
 * Why a post needs somebody whose time has passed. After a backup was restored, the service may have published it, so
 * nobody is told that it wasn't sent.
 */
export function getOverdueReason({ maybe_sent: maybeSent }: Pick<HeldPostRow, 'maybe_sent'>) {
  return maybeSent ? 'restored' : 'overdue';
}

export interface AskedPerson {
  actor: Actor;
  may(role: Role, project: string): boolean;
  /** Whether the person is known not to have the role. Unlike `!may`, false if the roles couldn't be looked up. */
  lacks(role: Role, project: string): boolean;
}

/** Whether a question is one for this person: it's theirs, or nobody may schedule it and they manage its project. */
export function isAsked(
  { actor, may, lacks }: AskedPerson,
  { author, project, reason }: { author: string; project: string; reason: string | null },
): boolean {
  if (author === actor.user) return !lacks('viewer', project);
  return reason === 'not-allowed' && may('manager', project);
}

export const HELD_POST_STORAGE: Storage<HeldState, HeldPostRow> = {
  table: 'post',
  lifecycle: LIFECYCLE,
  project: ({ project }) => project,
  stopped: { state: 'held', reason: 'stopped' },
};

export const HELD_POSTS: Capability<HeldState, HeldPostRow, HeldPostTables> = {
  name: 'held posts',
  ...HELD_POST_STORAGE,
  initialStates: ['draft', 'awaiting-review', 'held'],
  async restore(db, now) {
    const { 'needs-person': asked = 0 } = await restoreDeliveries(db, HELD_POST_STORAGE, {
      now,
      // The post may have been handed over since the backup, so equal posts are counted before it is sent.
      change: { reason: 'restored', maybe_sent: true },
      changeOfOthers: { maybe_sent: true },
    });
    return [
      {
        count: asked,
        label: 'Held posts',
        explanation:
          'Their authors are asked first, because the posts may have been handed over since the backup.',
      },
    ];
  },
  /** Deletes the contents, history and messages of the workspace's held posts. */
  async endAfterUninstall(transaction, { workspace }) {
    await transaction
      .updateTable('held_post')
      .set({ content: null })
      .where('workspace', '=', workspace)
      .execute();
    // An index has the events of each post, and none those of a workspace.
    await transaction
      .deleteFrom('held_post_event')
      .where('held_post', 'in', (posts) =>
        posts.selectFrom('post').select('id').where('workspace', '=', workspace),
      )
      .execute();
    await transaction.deleteFrom('held_post_message').where('workspace', '=', workspace).execute();
    await transaction.deleteFrom('slot_reservation').where('workspace', '=', workspace).execute();
  },
};
