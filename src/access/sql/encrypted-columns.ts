/**
 * A column with encrypted texts. A text can be decrypted only with the workspace and project of its row, which are in
 * the columns `workspace` and `project`.
 */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** The table's primary key column. */
  primaryKey: string;
  /** The column with the workspace (or organisation). Undefined if the encryption doesn't depend on it. */
  workspace?: string;
  /** The column with the project. */
  project?: string;
}

/**
 * All encrypted columns. A rotation re-encrypts only these columns. The texts of any other column are lost when the old
 * key is removed.
 */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'installation', column: 'tokens', primaryKey: 'id', workspace: 'id' },
  { table: 'credential', column: 'connection', primaryKey: 'id', workspace: 'workspace', project: 'project' },
  { table: 'shared_secret', column: 'secret', primaryKey: 'name' },
  { table: 'open_form', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'refusal', primaryKey: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'summary', primaryKey: 'id', workspace: 'workspace' },
  { table: 'held_post', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'held_post_event', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'digest_occurrence', column: 'follow_ups', primaryKey: 'id', workspace: 'workspace' },
];
