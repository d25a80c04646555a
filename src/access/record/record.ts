import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { addToRecord, type RecordHead, recordHead } from '../../store/record.ts';
import type { BotSchema } from '../../store/schema.ts';
import { BEGIN, linked } from './chain.ts';
import type { Entry } from './entry.ts';

export interface AccessRecord {
  /** Resolves when it is kept; nobody has to wait for it, and it never rejects. */
  add(entry: Entry): Promise<void>;
  /** The same where nobody waits for it. */
  note(entry: Entry): void;
  /** When everything is kept that was added. */
  settled(): Promise<void>;
}

interface Waiting {
  entry: Entry;
  at: Date;
  done: () => void;
}

/** Rows of one statement. */
const TOGETHER = 100;
/** Two instances that add to one workspace at once: each waits a random part of this and looks again, ms. */
const WAIT_MS = 20;
const MOST_TRIES = 50;

/**
 * One chain for each workspace, which any number of instances lengthen: what comes while a statement is under way goes
 * together with the next one. `failed` is told of what could not be kept.
 */
export function createRecord(options: {
  db: Kysely<BotSchema>;
  now: () => Date;
  failed(error: unknown, entries: readonly Entry[]): void;
}): AccessRecord {
  const { db, now, failed } = options;
  const waiting = new Map<string, Waiting[]>();
  const writing = new Map<string, Promise<void>>();
  const heads = new Map<string, RecordHead>();

  const write = async (workspace: string): Promise<void> => {
    for (;;) {
      const batch = waiting.get(workspace)?.splice(0, TOGETHER) ?? [];
      if (batch.length === 0) break;
      try {
        await append(workspace, batch);
      } catch (error) {
        heads.delete(workspace);
        failed(
          error,
          batch.map(({ entry }) => entry),
        );
      }
      for (const { done } of batch) done();
    }
    waiting.delete(workspace);
    writing.delete(workspace);
  };

  const append = async (workspace: string, batch: readonly Waiting[]): Promise<void> => {
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const head = heads.get(workspace) ?? (await recordHead(db, workspace, BEGIN));
      const next = linked(head, batch);
      if (await addToRecord(db, head, next.rows)) {
        heads.set(workspace, next.head);
        return;
      }
      heads.delete(workspace);
      await delay(Math.random() * WAIT_MS, undefined, { ref: false });
    }
    throw new Error('the record is lengthened elsewhere all the time');
  };

  const add = (entry: Entry): Promise<void> =>
    new Promise((done) => {
      const mine = waiting.get(entry.workspace) ?? [];
      waiting.set(entry.workspace, mine);
      mine.push({ entry, at: now(), done });
      if (!writing.has(entry.workspace)) {
        // After this turn, so that what one request decides goes together.
        writing.set(
          entry.workspace,
          Promise.resolve().then(() => write(entry.workspace)),
        );
      }
    });
  return {
    add,
    note: (entry) => void add(entry).catch((error) => failed(error, [entry])),
    async settled() {
      await Promise.all(writing.values());
    },
  };
}
