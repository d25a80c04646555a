import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { CannotOpen, createEncryption, type Encryption, type EncryptionKey, keyIdOf } from './encryption.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sql/sealed-columns.ts';
import { replaceSealed, rowsSealedOtherwise, type SealedRow } from './sql/sealed-rows.ts';

/** What could not be sealed anew, counted by table and by the id of the key that it needs. */
export interface Unopened {
  table: string;
  keyId: string;
  /** The key is not among those that were given; otherwise the text itself is damaged. */
  isMissing: boolean;
  rows: number;
}

interface Rotated {
  /** Sealed anew. */
  rows: number;
  unopened: readonly Unopened[];
}

/** So many at a time: others use the database meanwhile. */
const PAGE = 200;

/**
 * Seals everything with the first key, again and again until nothing has changed meanwhile: others may be at work, who
 * seal with the first key too once every instance was started with it.
 */
export async function rotateKeys(db: Kysely<BotSchema>, keys: readonly EncryptionKey[]): Promise<Rotated> {
  const [newest] = keys;
  if (!newest) throw new RangeError('rotation needs at least one key');
  const encryption = createEncryption(keys);
  let rows = 0;
  for (;;) {
    const pass = await onePass(db, encryption, newest.id);
    rows += pass.rows;
    if (pass.changed === 0) return { rows, unopened: pass.unopened };
  }
}

/** `changed`: rows that somebody else has changed while they were sealed. */
async function onePass(
  db: Kysely<BotSchema>,
  encryption: Encryption,
  keyId: string,
): Promise<Rotated & { changed: number }> {
  const unopened = new Map<string, Unopened>();
  let [rows, changed] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    for await (const row of pages(db, column, keyId)) {
      const by = sealedAnew(encryption, row);
      if (by instanceof CannotOpen) count(unopened, column, by, row);
      else if (await replaceSealed(db, column, { ...row, by })) rows += 1;
      else changed += 1;
    }
  }
  return { rows, changed, unopened: [...unopened.values()] };
}

async function* pages(db: Kysely<BotSchema>, column: SealedColumn, keyId: string): AsyncGenerator<SealedRow> {
  let after = '';
  for (;;) {
    const rows = await rowsSealedOtherwise(db, column, { keyId, after, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}

function sealedAnew(encryption: Encryption, { sealed, workspace, project }: SealedRow): string | CannotOpen {
  try {
    return encryption.seal(encryption.open(sealed, workspace, project), workspace, project);
  } catch (error) {
    if (error instanceof CannotOpen) return error;
    throw error;
  }
}

function count(
  unopened: Map<string, Unopened>,
  { table, column }: SealedColumn,
  { isKeyMissing }: CannotOpen,
  { sealed }: SealedRow,
): void {
  const at = { table: `${table}.${column}`, keyId: keyIdOf(sealed) ?? '?', isMissing: isKeyMissing };
  const name = JSON.stringify(at);
  unopened.set(name, { ...at, rows: (unopened.get(name)?.rows ?? 0) + 1 });
}
