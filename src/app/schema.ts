import type { AccessTables } from '../access/access.ts';
import type { DigestTables } from '../digests/occurrence.ts';
import type { HomeTables } from '../features/home/home-tabs.ts';
import type { FormTables } from '../forms/tables.ts';
import type { HeldPostTables } from '../held-posts/held-post.ts';
import type { PublicationTables } from '../publications/publication.ts';
import type { WorkspaceTables } from '../workspaces/workspaces.ts';

/** All tables of the app's database. Each module declares its own, and those of others that it uses. */
export interface BotSchema
  extends AccessTables,
    HeldPostTables,
    PublicationTables,
    DigestTables,
    WorkspaceTables,
    FormTables,
    HomeTables {}
