import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import { countBuffer } from '../count-buffers.ts';
import { HOUR_MS } from '../durations.ts';
import { MEDIA_TYPES, type MediaFacts, mediaFactsSchema } from '../posts/media-reference.ts';
import type { Timestamp } from '../store/column-values.ts';
import { createInstanceState } from '../store/instance-state.ts';
import { lockUntilEnd } from '../store/locks.ts';
import type { FoundFacts } from './read-pictures.ts';

/** A file from Slack that posts refer to by its address. */
interface MediaFileTable {
  /** The SHA-256 of the unguessable part of the address, so that the database alone opens no file. */
  id: string;
  workspace: string;
  /** Slack's id of the file. Of several that are equal, the last one's. */
  slack_file: string;
  /** Encrypted JSON: the unguessable part of the address, the key of the chunks, the facts, and the content's hash. */
  sealed: string;
  /** Null until the file is complete. */
  bytes: number | null;
  /** When the file is deleted, unless a post uses it. On the clock that people see. */
  keep_until: Timestamp;
  created_at: Timestamp;
}

/** The content of files, in chunks that are encrypted with the file's own key. */
interface MediaChunkTable {
  file: string;
  position: number;
  data: Uint8Array;
}

export interface MediaTables {
  media_file: MediaFileTable;
  media_chunk: MediaChunkTable;
}

type MediaFileRow = Selectable<MediaFileTable>;

export interface StoredMedia {
  id: string;
  workspace: string;
  /** The unguessable part of its address. */
  token: string;
  key: Buffer;
  chunkBytes: number;
  facts: MediaFacts;
  contentHash?: string | undefined;
}

/** The length of a chunk. The embedded database takes 10 ms for one, while others wait, and a multiple in memory. */
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
/** Chunks of a refused file that are deleted at once. */
const DISCARDED_AT_ONCE = 256;

const sealedFile = z.object({
  token: z.string(),
  key: z.string(),
  chunkBytes: z.number(),
  facts: mediaFactsSchema.optional(),
  /** The SHA-256 of the store's name and the content. If it weren't encrypted, the content could be guessed. */
  contentHash: z.string().optional(),
});

/** A file that isn't complete by then was left by an instance that ended. */
const INCOMPLETE_MS = HOUR_MS;

/** Our own limit for all files of a workspace, so that one can't fill the database of all. */
const MAX_WORKSPACE_BYTES = 5 * 1024 ** 3;

/** The unguessable part of an address: 32 bytes as base64url. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Returns the name of a file in addresses: it looks like a picture or a video to those who read only its ending. */
export function buildFileName({ token, facts }: Pick<StoredMedia, 'token' | 'facts'>): string {
  return `${token}.${MEDIA_TYPES[facts.type].extension}`;
}

interface StoreOptions {
  db: Kysely<MediaTables>;
  encryption: Encryption;
}

