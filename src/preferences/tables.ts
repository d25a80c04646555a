import type { ColumnType, Generated } from 'kysely';
import type { EngineTables } from '../engine/tables.ts';
import type { NullableCount, NullableText, Timestamp } from '../store/column-values.ts';

/** Whether posts are reviewed before they are handed over. */
export const REVIEW_MODES = ['off', 'optional', 'required'] as const;
type ReviewMode = (typeof REVIEW_MODES)[number];

/** Whether the reviewers of a series are asked about each post, or once about each of its texts. */
export const SERIES_REVIEWS = ['each', 'once'] as const;
export type SeriesReview = (typeof SERIES_REVIEWS)[number];

/** Whether each step of a review needs other people than the steps before, or anybody among its approvers is enough. */
export const STEP_PEOPLE = ['different', 'any'] as const;
export type StepPeople = (typeof STEP_PEOPLE)[number];

/** Whether guests of the workspace may be in the channels in which a project's posts are shown. */
export const GUEST_RULES = ['allowed', 'kept-out'] as const;
export type GuestRule = (typeof GUEST_RULES)[number];

/** Whether the account on X pays, and so may write longer posts. Nobody but its people can tell. */
export const X_ACCOUNTS = ['free', 'paid'] as const;
export type XAccount = (typeof X_ACCOUNTS)[number];

/** The tables that preferences read or write. */
export interface PreferenceTables extends EngineTables {
  channel_project: {
    workspace: string;
    channel: string;
    project: string;
    /** The order in which the projects of the channel were chosen. */
    position: Generated<number>;
    bound_at: Timestamp;
  };
  zone: {
    workspace: string;
    scope: string;
    /** The id of the channel, of the project in the service, or of the person. */
    subject: string;
    /** IANA name. */
    zone: string;
  };
  /** In which order people write day and month. See `StoredOrder`. */
  date_order: {
    workspace: string;
    person: string;
    chosen: NullableText;
    used: NullableText;
  };
  /** The notifications that people chose. People who never chose have no row. */
  notification_choice: {
    workspace: string;
    person: string;
    published: boolean;
    problems: boolean;
  };
  /** The policies of projects: whether posts are held, and who reviews them. Projects without a row have the default. */
  project_policy: {
    workspace: string;
    /** The project's id in the service. */
    project: string;
    /** How long before its time a post is handed over; null if posts go to the service right away. */
    lead_minutes: NullableCount;
    review: ReviewMode;
    series_review: Generated<SeriesReview>;
    /** JSON of `ReviewStep[]`. */
    review_steps: ColumnType<unknown, string, string>;
    step_people: Generated<StepPeople>;
    /** JSON of Slack user ids. */
    stand_ins: ColumnType<unknown, string, string>;
    /** The channel for review requests and for posts that need a decision; null for direct messages. */
    channel: NullableText;
    guests: Generated<GuestRule>;
    x_account: Generated<XAccount>;
    /** JSON of `PostingTimes[]`. */
    posting_times: ColumnType<unknown, string | undefined, string>;
    /** JSON of `Blackout[]`. */
    blackouts: ColumnType<unknown, string | undefined, string>;
    /** The owner who required a review although fewer than two people can approve; null if none did. */
    owner_override: NullableText;
  };
}
