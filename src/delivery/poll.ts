import { claimableOf, createClaims } from './claims.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import type { Kernel } from './kernel.ts';
import { later } from './later.ts';
import { createScans } from './scans.ts';
import { nextMoments } from './sql/claims.ts';
import { purgeDeliveries } from './sql/purge.ts';

export interface Poll {
  /** Something is due at this moment of the clock, perhaps now. */
  wake(at: Date): void;
  /** Begins; until then nothing is due. */
  start(): void;
  /** Takes nothing new; resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** One scan and all that it has begun; when something is due next by the clock, at the latest after `scanMs`. */
  turn(): Promise<Date>;
}

/** Between two scans while due rows are left that can't go yet, ms; sooner once one has ended. */
const BACKLOG_MS = 500;
const BACKLOG_ENDED_MS = 100;
const PURGE_MS = 60 * 60_000;

/**
 * The loop that finds due work: it claims due rows and begins their steps, notifies whoever is to be notified, and
 * sleeps until the next is due. Any number of instances may do this at the same time.
 */
export function createPoll<State extends string, Row extends DeliveryRow>(
  { db, clock, log, setAside }: Kernel,
  definition: Definition<State, Row>,
): Poll {
  const { table, leaseMs, concurrency, notices } = definition;
  const claimable = () => claimableOf(definition, setAside.ids());
  const claims = createClaims<Row>({
    db,
    clock,
    claimable,
    leaseMs,
    limit: (endpoint) => definition.limit(endpoint),
  });
  const scans = createScans(clock, scanAndLookAhead);
  const running = new Set<Promise<void>>();
  let steps = 0;
  let notifying = 0;
  let begunNotices = 0;
  let isBehind = false;
  let purgeAt = 0;

  function moments() {
    const beside = definition.nextBeside?.query(setAside.ids());
    return nextMoments(db, claimable(), { notices: notices.tables, beside });
  }
  async function scanAndLookAhead(): Promise<Date> {
    const isDone = await scan();
    // The first scan may have set the clock back.
    const scanAt = later(clock(), definition.scanMs);
    return isDone ? next(scanAt) : scanAt;
  }
  /** False where something could not be looked up. */
  async function scan(): Promise<boolean> {
    try {
      const before = await moments();
      const isPrepared = (await definition.prepare?.(before.beside)) === true;
      const { due, tells } = isPrepared ? await moments() : before;
      if (due && due <= clock()) await claim();
      if (tells && tells <= clock()) await notify();
      await purge();
      return true;
    } catch (error) {
      log.error({ table, err: error }, 'deliveries that are due could not be looked up');
      return false;
    }
  }
  async function claim(): Promise<void> {
    const free = concurrency - steps;
    if (free <= 0) return;
    // Taken while the claim is under way, for another scan may be too.
    steps += free;
    const rows = await claims.claim(free).finally(() => {
      steps -= free;
    });
    for (let from = 0; from < rows.length; from += definition.batch) {
      begin(rows.slice(from, from + definition.batch));
    }
  }
  /** What the rows share is loaded once. */
  function begin(rows: readonly Row[]): void {
    steps += rows.length;
    const stepped = definition.stepsOf(rows).then((step) =>
      Promise.all(
        rows.map((row) =>
          step(row).then(
            () => ended(row),
            (error: unknown) => failed(row, error),
          ),
        ),
      ),
    );
    track(
      stepped.then(
        () => undefined,
        (error: unknown) => {
          for (const row of rows) failed(row, error);
        },
      ),
    );
  }
  /** What goes wrong here is ours: the row stands, and goes on after its lease, unless that fails again. */
  function failed(row: Row, error: unknown): void {
    log.error({ table, id: row.id, err: error }, 'a delivery did not go on');
    setAside.failed(row.id, error);
    ended(row);
  }
  function ended(row: Row): void {
    const wasFull = steps >= concurrency;
    steps -= 1;
    claims.ended(row);
    if (isBehind) scans.at(later(clock(), wasFull ? 0 : BACKLOG_ENDED_MS));
  }
  async function notify(): Promise<void> {
    const room = notices.max - notifying;
    if (room <= 0) return;
    notifying += room;
    const works = await notices.claim(room).finally(() => {
      notifying -= room;
    });
    for (const work of works) {
      notifying += 1;
      begunNotices += 1;
      const told = work()
        .catch((error: unknown) => log.error({ table, err: error }, 'a notification was not sent'))
        .finally(() => {
          notifying -= 1;
          if (notifying === notices.max - 1) scans.at(clock());
        });
      track(told);
    }
  }
  async function purge(): Promise<void> {
    if (clock().getTime() < purgeAt) return;
    purgeAt = clock().getTime() + PURGE_MS;
    await purgeDeliveries(db, definition, clock());
  }
  async function next(scanAt: Date): Promise<Date> {
    try {
      const { due, tells, beside } = await moments();
      const at = clock();
      isBehind = due !== undefined && due <= at;
      // While all hands are full, the next free one looks.
      const goes = !isBehind ? due : steps < concurrency ? later(at, BACKLOG_MS) : undefined;
      const told = notifying < notices.max ? tells : undefined;
      const created = beside && definition.nextBeside?.onClock(beside);
      const all = [scanAt, created, told, goes].flatMap((moment) => (moment ? [moment.getTime()] : []));
      return new Date(Math.min(...all));
    } catch (error) {
      log.error({ table, err: error }, 'the next delivery could not be looked up');
      return scanAt;
    }
  }
  function track(work: Promise<void>): void {
    const ending = work.finally(() => running.delete(ending));
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
      const scanAt = later(clock(), definition.scanMs);
      // Whoever notifies goes on until nothing is left to tell.
      for (let before = -1; before !== begunNotices; ) {
        before = begunNotices;
        await scan();
        await Promise.all(running);
      }
      return next(scanAt);
    },
  };
}
