import type { ColumnType, Generated } from 'kysely';

/** A moment: written as a Date, read as a Date, UTC. */
type Moment = ColumnType<Date, Date, Date>;

/** Which project a channel shows. */
interface ChannelProjectTable {
  workspace: string;
  channel: string;
  project: string;
  bound_by: string;
  bound_at: Moment;
}

/** A form that somebody has open: what its opaque id in Slack stands for. */
interface OpenFormTable {
  id: string;
  workspace: string;
  asker: string;
  kind: string;
  /** Sealed JSON of the form's own facts. */
  facts: string;
  opened_at: Moment;
}

/** What somebody submitted, and how far it has come. */
interface SubmissionTable {
  id: string;
  workspace: string;
  asker: string;
  kind: string;
  /** The id of the form that it came from. */
  origin: string;
  /** Which of the form's moments; a form with one has 0. */
  item: number;
  /** Rises only after a definite refusal. */
  revision: number;
  state: string;
  /** The channel that the form was opened from. */
  channel: string | null;
  /** Sealed JSON. */
  content: string;
  /** Sealed JSON of why it was refused; null otherwise. */
  reason: string | null;
  attempts: Generated<number>;
  shared_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Moment;
  changed_at: Moment;
}

/** The bot's own database. */
export interface BotSchema {
  channel_project: ChannelProjectTable;
  open_form: OpenFormTable;
  submission: SubmissionTable;
}
