import type {
  AccessGrantTable,
  AccessRequestTable,
  AuditCheckpointTable,
  AuditEntryTable,
  AuditHeadTable,
  SharedSecretTable,
} from '../access/tables.ts';
import type { SeenRequestTable } from '../app/tables.ts';
import type { DigestOccurrenceTable, DigestTable } from '../digests/tables.ts';
import type { OnceClaimTable, SendingStopTable } from '../engine/tables.ts';
import type { HomeTabTable } from '../features/home/tables.ts';
import type { OpenFormTable } from '../forms/tables.ts';
import type { HeldPostEventTable, HeldPostMessageTable, HeldPostTable } from '../held-posts/tables.ts';
import type {
  ChannelProjectTable,
  NotificationChoiceTable,
  ProjectPolicyTable,
  ZoneTable,
} from '../preferences/tables.ts';
import type { PublicationTable } from '../publications/tables.ts';
import type { ScheduledDraftTable, ServicePauseTable, SubmissionTable } from '../submissions/tables.ts';
import type {
  CredentialTable,
  InstallationTable,
  InstalledWorkspaceTable,
  InstallStateTable,
  UninstallationTable,
  UninstalledWorkspaceTable,
} from '../workspaces/tables.ts';

/** The tables of the app's database. Each domain defines its tables in its `tables.ts`. */
export interface BotSchema {
  channel_project: ChannelProjectTable;
  open_form: OpenFormTable;
  submission: SubmissionTable;
  service_pause: ServicePauseTable;
  publication: PublicationTable;
  shared_secret: SharedSecretTable;
  zone: ZoneTable;
  notification_choice: NotificationChoiceTable;
  home_tab: HomeTabTable;
  once_claim: OnceClaimTable;
  scheduled_draft: ScheduledDraftTable;
  digest: DigestTable;
  digest_occurrence: DigestOccurrenceTable;
  installation: InstallationTable;
  installed_workspace: InstalledWorkspaceTable;
  install_state: InstallStateTable;
  uninstallation: UninstallationTable;
  uninstalled_workspace: UninstalledWorkspaceTable;
  credential: CredentialTable;
  access_grant: AccessGrantTable;
  access_request: AccessRequestTable;
  audit_entry: AuditEntryTable;
  audit_head: AuditHeadTable;
  audit_checkpoint: AuditCheckpointTable;
  seen_request: SeenRequestTable;
  sending_stop: SendingStopTable;
  project_policy: ProjectPolicyTable;
  held_post: HeldPostTable;
  held_post_event: HeldPostEventTable;
  held_post_message: HeldPostMessageTable;
}
