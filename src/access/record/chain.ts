import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { AuditEntry } from './entry.ts';
import { appendRows, findHashInChain, type RecordHead, type RecordRow, readOrCreateHead } from './rows.ts';

/** The head of an empty chain. */
export const CHAIN_START: RecordHead = { seq: 0, hash: '0'.repeat(64) };

/**
 * Maximum length of each text in a row. No text should reach it: the texts are ids of Slack and of the service, and
 * names of actions.
 */
const MAX_TEXT_LENGTH = 300;

/** HMAC-SHA-256 over this row and the hash of the previous one, in hex. */
export function computeHash(row: Omit<RecordRow, 'hash'>, key: Buffer): string {
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
  key: Buffer,
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

/** Maximum delay of the retry after a conflict with another instance. The actual delay is random. */
const MAX_CONFLICT_DELAY_MS = 20;
const MAX_CONFLICTS = 50;

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

/**
 * Appends entries exactly once. A failed attempt is uncertain: the database may have applied it and only the response
 * was lost. The same entries after the same head always have the same hash. Before the next attempt, the record is
 * therefore searched for the hashes of the uncertain attempts.
 */
export function createAppend<Item extends DatedEntry>(
  db: Kysely<BotSchema>,
  readKey: () => Promise<Buffer>,
): Append<Item> {
  const heads = new Map<string, RecordHead>();
  let key: Buffer | undefined;
  // Attempts by workspace, and then by the hash of their last row.
  const uncertainAttempts = new Map<string, Map<string, { head: RecordHead; entries: ReadonlySet<Item> }>>();

  const findAppliedEntries = async (workspace: string): Promise<ReadonlySet<Item> | undefined> => {
    const attempts = uncertainAttempts.get(workspace);
    if (!attempts) return undefined;
    const possibleHeads = [...attempts.values()].map(({ head }) => head);
    const hash = await findHashInChain(db, workspace, possibleHeads);
    return hash === undefined ? undefined : attempts.get(hash)?.entries;
  };

  const attempt = async (workspace: string, head: RecordHead, entries: readonly Item[]): Promise<boolean> => {
    key ??= await readKey();
    const next = buildRows(head, entries, key);
    try {
      const isAppended = await appendRows(db, head, next.rows);
      if (isAppended) heads.set(workspace, next.head);
      // Another instance has appended rows, and may have created a new key.
      else key = undefined;
      return isAppended;
    } catch (error) {
      const attempts = uncertainAttempts.get(workspace) ?? new Map();
      attempts.set(next.head.hash, { head: next.head, entries: new Set(entries) });
      uncertainAttempts.set(workspace, attempts);
      throw error;
    } finally {
      // Without a new head, the cached head may be outdated: another instance may have appended rows, or the failed
      // attempt may have been committed.
      if (heads.get(workspace) === head) heads.delete(workspace);
    }
  };

  return async (workspace, entries) => {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      // Read the head before the search. If the database applies an uncertain attempt after the search, the
      // head changes, and this attempt appends nothing.
      const head = heads.get(workspace) ?? (await readOrCreateHead(db, workspace, CHAIN_START));
      const applied = await findAppliedEntries(workspace);
      if (applied || (await attempt(workspace, head, entries))) {
        uncertainAttempts.delete(workspace);
        return applied ?? new Set(entries);
      }
      await delay(Math.random() * MAX_CONFLICT_DELAY_MS, undefined, { ref: false });
    }
    throw new Error('could not append to the audit record: too many conflicts with other instances');
  };
}
