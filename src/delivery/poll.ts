import { claimableOf, createClaims } from './claims.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import type { Kernel } from './kernel.ts';
import { later } from './later.ts';
import { createScans } from './scans.ts';
import { nextMoments } from './sql/claims.ts';
import { purgeDeliveries } from './sql/purge.ts';

export interface Poll {
  /** Scans at this moment at the latest. */
  wake(at: Date): void;
  /** Begins to scan. */
  start(): void;
  /** Claims nothing more. Resolves when all steps and notifications in progress have ended. */
  stop(): Promise<void>;
  /**
   * Runs one scan and all work that it begins. Resolves with the moment of the next scan, at most `scanMs` from now.
   */
  turn(): Promise<Date>;
}

/** Interval between scans while due rows wait for a limit, ms. Shorter after a step has ended. */
const BACKLOG_MS = 500;
const BACKLOG_ENDED_MS = 100;
const PURGE_INTERVAL_MS = 60 * 60_000;

/**
 * The loop that finds due work: it claims due rows and begins their steps, sends notifications, purges ended rows, and
 * sleeps until the next row is due. Any number of instances may run it at the same time.
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
    const preparation = definition.nextPreparation?.query(setAside.ids());
    return nextMoments(db, claimable(), { notices: notices.tables, preparation });
  }
  async function scanAndLookAhead(): Promise<Date> {
    const isDone = await scan();
    // The first scan may have set the clock back.
    const scanAt = later(clock(), definition.scanMs);
    return isDone ? next(scanAt) : scanAt;
  }
  /** False if the scan failed. */
  async function scan(): Promise<boolean> {
    try {
      const before = await moments();
      const isPrepared = (await definition.prepare?.(before.preparation)) === true;
      const { due, notice } = isPrepared ? await moments() : before;
      if (due && due <= clock()) await claim();
      if (notice && notice <= clock()) await notify();
      await purge();
      return true;
    } catch (error) {
      log.error({ table, err: error }, 'scan for due deliveries failed');
      return false;
    }
  }
  async function claim(): Promise<void> {
    const free = concurrency - steps;
    if (free <= 0) return;
    // Reserved during the claim, because another scan may run at the same time.
    steps += free;
    const rows = await claims.claim(free).finally(() => {
      steps -= free;
    });
    for (let from = 0; from < rows.length; from += definition.batch) {
      begin(rows.slice(from, from + definition.batch));
    }
  }
  /** Runs the steps of one batch. */
  function begin(rows: readonly Row[]): void {
    steps += rows.length;
    const stepped = definition.loadSteps(rows).then((step) =>
      Promise.all(
        rows.map((row) =>
          step(row).then(
            () => handleEnd(row),
            (error: unknown) => handleFailure(row, error),
          ),
        ),
      ),
    );
    track(
      stepped.then(
        () => undefined,
        (error: unknown) => {
          for (const row of rows) handleFailure(row, error);
        },
      ),
    );
  }
  /** The row stays in its state and is claimed again after its lease, or set aside if it fails twice. */
  function handleFailure(row: Row, error: unknown): void {
    log.error({ table, id: row.id, err: error }, 'step of a delivery failed');
    setAside.recordFailure(row.id, error);
    handleEnd(row);
  }
  function handleEnd(row: Row): void {
    const wasFull = steps >= concurrency;
    steps -= 1;
    claims.onEnd(row);
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
      const notified = work()
        .catch((error: unknown) => log.error({ table, err: error }, 'could not send a notification'))
        .finally(() => {
          notifying -= 1;
          if (notifying === notices.max - 1) scans.at(clock());
        });
      track(notified);
    }
  }
  async function purge(): Promise<void> {
    if (clock().getTime() < purgeAt) return;
    purgeAt = clock().getTime() + PURGE_INTERVAL_MS;
    await purgeDeliveries(db, definition, clock());
  }
  async function next(scanAt: Date): Promise<Date> {
    try {
      const { due, notice, preparation } = await moments();
      const at = clock();
      isBehind = due !== undefined && due <= at;
      // With all slots in use, the next step that ends starts the scan.
      const nextClaim = !isBehind ? due : steps < concurrency ? later(at, BACKLOG_MS) : undefined;
      const nextNotice = notifying < notices.max ? notice : undefined;
      const nextCreation = preparation && definition.nextPreparation?.onClock(preparation);
      const all = [scanAt, nextCreation, nextNotice, nextClaim].flatMap((moment) =>
        moment ? [moment.getTime()] : [],
      );
      return new Date(Math.min(...all));
    } catch (error) {
      log.error({ table, err: error }, 'lookup of the next due delivery failed');
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
      // Repeats until no notification is left.
      for (let before = -1; before !== begunNotices; ) {
        before = begunNotices;
        await scan();
        await Promise.all(running);
      }
      return next(scanAt);
    },
  };
}
