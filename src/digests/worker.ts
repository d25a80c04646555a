import { later } from '../delivery/later.ts';
import { createScans } from '../delivery/scans.ts';
import type { Machine } from './machine.ts';
import { bringForward, makeDue } from './make-due.ts';
import { claimOccurrences, type OccurrenceRow } from './sql/occurrences.ts';
import { forgetOccurrences, nextMoments } from './sql/waiting.ts';
import { stepTogether } from './step-together.ts';
import { tellOwners } from './tell.ts';

interface Worker {
  /** Something is due at this moment of the clock, perhaps now. */
  wake(at: Date): void;
  start(): void;
  /** Takes nothing new; resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** One scan and all that it has begun; when something is due next by the clock, at the latest after `scanMs`. */
  turn(): Promise<Date>;
}

/** A clock that goes back by less is only being set right (ms). */
const SET_BACK_MS = 60_000;
const FORGET_MS = 60 * 60 * 1000;
/** Rows removed by one statement. */
const BATCH = 1_000;
/** Between two looks at a workspace in which nothing could go. */
const HELD_UP_MS = 500;

/**
 * The one recurring job: what has come gets its row, what is due is claimed in batches, and goes on its way. Any number
 * of instances may do this at the same time.
 */
export function createWorker(machine: () => Machine): Worker {
  const running = new Set<Promise<void>>();
  const scans = createScans(() => machine().clock(), scanAndLookAhead);
  let telling: Promise<void> | undefined;
  let hands = 0;
  let lastNow = Number.POSITIVE_INFINITY;
  let forgetAt = 0;

  /** When to scan again. */
  async function scanAndLookAhead(): Promise<Date> {
    const scanAt = await scan();
    if (hands >= machine().pace.hands) return scanAt;
    try {
      return await next(scanAt);
    } catch (error) {
      notLookedUp(error);
      return scanAt;
    }
  }
  /** When the next scan is, whatever else happens. */
  async function scan(): Promise<Date> {
    const { db, clock, now, limits } = machine();
    const scanAt = later(clock(), machine().pace.scanMs);
    try {
      if (now().getTime() < lastNow - SET_BACK_MS) await bringForward(machine());
      lastNow = now().getTime();
      limits.turn();
      const { due, moves, tells } = await nextMoments(db, machine().setAside.ids());
      const isDue = due !== undefined && due <= now();
      if (isDue) await makeDue(machine());
      if (isDue || (moves && moves <= clock())) await claim();
      if (isDue || (tells && tells <= clock())) beginTelling();
      await forget();
    } catch (error) {
      notLookedUp(error);
    }
    return scanAt;
  }
  function notLookedUp(error: unknown): void {
    machine().log.error({ err: error }, 'the digests that are due could not be looked up');
  }
  async function claim(): Promise<void> {
    const { db, clock, pace, limits, setAside } = machine();
    while (hands < pace.hands) {
      const [at, leaseUntil] = [clock(), later(clock(), pace.leaseMs)];
      // Never more than can be begun.
      const limit = Math.min(pace.batch, pace.hands - hands);
      const except = limits.full();
      const rows = await claimOccurrences(db, { at, leaseUntil, limit, except, setAside: setAside.ids() });
      if (rows.length > 0) begin(rows);
      if (rows.length < limit) break;
    }
  }
  async function next(atLast: Date): Promise<Date> {
    const { db, clock, now, limits, setAside } = machine();
    const { due, moves, tells } = await nextMoments(db, setAside.ids());
    const at = clock().getTime();
    // Moments for people come by another clock, which may be ahead.
    const dueAt = due ? at + due.getTime() - now().getTime() : Number.POSITIVE_INFINITY;
    // Whoever is telling goes on until nothing is left to tell.
    const [movesAt, tellsAt] = [moves, telling ? undefined : tells].map(
      (one) => one?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    // What is due and was left lies in a workspace in which nothing can go now.
    const isHeldUp = moves !== undefined && moves.getTime() <= at && limits.full().length > 0;
    const goesAt = isHeldUp ? at + HELD_UP_MS : (movesAt ?? 0);
    return new Date(Math.min(atLast.getTime(), dueAt, goesAt, tellsAt ?? 0));
  }
  async function forget(): Promise<void> {
    const { db, clock, pace } = machine();
    if (clock().getTime() < forgetAt) return;
    forgetAt = clock().getTime() + FORGET_MS;
    const before = later(clock(), -pace.keepMs);
    for (let removed = BATCH; removed === BATCH; ) {
      removed = await forgetOccurrences(db, { before, limit: BATCH });
    }
  }
  function begin(rows: readonly OccurrenceRow[]): void {
    hands += rows.length;
    const onEnd = () => {
      hands -= 1;
      if (hands === machine().pace.hands - 1) scans.at(machine().clock());
    };
    track(stepTogether(machine(), rows, onEnd), 'digests did not go on');
  }
  /** One at a time, which notifies several owners at once. */
  function beginTelling(): void {
    if (telling) return;
    const work = tellOwners(machine()).finally(() => {
      telling = undefined;
    });
    telling = work;
    track(
      work.then(() => scans.at(machine().clock())),
      'an owner was not told',
    );
  }
  function track(work: Promise<void>, what: string): void {
    const ending = work
      .catch((error: unknown) => machine().log.error({ err: error }, what))
      .finally(() => running.delete(ending));
    running.add(ending);
  }
  return {
    wake: scans.at,
    start: scans.start,
    async stop() {
      await scans.stop();
      await Promise.all(running);
    },
    async turn() {
      const scanAt = await scan();
      await Promise.all(running);
      return await next(scanAt);
    },
  };
}
