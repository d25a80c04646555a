import type { Kysely } from 'kysely';
import { withoutStatementTimeout } from '../store/statement-timeout.ts';
import {
  createEncryption,
  DecryptionError,
  type Encryption,
  type EncryptionKey,
  parseKeyId,
} from './encryption.ts';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './sql/encrypted-columns.ts';
import { type EncryptedRow, listRowsWithOtherKeys, replaceEncryptedText } from './sql/encrypted-rows.ts';
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
