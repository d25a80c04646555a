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
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let scanning: Promise<void> | undefined;
  let isOn = false;
  let again = false;

  const sleepUntil = (at: number) => {
    if (!isOn || at >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(turn, Math.max(0, at - machine().clock().getTime()));
  };
  function turn(): void {
    wakesAt = Number.POSITIVE_INFINITY;
    again = true;
    if (!isOn || scanning) return;
    scanning = scan().finally(() => {
      scanning = undefined;
      if (again && isOn) turn();
    });
  }
  async function scan(): Promise<void> {
    again = false;
    const { db, clock, pace, log } = machine();
    try {
      await beforeScan();
      const limit = AT_ONCE - running.size;
      const at = clock();
      const rows = limit > 0 ? await claimDue(db, { at, leaseUntil: later(at, pace.leaseMs), limit }) : [];
      for (const row of rows) begin(row.id, step(machine(), row));
      for (const row of await dueToTell(machine())) beginTelling(row.id, tell(machine(), row));
      const next = await nextMoment(db);
      const scanAt = later(clock(), pace.scanMs).getTime();
      // While all hands are full, the next free one looks.
      sleepUntil(running.size >= AT_ONCE ? scanAt : Math.min(next?.getTime() ?? scanAt, scanAt));
    } catch (error) {
      log.error({ err: error }, 'what is due could not be looked up');
      sleepUntil(later(clock(), pace.scanMs).getTime());
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
        if (running.size === AT_ONCE - 1) sleepUntil(machine().clock().getTime());
      });
    running.add(ending);
  }
  return {
    wake: (at) => sleepUntil(at.getTime()),
    start() {
      isOn = true;
      sleepUntil(machine().clock().getTime());
    },
    async stop() {
      isOn = false;
      clearTimeout(timer);
      await scanning;
      await Promise.all([...running, ...telling]);
    },
  };
}
