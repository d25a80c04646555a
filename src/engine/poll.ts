import { buildClaimFilter, createClaims } from './claims.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import { createScans } from './scans.ts';
import { addMs } from './shared-clock.ts';
import { findNextTimes } from './sql/claims.ts';
import { purgeDeliveries } from './sql/purge.ts';

export interface Poll {
  /** Schedules a scan at `time`, unless an earlier one is scheduled. */
  wake(time: Date): void;
  /** Starts the loop. */
  start(): void;
  /** Stops the loop. Resolves when all steps and notifications in progress have ended. */
  stop(): Promise<void>;
  /**
   * Scans until no notification is due, and waits for all steps and notifications. Resolves with the time of the next
   * scan, at most `scanIntervalMs` from now.
   */
  runOnce(): Promise<Date>;
}

/** Interval between scans while due rows wait because of a limit. */
const BACKLOG_SCAN_INTERVAL_MS = 500;
/** Delay of a scan after a step has ended, while due rows wait because of a limit. */
const BACKLOG_SCAN_DELAY_MS = 100;
/** Interval between purges. An hour is enough, because retention is counted in days. */
const PURGE_INTERVAL_MS = 60 * 60_000;

/**
 * Creates the loop that finds due work. Each scan claims due rows and begins their steps, sends notifications, and
 * purges ended rows. Then the loop sleeps until the next row is due. Any number of instances may run it at the same
 * time.
 */
