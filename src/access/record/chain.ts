import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Entry } from './entry.ts';
import { appendRows, ensureHead, findAddedHead, type RecordHead, type RecordRow } from './rows.ts';

/** The head of an empty chain. */
export const CHAIN_START: RecordHead = { seq: 0, hash: '0'.repeat(64) };

/** Generous: the texts are ids of Slack and the service, and names of actions. */
const MAX_TEXT_LENGTH = 300;

/** HMAC-SHA-256 over this row and the hash of the previous one, in hex. */
export function hashOf(row: Omit<RecordRow, 'hash'>, key: Buffer): string {
  const { workspace, seq, at, actor, project, action, target, decision, reference, previous } = row;
  // The order is fixed and every value is a string or an integer, so that equal rows give equal texts.
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

/** The next rows of a chain, for these entries. */
export function chainRows(
  head: RecordHead,
  entries: readonly { entry: Entry; at: Date }[],
  key: Buffer,
): { rows: RecordRow[]; head: RecordHead } {
  let end = head;
  const rows = entries.map(({ entry, at }) => {
    const row = {
      workspace: entry.workspace,
      seq: end.seq + 1,
      at,
      actor: storableText(entry.actor),
      project: storableText(entry.project),
      action: storableText(entry.action),
      target: storableText(entry.target),
      decision: entry.decision,
      reference: storableText(entry.reference),
      previous: end.hash,
    };
    const hash = hashOf(row, key);
    end = { seq: row.seq, hash };
    return { ...row, hash };
  });
  return { rows, head: end };
}

/** The text as the database will return it: Postgres accepts neither NUL nor lone surrogates. */
function storableText(text = ''): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\u0000', '');
}

/** When several instances append at once, each waits a random part of this before it retries. */
const CONFLICT_MS = 20;
const MAX_CONFLICTS = 50;

interface Dated {
  entry: Entry;
  at: Date;
}

/** Appends to a workspace's chain. Resolves with the appended entries; rejects if none is known to be appended. */
type Append<Of extends Dated> = (workspace: string, entries: readonly Of[]) => Promise<ReadonlySet<Of>>;

/**
 * Appends entries exactly once. A failed attempt may have been applied if only its answer was lost. The same entries
 * after the same head always have the same hash, so before the next attempt the record is searched for the hashes of
 * the failed ones.
 */
export function createAppend<Of extends Dated>(
  db: Kysely<BotSchema>,
  readKey: () => Promise<Buffer>,
): Append<Of> {
  const heads = new Map<string, RecordHead>();
  let key: Buffer | undefined;
  const uncertain = new Map<string, Map<string, { head: RecordHead; entries: ReadonlySet<Of> }>>();

  const findApplied = async (workspace: string): Promise<ReadonlySet<Of> | undefined> => {
    const attempts = uncertain.get(workspace);
    if (!attempts) return undefined;
    const possible = [...attempts.values()].map(({ head }) => head);
    const hash = await findAddedHead(db, workspace, possible);
    return hash === undefined ? undefined : attempts.get(hash)?.entries;
  };

  const attempt = async (workspace: string, head: RecordHead, entries: readonly Of[]): Promise<boolean> => {
    key ??= await readKey();
    const next = chainRows(head, entries, key);
    try {
      const isAdded = await appendRows(db, head, next.rows);
      if (isAdded) heads.set(workspace, next.head);
      // The instance that appended meanwhile may have created a new key.
      else key = undefined;
      return isAdded;
    } catch (error) {
      const attempts = uncertain.get(workspace) ?? new Map();
      uncertain.set(workspace, attempts.set(next.head.hash, { head: next.head, entries: new Set(entries) }));
      throw error;
    } finally {
      // The head is outdated: another instance, or an attempt whose answer was lost, has appended.
      if (heads.get(workspace) === head) heads.delete(workspace);
    }
  };

  return async (workspace, entries) => {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      // Read before the search: if an uncertain attempt is applied after it, the head changes and this attempt adds
      // nothing.
      const head = heads.get(workspace) ?? (await ensureHead(db, workspace, CHAIN_START));
      const before = await findApplied(workspace);
      if (before || (await attempt(workspace, head, entries))) {
        uncertain.delete(workspace);
        return before ?? new Set(entries);
      }
      await delay(Math.random() * CONFLICT_MS, undefined, { ref: false });
    }
    throw new Error('could not append to the audit record: too many conflicts with other instances');
  };
}