export async function hasRoom({ db }: StoreOptions, workspace: string): Promise<boolean> {
  const { bytes } = await db
    .selectFrom('media_file')
    .select((file) => file.fn.coalesce(file.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
    .where('workspace', '=', workspace)
    .executeTakeFirstOrThrow();
  return Number(bytes) < MAX_WORKSPACE_BYTES;
}

/**
 * Begins a file. The first chunk is written last, because its bytes may still change. `store` names the place of its
 * content: a file in another one has another address.
 */
export async function beginFile(
  { db, encryption }: StoreOptions,
  { workspace, slackFile, store, now }: { workspace: string; slackFile: string; store: string; now: Date },
) {
  const [token, key] = [randomBytes(32).toString('base64url'), randomBytes(32)];
  const id = hashToken(token);
  const seal = (file: z.infer<typeof sealedFile>) => encryption.encrypt(JSON.stringify(file), workspace);
  const sealed = { token, key: key.toString('base64'), chunkBytes: CHUNK_BYTES };
  await db
    .insertInto('media_file')
    .values({
      id,
      workspace,
      slack_file: slackFile,
      sealed: seal(sealed),
      bytes: null,
      keep_until: new Date(now.getTime() + INCOMPLETE_MS),
      created_at: now,
    })
    .execute();
  const encryptionKey = createSecretKey(key);
  let [chunk, filled, position] = [Buffer.alloc(CHUNK_BYTES), 0, 0];
  let firstChunk: Buffer | undefined;
  const hash = createHash('sha256').update(store);
  const flush = async () => {
    hash.update(chunk.subarray(0, filled));
    if (position === 0) firstChunk = Buffer.from(chunk.subarray(0, filled));
    else
      await storeChunk(db, {
        file: id,
        position,
        data: encryptChunk(encryptionKey, position, chunk.subarray(0, filled)),
      });
    position += 1;
    filled = 0;
  };
  const deleteChunks = async () => {
    // In portions of 16 MB, between which others' statements run. A stored first chunk is deleted with its file.
    for (let from = 1; from < position; from += DISCARDED_AT_ONCE) {
      await db
        .deleteFrom('media_chunk')
        .where('file', '=', id)
        .where('position', '>=', from)
        .where('position', '<', from + DISCARDED_AT_ONCE)
        .execute();
      await freeRoom(db);
    }
    await db.deleteFrom('media_file').where('id', '=', id).execute();
  };
  const writer = {
    async write(bytes: Buffer) {
      for (let at = 0; at < bytes.length; ) {
        const copied = bytes.copy(chunk, filled, at);
        filled += copied;
        at += copied;
        if (filled === CHUNK_BYTES) await flush();
      }
    },
    /**
     * Makes the file available, or resolves with an equal one of the workspace: posts are compared by the addresses of
     * their media. `patches` replace bytes of its first chunk. `move` gets the whole file before that; with it, the
     * database doesn't keep the chunks.
     */
    async complete(
      { patches = [], ...found }: Omit<MediaFacts, 'bytes'> & Pick<FoundFacts, 'patches'>,
      keepUntil: Date,
      move?: (file: StoredMedia) => Promise<void>,
    ): Promise<StoredMedia> {
      const bytes = position * CHUNK_BYTES + filled;
      if (filled > 0) await flush();
      const first = firstChunk ?? Buffer.alloc(0);
      for (const patch of patches) patch.bytes.copy(first, patch.position);
      await storeChunk(db, { file: id, position: 0, data: encryptChunk(encryptionKey, 0, first) });
      const facts = { ...found, bytes };
      const contentHash = hash.digest('base64');
      const file = { id, workspace, token, key, chunkBytes: CHUNK_BYTES, facts, contentHash };
      if (move) {
        await move(file);
        await db.deleteFrom('media_chunk').where('file', '=', id).execute();
      }
      const available = await db.transaction().execute(async (transaction) => {
        // Of equal files that are completed at the same time, the later one finds the earlier.
        await lockUntilEnd(transaction, `media_file/${workspace}`);
        const equal = await findEqualFile({ db: transaction, encryption }, file);
        if (equal && (await keepFile({ db: transaction }, equal.id, keepUntil, slackFile))) return equal;
        const { numUpdatedRows } = await transaction
          .updateTable('media_file')
          .set({ sealed: seal({ ...sealed, facts, contentHash }), bytes, keep_until: keepUntil })
          .where('id', '=', id)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw new Error(DELETED);
        return file;
      });
      if (available !== file) await writer.discard();
      return available;
    },
    /** Deletes what was stored. If the database refuses that too, the scan does it when the file's time is over. */
    async discard() {
      chunk = Buffer.alloc(0);
      await deleteChunks().catch(() => undefined);
    },
  };
  return writer;
}

/**
 * The number of stored bytes after which the database frees the room of deleted files. It reads what was stored since
 * the last time, while other statements wait: 0.1 s for this number.
 */
export const BYTES_PER_FREEING = 32 * 1024 * 1024;

/** The app was uninstalled meanwhile. */
const DELETED = 'the file was deleted while it was being stored';

/** The bytes since then, and the insert of a chunk that was begun last. */
const insertsOf = createInstanceState(() => ({ bytes: 0, last: Promise.resolve<unknown>(undefined) }));

/** Stores a chunk. This process stores one at a time, so that other statements wait for one at most. */
async function storeChunk(...[db, row]: Parameters<typeof insertChunk>): Promise<void> {
  const inserts = insertsOf(db);
  const insert = inserts.last.then(async () => {
    await insertChunk(db, row);
    inserts.bytes += row.data.length;
    if (inserts.bytes < BYTES_PER_FREEING) return;
    inserts.bytes = 0;
    await freeRoom(db);
  });
  inserts.last = insert.catch(() => undefined);
  await insert;
}

/** Bytes as text, because PGlite takes three times as long for a parameter of bytes. */
async function insertChunk(db: Kysely<MediaTables>, { file, position, data }: Selectable<MediaChunkTable>) {
  const bytes = sql<Uint8Array>`decode(${Buffer.from(data).toString('base64')}, 'base64')`;
  // The encrypted bytes, the cipher's pieces of them, and the text.
  countBuffer(3 * data.length);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('media_chunk')
    .columns(['file', 'position', 'data'])
    .expression((insert) =>
      insert
        .selectFrom('media_file')
        .select(['id', sql<number>`${position}::integer`.as('position'), bytes.as('data')])
        .where('id', '=', file),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Error(DELETED);
}

/** The position is the nonce: each file has a key of its own, and each position is written once. */
function buildNonce(position: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(position, 8);
  return nonce;
}

function encryptChunk(key: ReturnType<typeof createSecretKey>, position: number, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, buildNonce(position));
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function decryptChunk(key: Buffer, position: number, data: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, buildNonce(position), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(data.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]);
}

function unseal({ encryption }: StoreOptions, row: MediaFileRow): StoredMedia | undefined {
  const { facts, ...file } = sealedFile.parse(JSON.parse(encryption.decrypt(row.sealed, row.workspace)));
  return (
    facts && { ...file, id: row.id, workspace: row.workspace, key: Buffer.from(file.key, 'base64'), facts }
  );
}

/** Finds a complete file by the unguessable part of its address, in one workspace or in all. */
export async function findFile(
  options: StoreOptions,
  token: string,
  workspace?: string,
): Promise<StoredMedia | undefined> {
  const row = await options.db
    .selectFrom('media_file')
    .selectAll()
    .where('id', '=', hashToken(token))
    .where('bytes', 'is not', null)
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace ?? ''))
    .executeTakeFirst();
  return row && unseal(options, row);
}

