import type { ColumnType, Generated } from 'kysely';
import type { AccessGrantTable, AccessRequestTable, RecordHeadTable, RecordTable } from '../access/tables.ts';
import type { DigestOccurrenceTable, DigestTable } from '../digests/tables.ts';
import type { SubmissionTable } from '../submissions/tables.ts';
import type {
  CredentialTable,
  DepartureTable,
  InstallationTable,
  InstalledWorkspaceTable,
  InstallStateTable,
  LeftWorkspaceTable,
} from '../workspaces/tables.ts';

/** A moment: written as a Date, read as a Date, UTC. */
type Moment = ColumnType<Date, Date, Date>;
type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
type NullableText = ColumnType<string | null, string | null | undefined, string | null>;

/** Which projects a channel is about. */
interface ChannelProjectTable {
  workspace: string;
  channel: string;
  project: string;
  /** In the order in which they were chosen. */
  position: Generated<number>;
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

/** What the service refuses a workspace: nothing of it is sent until the next probe. */
interface ServiceHoldTable {
  workspace: string;
  /** Whose token, or the rights for what; held alike is what has the same. */
  scope: string;
  status: number;
  since: Moment;
  probe_at: Moment;
  told_at: NullableMoment;
}

/** Secrets that all instances share, sealed. */
interface SharedSecretTable {
  name: string;
  /** Sealed; of no workspace. */
  secret: string;
}

/** Which zone posts are in, as chosen for a channel, a project or a person. */
interface ZoneTable {
  workspace: string;
  scope: string;
  /** The id of the channel, of the project in the service, or of the person. */
  subject: string;
  /** IANA name. */
  zone: string;
  chosen_by: string;
  chosen_at: Moment;
}

/** Who has the Home tab in front of them, and what was published there last. */
interface HomeTabTable {
  workspace: string;
  person: string;
  /** Slack's; '' where nothing was published yet. */
  hash: string;
  opened_at: Moment;
}

/** What is done once, however often and wherever it is asked for. */
interface DoneOnceTable {
  workspace: string;
  name: string;
  /** Null: for good. */
  kept_until: NullableMoment;
}

/** What a draft was scheduled as: the post that was made of it. */
interface DraftCopyTable {
  workspace: string;
  /** What somebody submitted. */
  submission: string;
  /** Ids in the service. */
  project: string;
  draft: string;
  post: NullableText;
  scheduled_at: NullableMoment;
  /** IANA name. */
  zone: NullableText;
  made_by: string;
  made_at: Moment;
}

/** A request of Slack's that has come, by the signature that we computed. */
interface SeenRequestTable {
  signature: string;
  kept_until: Moment;
}

/** All sending is stopped while there is a row. */
interface HaltTable {
  name: string;
  why: string;
  since: Moment;
}

/** The bot's own database. */
export interface BotSchema {
  channel_project: ChannelProjectTable;
  open_form: OpenFormTable;
  submission: SubmissionTable;
  service_hold: ServiceHoldTable;
  shared_secret: SharedSecretTable;
  zone: ZoneTable;
  home_tab: HomeTabTable;
  done_once: DoneOnceTable;
  draft_copy: DraftCopyTable;
  digest: DigestTable;
  digest_occurrence: DigestOccurrenceTable;
  installation: InstallationTable;
  installed_workspace: InstalledWorkspaceTable;
  install_state: InstallStateTable;
  departure: DepartureTable;
  left_workspace: LeftWorkspaceTable;
  credential: CredentialTable;
  access_grant: AccessGrantTable;
  access_request: AccessRequestTable;
  record: RecordTable;
  record_head: RecordHeadTable;
  seen_request: SeenRequestTable;
  halt: HaltTable;
}
