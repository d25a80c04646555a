import { createHmac, type KeyObject } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../cache/cache.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditEntry } from './entry.ts';
import {
  appendRows,
  createHead,
  findHashInChain,
  lockHead,
  type RecordHead,
  type RecordRow,
} from './rows.ts';

/** The head of an empty chain. */
export const CHAIN_START: RecordHead = { seq: 0, hash: '0'.repeat(64) };

/**
 * Maximum length of each text in a row. No text should reach it: the texts are ids of Slack and of the service, and
 * names of actions.
 */
const MAX_TEXT_LENGTH = 300;

/** HMAC-SHA-256 over this row and the hash of the previous one, in hex. */
export function computeHash(row: Omit<RecordRow, 'hash'>, key: KeyObject): string {
  const { workspace, seq, at, actor, project, action, target, decision, reference, previous } = row;
  // The order is fixed and every value is a string or an integer, so that equal rows have equal hashes.
  const text = JSON.stringify([
    previous,
    workspace,
    seq,
    at.toISOString(),
    actor,
    project,
    action,
    target,
    decision,
    reference,
  ]);
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** The rows that append these entries to a chain, and the chain's new head. */
export function buildRows(
  head: RecordHead,
  entries: readonly { entry: AuditEntry; at: Date }[],
  key: KeyObject,
): { rows: RecordRow[]; head: RecordHead } {
  let end = head;
  const rows = entries.map(({ entry, at }) => {
    const row = {
      workspace: entry.workspace,
      seq: end.seq + 1,
      at,
      actor: toStorableText(entry.actor),
      project: toStorableText(entry.project),
      action: toStorableText(entry.action),
      target: toStorableText(entry.target),
      decision: entry.decision,
      reference: toStorableText(entry.reference),
      previous: end.hash,
    };
    const hash = computeHash(row, key);
    end = { seq: row.seq, hash };
    return { ...row, hash };
  });
  return { rows, head: end };
}

/** The text as the database will return it. Postgres accepts neither NUL nor lone surrogates. */
function toStorableText(text = ''): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\u0000', '');
}

interface DatedEntry {
  entry: AuditEntry;
  at: Date;
}

/**
 * Appends to a workspace's chain. Resolves with the appended entries. Rejects if the attempt failed, even if it may
 * have appended entries.
 */
type Append<Item extends DatedEntry> = (
  workspace: string,
  entries: readonly Item[],
) => Promise<ReadonlySet<Item>>;

/** Maximum number of heads in memory. A head takes about 500 bytes. Without it, an append takes a transaction. */
const MAX_HEADS = 10_000;

/** What an attempt appends. */
interface Attempt<Item> {
  rows: readonly RecordRow[];
  /** The chain's head afterwards. */
  head: RecordHead;
  entries: ReadonlySet<Item>;
}

/**
 * Appends entries exactly once. One statement suffices while no other instance appends to the chain. Otherwise the head
 * is locked first, so that instances wait for each other instead of trying again.
 *
 * A failed attempt is uncertain: the database may have applied it and only the response was lost. The same entries after
 * the same head always have the same hash. Before the next attempt, the record is therefore searched for the hashes of the
 * uncertain attempts.
 */
export function createAppend<Item extends DatedEntry>(
  db: Kysely<AccessTables>,
  readKey: (db: Kysely<AccessTables>) => Promise<KeyObject>,
): Append<Item> {
  // The head after this instance's last append, and whether another instance appended shortly before that.
  const lastHeads = new LRUCache<string, { head: RecordHead; isShared: boolean }>(limitEntries(MAX_HEADS));
  const uncertainAttempts = new Map<string, Attempt<Item>[]>();
  let key: KeyObject | undefined;

  const createAttempt = (
    head: RecordHead,
    entries: readonly Item[],
    currentKey: KeyObject,
  ): Attempt<Item> => ({
    ...buildRows(head, entries, currentKey),
    entries: new Set(entries),
  });

  /** Appends in one statement. Returns false if the chain has another head by now. */
  const appendAfter = async (
    workspace: string,
    head: RecordHead,
    entries: readonly Item[],
  ): Promise<boolean> => {
    key ??= await readKey(db);
    const attempt = createAttempt(head, entries, key);
    // The attempt is uncertain until there is a response.
    uncertainAttempts.set(workspace, [attempt]);
    const isAppended = await appendRows(db, head, attempt.rows);
    uncertainAttempts.delete(workspace);
    if (isAppended) lastHeads.set(workspace, { head: attempt.head, isShared: false });
    return isAppended;
  };

  const appendLocked = async (workspace: string, entries: readonly Item[]): Promise<ReadonlySet<Item>> => {
    const earlierAttempts = uncertainAttempts.get(workspace) ?? [];
    const lastHead = lastHeads.get(workspace)?.head;
    // Another instance may have created a new key.
    key = undefined;
    const appended = await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        const head = await lockOrCreateHead(transaction, workspace);
        const applied = await findAppliedAttempt(transaction, workspace, earlierAttempts);
        if (applied) return { attempt: applied, isShared: true, key: undefined };
        const currentKey = await readKey(transaction);
        const attempt = createAttempt(head, entries, currentKey);
        uncertainAttempts.set(workspace, [...earlierAttempts, attempt]);
        await appendRows(transaction, head, attempt.rows);
        const isShared = lastHead !== undefined && lastHead.hash !== head.hash;
        return { attempt, isShared, key: currentKey };
      });
    key = appended.key;
    uncertainAttempts.delete(workspace);
    lastHeads.set(workspace, { head: appended.attempt.head, isShared: appended.isShared });
    return appended.attempt.entries;
  };

  return async (workspace, entries) => {
    const last = lastHeads.get(workspace);
    if (last && !last.isShared && !uncertainAttempts.has(workspace)) {
      if (await appendAfter(workspace, last.head, entries)) return new Set(entries);
    }
    return appendLocked(workspace, entries);
  };
}

async function lockOrCreateHead(
  transaction: Transaction<AccessTables>,
  workspace: string,
): Promise<RecordHead> {
  const head = await lockHead(transaction, workspace);
  if (head) return head;
  await createHead(transaction, workspace, CHAIN_START);
  // Another instance may have created the head and appended to it.
  return (await lockHead(transaction, workspace)) ?? CHAIN_START;
}

/** The attempt whose rows are in the chain; undefined if none is. */
async function findAppliedAttempt<Item>(
  db: Kysely<AccessTables>,
  workspace: string,
  attempts: readonly Attempt<Item>[],
): Promise<Attempt<Item> | undefined> {
  if (attempts.length === 0) return undefined;
  const hash = await findHashInChain(
    db,
    workspace,
    attempts.map(({ head }) => head),
  );
  return attempts.find(({ head }) => head.hash === hash);
}