export async function findSlackFile(
  options: StoreOptions,
  { workspace, slackFile, after }: { workspace: string; slackFile: string; after: Date },
): Promise<StoredMedia | undefined> {
  const row = await options.db
    .selectFrom('media_file')
    .selectAll()
    .where(({ and }) => and({ workspace, slack_file: slackFile }))
    .where('bytes', 'is not', null)
    .where('keep_until', '>', after)
    .executeTakeFirst();
  return row && unseal(options, row);
}

async function findEqualFile(
  options: StoreOptions,
  { workspace, facts: { bytes }, contentHash }: StoredMedia,
): Promise<StoredMedia | undefined> {
  const rows = await options.db
    .selectFrom('media_file')
    .selectAll()
    .where(({ and }) => and({ workspace, bytes }))
    .execute();
  return rows.map((row) => unsealReadable(options, row)).find((file) => file?.contentHash === contentHash);
}

/** Reads a part of a file, chunk by chunk. `end` is the position after the last byte. */
export async function* readBytes(
  { db }: Pick<StoreOptions, 'db'>,
  { id, key, chunkBytes }: Pick<StoredMedia, 'id' | 'key' | 'chunkBytes'>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  for (let position = Math.floor(start / chunkBytes); position * chunkBytes < end; position += 1) {
    const row = await db
      .selectFrom('media_chunk')
      .select('data')
      .where(({ and }) => and({ file: id, position }))
      .executeTakeFirst();
    if (!row) throw new Error('the file was deleted while it was being read');
    const first = position * chunkBytes;
    yield decryptChunk(key, position, row.data).subarray(Math.max(0, start - first), end - first);
  }
}

/** Keeps a file at least until then. `slackFile`: its new id in Slack. Resolves with false if it was deleted. */
export async function keepFile(
  { db }: Pick<StoreOptions, 'db'>,
  id: string,
  until: Date,
  slackFile?: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_file')
    .set({
      keep_until: sql`greatest(keep_until, ${until})`,
      ...(slackFile !== undefined && { slack_file: slackFile }),
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Maximum files that a scan deletes at once. */
export const MAX_DELETED_FILES = 100;

/** Lists files whose time is over, with their tokens. A token is undefined if the file can't be decrypted. */
export async function listExpiredFiles(
  options: StoreOptions,
  now: Date,
): Promise<{ id: string; workspace: string; bytes: number; token: string | undefined }[]> {
  const rows = await options.db
    .selectFrom('media_file')
    .selectAll()
    .where('keep_until', '<=', now)
    .orderBy('keep_until')
    .limit(MAX_DELETED_FILES)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, workspace: row.workspace, bytes: row.bytes ?? 0 },
    token: unsealReadable(options, row)?.token,
  }));
}

function unsealReadable(options: StoreOptions, row: MediaFileRow): StoredMedia | undefined {
  try {
    return unseal(options, row);
  } catch {
    return undefined;
  }
}

export async function findUnknownTokens(
  { db }: Pick<StoreOptions, 'db'>,
  tokens: readonly string[],
): Promise<string[]> {
  if (tokens.length === 0) return [];
  const rows = await db
    .selectFrom('media_file')
    .select('id')
    .where('id', 'in', tokens.map(hashToken))
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return tokens.filter((token) => !known.has(hashToken(token)));
}

/** Deletes a file, unless somebody has kept it meanwhile. */
export async function deleteFile({ db }: Pick<StoreOptions, 'db'>, id: string, now: Date): Promise<void> {
  await db.deleteFrom('media_file').where('id', '=', id).where('keep_until', '<=', now).execute();
}

/**
 * Lets new chunks take the room of deleted ones. The embedded database has no process that does it. On Postgres, a
 * failure doesn't matter, because autovacuum does the same.
 */
export async function freeRoom(db: Kysely<MediaTables>): Promise<void> {
  await sql`vacuum (skip_locked) media_chunk`.execute(db).catch(() => undefined);
}
