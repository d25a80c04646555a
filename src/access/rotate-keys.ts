import { type Kysely, sql } from 'kysely';
import { withoutStatementTimeout } from '../store/statement-timeout.ts';
import {
  createEncryption,
  DecryptionError,
  type Encryption,
  type EncryptionKey,
  parseKeyId,
} from './encryption.ts';
import type { AccessTables } from './tables.ts';

/** The number of rows in one column that were encrypted with the key `keyId` and could not be decrypted. */
export interface UndecryptedRows {
  /** `table.column`. */
  table: string;
  keyId: string;
  /** If false, the texts of the rows are damaged. */
  isKeyMissing: boolean;
  rowCount: number;
}

interface RotationResult {
  /** The number of re-encrypted rows. */
  rowCount: number;
  undecrypted: readonly UndecryptedRows[];
}

/** Rows per query. The number is small, because running instances use the database at the same time. */
const PAGE_SIZE = 200;

/**
 * Re-encrypts all encrypted texts with the first key. Running instances change rows at the same time. Passes over all
 * rows are therefore repeated until no row changes during a pass. That happens once all instances use the first key.
 */
export async function rotateKeys(
  db: Kysely<AccessTables>,
  keys: readonly EncryptionKey[],
): Promise<RotationResult> {
  const [newest] = keys;
  if (!newest) throw new RangeError('rotation needs at least one key');
  const encryption = createEncryption(keys);
  let rowCount = 0;
  for (;;) {
    const passResult = await runPass(db, encryption, newest.id);
    rowCount += passResult.rowCount;
    if (passResult.concurrentChanges === 0) return { rowCount, undecrypted: passResult.undecrypted };
  }
}

/** Re-encrypts all rows once. `concurrentChanges`: the number of rows that an instance changed during that. */
async function runPass(
  db: Kysely<AccessTables>,
  encryption: Encryption,
  newestKeyId: string,
): Promise<RotationResult & { concurrentChanges: number }> {
  const undecrypted = new Map<string, UndecryptedRows>();
  let [rowCount, concurrentChanges] = [0, 0];
  for (const column of ENCRYPTED_COLUMNS) {
    for await (const row of readEncryptedRows(db, column, newestKeyId)) {
      const replacement = reencrypt(encryption, row);
      if (replacement instanceof DecryptionError) countUndecryptedRow(undecrypted, column, replacement, row);
      else if (await replaceEncryptedText(db, column, { ...row, replacement })) rowCount += 1;
      else concurrentChanges += 1;
    }
  }
  return { rowCount, concurrentChanges, undecrypted: [...undecrypted.values()] };
}

async function* readEncryptedRows(
  db: Kysely<AccessTables>,
  column: EncryptedColumn,
  newestKeyId: string,
): AsyncGenerator<EncryptedRow> {
  let lastRowKey = '';
  for (;;) {
    const page = { keyId: newestKeyId, after: lastRowKey, limit: PAGE_SIZE };
    // Reads the rest of the table if few rows have other keys.
    const rows = await withoutStatementTimeout(() => listRowsWithOtherKeys(db, column, page));
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    lastRowKey = last.rowKey;
  }
}

function reencrypt(
  encryption: Encryption,
  { encrypted, workspace, project }: EncryptedRow,
): string | DecryptionError {
  try {
    return encryption.encrypt(encryption.decrypt(encrypted, workspace, project), workspace, project);
  } catch (error) {
    if (error instanceof DecryptionError) return error;
    throw error;
  }
}

function countUndecryptedRow(
  undecrypted: Map<string, UndecryptedRows>,
  { table, column }: EncryptedColumn,
  { isKeyMissing }: DecryptionError,
  { encrypted }: EncryptedRow,
): void {
  const group = { table: `${table}.${column}`, keyId: parseKeyId(encrypted) ?? '?', isKeyMissing };
  const name = JSON.stringify(group);
  undecrypted.set(name, { ...group, rowCount: (undecrypted.get(name)?.rowCount ?? 0) + 1 });
}

/** A column with encrypted texts, which are bound to the row's columns `workspace` and `project`. */
interface EncryptedColumn {
  table: string;
  column: string;
  primaryKey: string;
  /** The column with the workspace (or organisation). Undefined if the encryption doesn't depend on it. */
  workspace?: string;
  project?: string;
}

/** All encrypted columns. A rotation re-encrypts only these; other texts are lost when the old key is removed. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'installation', column: 'tokens', primaryKey: 'id', workspace: 'id' },
  { table: 'credential', column: 'connection', primaryKey: 'id', workspace: 'workspace', project: 'project' },
  { table: 'shared_secret', column: 'secret', primaryKey: 'name' },
  { table: 'media_file', column: 'sealed', primaryKey: 'id', workspace: 'workspace' },
  { table: 'open_form', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'refusal', primaryKey: 'id', workspace: 'workspace' },
  { table: 'submission', column: 'summary', primaryKey: 'id', workspace: 'workspace' },
  { table: 'post', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'series', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'series', column: 'previous', primaryKey: 'id', workspace: 'workspace' },
  { table: 'held_post_event', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'post_import_part', column: 'content', primaryKey: 'id', workspace: 'workspace' },
  { table: 'digest_occurrence', column: 'follow_ups', primaryKey: 'id', workspace: 'workspace' },
];

/** One encrypted text, and the workspace and project that it is bound to. */
interface EncryptedRow {
  /** The value of the primary key. */
  rowKey: string;
  encrypted: string;
  workspace: string;
  project: string;
}

/**
 * Up to `limit` texts of a column that are encrypted with other keys than `keyId`. Ordered by the table's primary key,
 * starting after the row key `after`.
 */
async function listRowsWithOtherKeys(
  db: Kysely<AccessTables>,
  { table, column, primaryKey, workspace, project }: EncryptedColumn,
  page: { keyId: string; after: string; limit: number },
): Promise<EncryptedRow[]> {
  const encryptedText = sql.ref(column);
  const selectOrEmpty = (name: string | undefined) => (name === undefined ? sql`''` : sql.ref(name));
  const { rows } = await sql<EncryptedRow>`
    select ${sql.ref(primaryKey)} as "rowKey", ${encryptedText} as encrypted, ${selectOrEmpty(workspace)} as workspace,
      ${selectOrEmpty(project)} as project
    from ${sql.table(table)}
    where ${sql.ref(primaryKey)} > ${page.after} and ${encryptedText} is not null and split_part(${encryptedText}, ':', 2) <> ${page.keyId}
    order by ${sql.ref(primaryKey)} limit ${page.limit}`.execute(db);
  return rows;
}

/** Replaces an encrypted text. Returns false if an instance has changed the text in the meantime. */
async function replaceEncryptedText(
  db: Kysely<AccessTables>,
  column: EncryptedColumn,
  { rowKey, encrypted, replacement }: { rowKey: string; encrypted: string; replacement: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${replacement}
    where ${sql.ref(column.primaryKey)} = ${rowKey} and ${sql.ref(column.column)} = ${encrypted}`.execute(db);
  return numAffectedRows > 0n;
}
