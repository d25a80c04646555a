import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { BEGIN, linked } from './chain.ts';
import type { Entry } from './entry.ts';
import { addedHead, addToRecord, type RecordHead, recordHead } from './rows.ts';

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
