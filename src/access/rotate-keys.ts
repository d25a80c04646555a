import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import {
  createEncryption,
  DecryptionError,
  type Encryption,
  type EncryptionKey,
  keyIdOf,
} from './encryption.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sql/sealed-columns.ts';
import { replaceSealed, rowsSealedWithOtherKeys, type SealedRow } from './sql/sealed-rows.ts';

/** Rows of a table that could not be decrypted, by the id of their key. */
export interface UndecryptedRows {
  table: string;
  keyId: string;
  /** Whether the key is missing. Otherwise the text is damaged. */
  isMissing: boolean;
  rows: number;
}

interface Rotated {
  /** The number of re-encrypted rows. */
  rows: number;
  undecrypted: readonly UndecryptedRows[];
}

/** Rows read at a time. Small, because others use the database meanwhile. */
const PAGE = 200;

/**
 * Re-encrypts everything with the first key. Repeats until no row has changed during a pass, because running instances
 * write rows too. They use the first key as well once all of them were started with it.
 */
export async function rotateKeys(db: Kysely<BotSchema>, keys: readonly EncryptionKey[]): Promise<Rotated> {
  const [newest] = keys;
  if (!newest) throw new RangeError('rotation needs at least one key');
  const encryption = createEncryption(keys);
  let rows = 0;
  for (;;) {
    const pass = await runPass(db, encryption, newest.id);
    rows += pass.rows;
    if (pass.changed === 0) return { rows, undecrypted: pass.undecrypted };
  }
}

/** `changed`: rows that were changed by others while they were re-encrypted. */
async function runPass(
  db: Kysely<BotSchema>,
  encryption: Encryption,
  keyId: string,
): Promise<Rotated & { changed: number }> {
  const undecrypted = new Map<string, UndecryptedRows>();
  let [rows, changed] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    for await (const row of pages(db, column, keyId)) {
      const replacement = reencrypt(encryption, row);
      if (replacement instanceof DecryptionError) count(undecrypted, column, replacement, row);
      else if (await replaceSealed(db, column, { ...row, replacement })) rows += 1;
      else changed += 1;
    }
  }
  return { rows, changed, undecrypted: [...undecrypted.values()] };
}

async function* pages(db: Kysely<BotSchema>, column: SealedColumn, keyId: string): AsyncGenerator<SealedRow> {
  let after = '';
  for (;;) {
    const rows = await rowsSealedWithOtherKeys(db, column, { keyId, after, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
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

function count(
  undecrypted: Map<string, UndecryptedRows>,
  { table, column }: SealedColumn,
  { isKeyMissing }: DecryptionError,
  { sealed }: SealedRow,
): void {
  const at = { table: `${table}.${column}`, keyId: keyIdOf(sealed) ?? '?', isMissing: isKeyMissing };
  const name = JSON.stringify(at);
  undecrypted.set(name, { ...at, rows: (undecrypted.get(name)?.rows ?? 0) + 1 });
}
