import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import {
  createEncryption,
  DecryptionError,
  type Encryption,
  type EncryptionKey,
  parseKeyId,
} from './encryption.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sql/sealed-columns.ts';
import { listRowsSealedWithOtherKeys, replaceSealedText, type SealedRow } from './sql/sealed-rows.ts';

/** The number of rows of a column that could not be decrypted with one key. */
export interface UndecryptedRows {
  /** `table.column`. */
  table: string;
  keyId: string;
  /** If the key isn't missing, the text is damaged. */
  isKeyMissing: boolean;
  rowCount: number;
}

interface RotationResult {
  /** The number of re-encrypted rows. */
  rowCount: number;
  undecrypted: readonly UndecryptedRows[];
}

/** Rows in one query. Small, because running instances use the database at the same time. */
const PAGE_SIZE = 200;

/**
 * Re-encrypts everything with the first key. Running instances change rows too, so passes over all rows are repeated
 * until a pass meets no such change. This ends after all instances were started with the first key.
 */
export async function rotateKeys(
  db: Kysely<BotSchema>,
  keys: readonly EncryptionKey[],
): Promise<RotationResult> {
  const [newest] = keys;
  if (!newest) throw new RangeError('rotation needs at least one key');
  const encryption = createEncryption(keys);
  let rowCount = 0;
  for (;;) {
    const pass = await runPass(db, encryption, newest.id);
    rowCount += pass.rowCount;
    if (pass.concurrentChanges === 0) return { rowCount, undecrypted: pass.undecrypted };
  }
}

/** `concurrentChanges`: the number of rows that other instances changed while they were re-encrypted. */
async function runPass(
  db: Kysely<BotSchema>,
  encryption: Encryption,
  keyId: string,
): Promise<RotationResult & { concurrentChanges: number }> {
  const undecrypted = new Map<string, UndecryptedRows>();
  let [rowCount, concurrentChanges] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    for await (const row of readSealedRows(db, column, keyId)) {
      const replacement = reencrypt(encryption, row);
      if (replacement instanceof DecryptionError) countUndecryptedRow(undecrypted, column, replacement, row);
      else if (await replaceSealedText(db, column, { ...row, replacement })) rowCount += 1;
      else concurrentChanges += 1;
    }
  }
  return { rowCount, concurrentChanges, undecrypted: [...undecrypted.values()] };
}

async function* readSealedRows(
  db: Kysely<BotSchema>,
  column: SealedColumn,
  keyId: string,
): AsyncGenerator<SealedRow> {
  let after = '';
  for (;;) {
    const rows = await listRowsSealedWithOtherKeys(db, column, { keyId, after, limit: PAGE_SIZE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.key;
  }
}

function reencrypt(
  encryption: Encryption,
  { sealed, workspace, project }: SealedRow,
): string | DecryptionError {
  try {
    return encryption.seal(encryption.open(sealed, workspace, project), workspace, project);
  } catch (error) {
    if (error instanceof DecryptionError) return error;
    throw error;
  }
}

function countUndecryptedRow(
  undecrypted: Map<string, UndecryptedRows>,
  { table, column }: SealedColumn,
  { isKeyMissing }: DecryptionError,
  { sealed }: SealedRow,
): void {
  const group = { table: `${table}.${column}`, keyId: parseKeyId(sealed) ?? '?', isKeyMissing };
  const name = JSON.stringify(group);
  undecrypted.set(name, { ...group, rowCount: (undecrypted.get(name)?.rowCount ?? 0) + 1 });
}
