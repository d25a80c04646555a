import type { BotSchema } from '../../store/schema.ts';

/** A column that holds sealed texts, and what each of them is bound to. */
export interface SealedColumn {
  table: keyof BotSchema;
  column: string;
  /** What tells the rows apart. */
  key: string;
  /** The column with the workspace (or organisation); undefined for what is of no workspace. */
  workspace?: string;
  /** The column with the project. */
  project?: string;
}

/** All of them: what is not listed here is lost with the key that it was sealed with. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'installation', column: 'tokens', key: 'id', workspace: 'id' },
  { table: 'credential', column: 'connection', key: 'id', workspace: 'workspace', project: 'project' },
  { table: 'shared_secret', column: 'secret', key: 'name' },
  { table: 'open_form', column: 'content', key: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'content', key: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'reason', key: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'summary', key: 'id', workspace: 'workspace' },
  { table: 'digest_occurrence', column: 'afterwards', key: 'id', workspace: 'workspace' },
];