export function createPoll<State extends string, Row extends DeliveryRow>(
  { db, clock, log, exclusions }: DeliveryDependencies,
  definition: Definition<State, Row>,
): Poll {
  const { table, leaseMs, maxRowsInProgress, notifications } = definition;
  const getClaimFilter = () => buildClaimFilter(definition, exclusions.listIds());
  const claims = createClaims<Row>({
    db,
    clock,
    getClaimFilter,
    leaseMs,
    getLimit: (endpoint) => definition.getLimit(endpoint),
    turns: definition.turns,
  });
  const scans = createScans(clock, scanAndFindNextTime);
  const pendingWork = new Set<Promise<unknown>>();
  let stepCount = 0;
  let notificationCount = 0;
  let startedNotificationCount = 0;
  let hasBacklog = false;
  let isStopped = false;
  /** Unix time, ms. */
  let nextPurgeAt = 0;

  function readNextTimes() {
    const creation = definition.nextCreation?.buildQuery(exclusions.listIds());
    return findNextTimes(db, getClaimFilter(), { notificationTables: notifications.tables, creation });
  }
  async function scanAndFindNextTime(): Promise<Date> {
    const hasSucceeded = await scan();
    // The first scan may correct the clock, so the interval counts from the end of the scan.
    const scanAt = addMs(clock(), definition.scanIntervalMs);
    return hasSucceeded ? findNextScanTime(scanAt) : scanAt;
  }
  /** Resolves with false if the scan failed. */
  async function scan(): Promise<boolean> {
    try {
      const initialTimes = await readNextTimes();
      const hasChangedRows = (await definition.createDueRows?.(initialTimes.creation)) === true;
      const { due, notification } = hasChangedRows ? await readNextTimes() : initialTimes;
      if (due && due <= clock()) await claim();
      if (notification && notification <= clock()) await notify();
      purge();
      return true;
    } catch (error) {
      log.error({ table, err: error }, 'scan for due deliveries failed');
      return false;
    }
  }
  async function claim(): Promise<void> {
    const freeSlots = maxRowsInProgress - stepCount;
    if (freeSlots <= 0) return;
    // The slots are reserved during the claim, because another scan may run at the same time.
    stepCount += freeSlots;
    const rows = await claims.claim(freeSlots).finally(() => {
      stepCount -= freeSlots;
    });
    for (let start = 0; start < rows.length; start += definition.batchSize) {
      beginSteps(rows.slice(start, start + definition.batchSize));
    }
  }
  /** Starts the steps of one batch of claimed rows. */
  function beginSteps(rows: readonly Row[]): void {
    stepCount += rows.length;
    const batchEnd = definition.loadSteps(rows).then((step) =>
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
      batchEnd.catch((error: unknown) => {
        for (const row of rows) handleFailure(row, error);
      }),
    );
  }
  /** Records a failed step. The row stays in its state and is claimed again after its lease, unless it is excluded. */
  function handleFailure(row: Row, error: unknown): void {
    log.error({ table, id: row.id, err: error }, 'step of a delivery failed');
    exclusions.recordFailure(row.id, error);
    handleEnd(row);
  }
  function handleEnd(row: Row): void {
    const wasFull = stepCount >= maxRowsInProgress;
    stepCount -= 1;
    claims.releaseSlot(row);
    if (hasBacklog) scans.scheduleAt(addMs(clock(), wasFull ? 0 : BACKLOG_SCAN_DELAY_MS));
  }
  async function notify(): Promise<void> {
    const freeSlots = notifications.maxInProgress - notificationCount;
    if (freeSlots <= 0) return;
    notificationCount += freeSlots;
    const senders = await notifications.claim(freeSlots).finally(() => {
      notificationCount -= freeSlots;
    });
    for (const send of senders) {
      notificationCount += 1;
      startedNotificationCount += 1;
      const notification = send()
        .catch((error: unknown) => log.error({ table, err: error }, 'could not send a notification'))
        .finally(() => {
          notificationCount -= 1;
          if (notificationCount === notifications.maxInProgress - 1) scans.scheduleAt(clock());
        });
      track(notification);
    }
  }
  /** Purges in the background, because a large backlog must not delay a scan. */
  function purge(): void {
    if (clock().getTime() < nextPurgeAt) return;
    nextPurgeAt = clock().getTime() + PURGE_INTERVAL_MS;
    const purging = purgeDeliveries(db, definition, { now: clock(), isStopped: () => isStopped });
    track(
      purging.catch((error: unknown) => log.error({ table, err: error }, 'purge of ended deliveries failed')),
    );
  }
  /** Finds the time of the next scan, `scanAt` at the latest. Also records in `hasBacklog` whether due rows wait. */
  async function findNextScanTime(scanAt: Date): Promise<Date> {
    try {
      const { due, notification, creation } = await readNextTimes();
      const now = clock();
      hasBacklog = due !== undefined && due <= now;
      // If all slots are in use, the end of a step schedules the next scan.
      const nextClaim = !hasBacklog
        ? due
        : stepCount < maxRowsInProgress
          ? addMs(now, BACKLOG_SCAN_INTERVAL_MS)
          : undefined;
      const nextNotification = notificationCount < notifications.maxInProgress ? notification : undefined;
      const nextCreation = creation && definition.nextCreation?.toSharedClock(creation);
      const times = [scanAt, nextCreation, nextNotification, nextClaim].flatMap((time) =>
        time ? [time.getTime()] : [],
      );
      return new Date(Math.min(...times));
    } catch (error) {
      log.error({ table, err: error }, 'lookup of the next due delivery failed');
      return scanAt;
    }
  }
  function track(work: Promise<unknown>): void {
    const tracked = work.finally(() => pendingWork.delete(tracked));
    pendingWork.add(tracked);
  }
  return {
    wake: scans.scheduleAt,
    start() {
      isStopped = false;
      scans.start();
    },
    async stop() {
      isStopped = true;
      await scans.stop();
      await Promise.all(pendingWork);
    },
    async runOnce() {
      const scanAt = addMs(clock(), definition.scanIntervalMs);
      // Repeats until a scan starts no notification.
      for (let previousCount = -1; previousCount !== startedNotificationCount; ) {
        previousCount = startedNotificationCount;
        await scan();
        await Promise.all(pendingWork);
      }
      return findNextScanTime(scanAt);
    },
  };
}
