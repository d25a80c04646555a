import type { AccessTables } from '../access/access.ts';
import type { DigestTables } from '../digests/occurrence.ts';
import type { HeldPostTables } from '../held-posts/held-post.ts';
import type { PostImportTables } from '../imports/post-import.ts';
import type { MediaTables } from '../media/media-store.ts';
import type { PreferenceTables } from '../preferences/tables.ts';
import type { PublicationTables } from '../publications/publication.ts';
import type { Timestamp } from '../store/column-values.ts';
import type { SubmissionTables } from '../submissions/submission.ts';
import type { WebTables } from '../web/web.ts';
import type { WorkspaceTables } from '../workspaces/workspaces.ts';

export interface FormTables extends SubmissionTables, PreferenceTables {
  /** An encrypted value, such as an open form or posts to schedule again. Views and buttons have its opaque id. */
  open_form: {
    id: string;
    workspace: string;
    author: string;
    kind: string;
    /** Encrypted JSON. */
    content: string;
    opened_at: Timestamp;
    expires_at: Timestamp;
    /** When the typed values were stored that a new form may offer. Null if there are none. */
    typed_at: Timestamp | null;
  };
}

/** All tables of the app's database. Each module declares its own, and those of others that it uses. */
export interface BotSchema
  extends AccessTables,
    HeldPostTables,
    PostImportTables,
    PublicationTables,
    DigestTables,
    WorkspaceTables,
    FormTables,
    MediaTables,
    WebTables {
  /** The Home tab of each person: when it was last opened, and the hash of the published view. */
  home_tab: {
    workspace: string;
    person: string;
    /** Slack's hash of the published view; '' if nothing was published. */
    hash: string;
    opened_at: Timestamp;
  };
}
