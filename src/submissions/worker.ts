import { createScans } from '../jobs/scans.ts';
import { claimDue, nextMoment } from '../store/moving-submissions.ts';
import type { Machine } from './machine.ts';
import { later } from './move.ts';
import { step } from './step.ts';
import { dueToTell, tell } from './tell.ts';

interface Worker {
  /** Something is due at this moment, perhaps now. */
  wake(at: Date): void;
  /** Begins; until then nothing is due. */
  start(): void;
  /** Takes nothing new; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** So many at once: enough to bring what waited on its way soon, and not all of it in one moment. */
const AT_ONCE = 8;

/**
 * Goes through what is due: what waited, what a dead instance has left, and what somebody is to be told. It sleeps
 * until the next is due, and looks every few seconds for what others have left.
 */
export function createWorker(machine: () => Machine, beforeScan: () => Promise<void>): Worker {
  const running = new Set<Promise<void>>();
  const telling = new Set<Promise<void>>();
  const scans = createScans(() => machine().clock(), scan);

  async function scan(): Promise<Date> {
    const { db, clock, pace, log } = machine();
    try {
      await beforeScan();
      const limit = AT_ONCE - running.size;
      const at = clock();
      const rows = limit > 0 ? await claimDue(db, { at, leaseUntil: later(at, pace.leaseMs), limit }) : [];
      for (const row of rows) begin(row.id, step(machine(), row));
      for (const row of await dueToTell(machine())) beginTelling(row.id, tell(machine(), row));
      const next = await nextMoment(db);
      const scanAt = later(clock(), pace.scanMs);
      // While all hands are full, the next free one looks.
      return running.size >= AT_ONCE || next === undefined || next > scanAt ? scanAt : next;
    } catch (error) {
      log.error({ err: error }, 'what is due could not be looked up');
      return later(clock(), pace.scanMs);
    }
  }
  function beginTelling(id: string, work: Promise<void>): void {
    const ending = work
      .catch((error: unknown) => machine().log.error({ submission: id, err: error }, 'a person was not told'))
      .finally(() => telling.delete(ending));
    telling.add(ending);
  }
  function begin(id: string, work: Promise<unknown>): void {
    const ending = work
      .then(
        () => undefined,
        (error: unknown) => machine().log.error({ submission: id, err: error }, 'a submission did not go on'),
      )
      .finally(() => {
        running.delete(ending);
        if (running.size === AT_ONCE - 1) scans.at(machine().clock());
      });
    running.add(ending);
  }
  return {
    wake: scans.at,
    start: scans.start,
    async stop() {
      await scans.stop();
      await Promise.all([...running, ...telling]);
    },
  };
}
