import { later } from '../delivery/later.ts';
import { createScans } from '../delivery/scans.ts';
import type { Machine } from './machine.ts';
import { claimDue, nextMoment } from './sql/moving.ts';
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

/** Authors who are notified at the same time. Slack takes about one message a second to one person. */
const MAX_NOTIFYING = 20;
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
    const { db, clock, pace, log, setAside } = machine();
    try {
      await beforeScan();
      const limit = AT_ONCE - running.size;
      const at = clock();
      const rows =
        limit > 0
          ? await claimDue(db, { at, leaseUntil: later(at, pace.leaseMs), limit, setAside: setAside.ids() })
          : [];
      for (const row of rows) begin(row.id, step(machine(), row));
      // Never more than can be begun.
      const room = MAX_NOTIFYING - telling.size;
      const toTell = room > 0 ? await dueToTell(machine(), room) : [];
      for (const row of toTell) beginTelling(row.id, tell(machine(), row));
      const next = await nextMoment(db, setAside.ids());
      const scanAt = later(clock(), pace.scanMs);
      // While all hands are full, the next free one looks.
      const isFull = running.size >= AT_ONCE || telling.size >= MAX_NOTIFYING;
      return isFull || next === undefined || next > scanAt ? scanAt : next;
    } catch (error) {
      log.error({ err: error }, 'what is due could not be looked up');
      return later(clock(), pace.scanMs);
    }
  }
  function beginTelling(id: string, work: Promise<void>): void {
    const ending = work
      .catch((error: unknown) => machine().log.error({ submission: id, err: error }, 'a person was not told'))
      .finally(() => {
        telling.delete(ending);
        if (telling.size === MAX_NOTIFYING - 1) scans.at(machine().clock());
      });
    telling.add(ending);
  }
  function begin(id: string, work: Promise<unknown>): void {
    const ending = work
      .then(
        () => undefined,
        (error: unknown) => {
          machine().log.error({ submission: id, err: error }, 'a submission did not go on');
          machine().setAside.failed(id, error);
        },
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
