import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { Entry } from './entry.ts';
import { addedHead, addToRecord, type RecordHead, type RecordRow, recordHead } from './rows.ts';

/** Where each workspace's chain begins. */
export const BEGIN: RecordHead = { seq: 0, hash: '0'.repeat(64) };

/** An id of Slack's or the service's, a name of ours: nothing of it is long. */
const LONGEST = 300;

/** HMAC-SHA-256 over the hash of the row before it and this one, in hex. */
export function hashOf(row: Omit<RecordRow, 'hash'>, key: Buffer): string {
  const { workspace, seq, at, who, project, action, target, decision, reference, previous } = row;
  // In one order, and every value a string or a whole number: the same row is always the same text.
  const text = JSON.stringify([
    previous,
    workspace,
    seq,
    at.toISOString(),
    who,
    project,
    action,
    target,
    decision,
    reference,
  ]);
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** The entries as the next rows of a chain. */
export function linked(
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
      who: kept(entry.who),
      project: kept(entry.project),
      action: kept(entry.action),
      target: kept(entry.target),
      decision: entry.decision,
      reference: kept(entry.reference),
      previous: end.hash,
    };
    const hash = hashOf(row, key);
    end = { seq: row.seq, hash };
    return { ...row, hash };
  });
  return { rows, head: end };
}

/** As the database gives it back: it takes neither NUL nor half a surrogate pair. */
function kept(text = ''): string {
  return text.slice(0, LONGEST).toWellFormed().replaceAll('\u0000', '');
}

/** Two instances that add to one workspace at once: each waits a random part of this and looks again. */
const CONFLICT_MS = 20;
const MAX_CONFLICTS = 50;

interface Dated {
  entry: Entry;
  at: Date;
}

/** Lengthens a workspace's chain. Resolves with the entries that are in the record now; rejects where none is known to be. */
type Append<Of extends Dated> = (workspace: string, entries: readonly Of[]) => Promise<ReadonlySet<Of>>;

/**
 * An attempt that failed may have been applied, because only its answer was lost. It is known by the head that it would
 * have made: the same entries behind the same head always have the same hash. Before the next attempt the record is
 * searched for that head, so that nothing is written twice.
 */
export function createAppend<Of extends Dated>(
  db: Kysely<BotSchema>,
  readKey: () => Promise<Buffer>,
): Append<Of> {
  const heads = new Map<string, RecordHead>();
  let key: Buffer | undefined;
  const uncertain = new Map<string, Map<string, { head: RecordHead; entries: ReadonlySet<Of> }>>();

  const applied = async (workspace: string): Promise<ReadonlySet<Of> | undefined> => {
    const attempts = uncertain.get(workspace);
    if (!attempts) return undefined;
    const possible = [...attempts.values()].map(({ head }) => head);
    const hash = await addedHead(db, workspace, possible);
    return hash === undefined ? undefined : attempts.get(hash)?.entries;
  };

  const attempt = async (workspace: string, head: RecordHead, entries: readonly Of[]): Promise<boolean> => {
    key ??= await readKey();
    const next = linked(head, entries, key);
    try {
      const isAdded = await addToRecord(db, head, next.rows);
      if (isAdded) heads.set(workspace, next.head);
      // Whoever has added something meanwhile may have had to make a new key.
      else key = undefined;
      return isAdded;
    } catch (error) {
      const attempts = uncertain.get(workspace) ?? new Map();
      uncertain.set(workspace, attempts.set(next.head.hash, { head: next.head, entries: new Set(entries) }));
      throw error;
    } finally {
      // Another instance, or an attempt whose answer was lost, has lengthened the chain.
      if (heads.get(workspace) === head) heads.delete(workspace);
    }
  };

  return async (workspace, entries) => {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      // Read before the search: an uncertain attempt that is applied later moves the head, and this one adds nothing.
      const head = heads.get(workspace) ?? (await recordHead(db, workspace, BEGIN));
      const before = await applied(workspace);
      if (before || (await attempt(workspace, head, entries))) {
        uncertain.delete(workspace);
        return before ?? new Set(entries);
      }
      await delay(Math.random() * CONFLICT_MS, undefined, { ref: false });
    }
    throw new Error('other instances lengthen the record all the time');
  };
}
