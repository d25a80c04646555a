import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { HOUR_MS } from '../durations.ts';
import { toJsonParameter } from '../store/column-values.ts';
import { deleteBatch } from '../store/delete-batch.ts';
import { runForTenant } from '../store/tenant-turns.ts';
import type { Change } from './capability.ts';
import { buildClaimFilter, createClaims, findNextTimes, type NextTimes } from './claims.ts';
import { addMs, type Clock } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import { type Definition, readDurations } from './definition.ts';
import type { Exclusions } from './exclusions.ts';
import type { Notifier } from './notifier.ts';
import { createScans } from './scans.ts';
import { assignChanges } from './sql/transitions.ts';
import type { EngineTables } from './tables.ts';

export type Poll = ReturnType<typeof createPoll>;

/** Interval between scans while due rows wait because of a limit. */
const BACKLOG_SCAN_INTERVAL_MS = 500;
/** Delay of a scan after a step has ended, while due rows wait because of a limit. */
const BACKLOG_SCAN_DELAY_MS = 100;
/** Interval between purges. An hour is enough, because retention is counted in days. */
const PURGE_INTERVAL_MS = HOUR_MS;

interface Work<State extends string, Row extends DeliveryRow> {
  definition: Omit<Definition<State, never, Row>, 'load'>;
  /** Loads what the steps of a batch share. Resolves with the function that runs the next step of a row. */
  loadSteps(rows: readonly Row[]): Promise<(row: Row) => Promise<unknown>>;
  notifiers: readonly Notifier[];
}

/**
 * Creates the loop that finds due work. Each scan claims due rows and begins their steps, sends notifications, and
 * purges ended rows. Then the loop sleeps until the next row is due. Any number of instances may run it at the same
 * time.
 */
export function createPoll<State extends string, Row extends DeliveryRow>(
  options: {
    db: Kysely<EngineTables>;
    clock: Clock;
    log: { error(fields: object, message: string): void };
    exclusions: Exclusions;
    /** Defaults to the definition's. */
    scanIntervalMs?: number | undefined;
  },
  { definition, loadSteps, notifiers }: Work<State, Row>,
) {
  const { db, clock: appClock, log, exclusions, scanIntervalMs: givenIntervalMs } = options;
  const clock = appClock.readShared;
  const { storage, exclusionColumns, creation, purgeTo } = definition;
  const { table } = storage;
  const { leaseMs, retentionMs, ...durations } = readDurations(definition);
  const scanIntervalMs = givenIntervalMs ?? durations.scanIntervalMs;
  const { rows: maxRowsInProgress = 64, endpoint = 32, batch: batchSize = 1 } = definition.limits ?? {};
  const getLimit = typeof endpoint === 'number' ? () => endpoint : endpoint;
  const notificationTables = notifiers.map(({ source }) => source);
  const getClaimFilter = () => buildClaimFilter({ ...storage, exclusionColumns }, exclusions.listIds());
  const claims = createClaims<Row>({
    db,
    clock,
    getClaimFilter,
    leaseMs,
    getLimit,
    onError: (error) => log.error({ table, err: error }, 'claim of due deliveries failed'),
  });
  const scans = createScans(clock, scanAndFindNextTime);
  const pendingWork = new Set<Promise<unknown>>();
  let stepCount = 0;
  const notificationCounts = new Map<Notifier, number>();
  let startedNotificationCount = 0;
  let hasBacklog = false;
  let hasCreationFailed = false;
  let isStopped = false;
  /** Unix time, ms. */
  let nextPurgeAt = 0;

  function readNextTimes() {
    const nextCreation = creation?.nextAt(exclusions.listIds());
    return findNextTimes(db, getClaimFilter(), { notificationTables, creation: nextCreation });
  }
  async function scanAndFindNextTime(): Promise<Date> {
    const result = await scan();
    // The first scan may correct the clock, so the interval counts from the end of the scan.
    const scanAt = addMs(clock(), scanIntervalMs);
    if (result === 'failed') return scanAt;
    return result === 'worked'
      ? findNextScanTime(scanAt)
      : computeNextScanTime(scanAt, result.times, result.now);
  }
  /** Resolves with what it has read if nothing was due. What this instance stores meanwhile wakes the poll itself. */
  async function scan(): Promise<'failed' | 'worked' | { times: NextTimes; now: Date }> {
    try {
      // With a wrong clock, an instance would treat valid leases as expired.
      if (!(await appClock.measure())) return 'failed';
      await prepare('preparation of a scan failed', async () => definition.beforeScan?.());
      const now = clock();
      const initialTimes = await readNextTimes();
      const times = (await createDueRows(initialTimes.creation)) ? await readNextTimes() : initialTimes;
      const [hasDueRows, hasDueNotifications] = [times.due, times.notification].map(
        (time) => time !== undefined && time <= now,
      );
      if (hasDueRows) await claim();
      if (hasDueNotifications) for (const notifier of notifiers) await notify(notifier);
      purge();
      return hasDueRows || hasDueNotifications ? 'worked' : { times, now };
    } catch (error) {
      log.error({ table, err: error }, 'scan for due deliveries failed');
      return 'failed';
    }
  }
  /** Creates rows at `next`, on the clock that people see. Resolves with true if rows may have been created. */
  async function createDueRows(next: Date | undefined): Promise<boolean> {
    hasCreationFailed = false;
    if (!creation || !next || next > appClock.now()) return false;
    hasCreationFailed = (await prepare('creation of due deliveries failed', creation.create)) === 'failed';
    return !hasCreationFailed;
  }
  /**
   * Runs work before the claims. Its failure is logged as `failure`, and must not keep other rows from being claimed
   * or purged, or their authors from being notified.
   */
  async function prepare<Result>(failure: string, work: () => Promise<Result>): Promise<Result | 'failed'> {
    try {
      return await work();
    } catch (error) {
      log.error({ table, err: error }, failure);
      return 'failed';
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
    for (let start = 0; start < rows.length; start += batchSize) {
      beginSteps(rows.slice(start, start + batchSize));
    }
  }
  function beginSteps(rows: readonly Row[]): void {
    stepCount += rows.length;
    const batchEnd = loadSteps(rows).then((step) =>
      Promise.all(
        rows.map((row) =>
          runForTenant(row.workspace, () => step(row)).then(
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
  async function notify(notifier: Notifier): Promise<void> {
    const count = () => notificationCounts.get(notifier) ?? 0;
    const add = (difference: number) => notificationCounts.set(notifier, count() + difference);
    const freeSlots = notifier.maxInProgress - count();
    if (freeSlots <= 0) return;
    add(freeSlots);
    const senders = await notifier.claim(freeSlots).finally(() => add(-freeSlots));
    for (const send of senders) {
      add(1);
      startedNotificationCount += 1;
      const notification = send()
        .catch((error: unknown) => log.error({ table, err: error }, 'could not send a notification'))
        .finally(() => {
          add(-1);
          if (count() === notifier.maxInProgress - 1) scans.scheduleAt(clock());
        });
      track(notification);
    }
  }
  /** Purges in the background, because a large backlog must not delay a scan. */
  function purge(): void {
    if (clock().getTime() < nextPurgeAt) return;
    nextPurgeAt = clock().getTime() + PURGE_INTERVAL_MS;
    const purging = purgeDeliveries(
      db,
      { table, retentionMs, purgeTo },
      { now: clock(), isStopped: () => isStopped },
    );
    track(
      purging.catch((error: unknown) => log.error({ table, err: error }, 'purge of ended deliveries failed')),
    );
  }
  /** Finds the time of the next scan, `scanAt` at the latest. */
  async function findNextScanTime(scanAt: Date): Promise<Date> {
    try {
      return computeNextScanTime(scanAt, await readNextTimes(), clock());
    } catch (error) {
      log.error({ table, err: error }, 'lookup of the next due delivery failed');
      return scanAt;
    }
  }
  /** Computes the time of the next scan, `scanAt` at the latest. Also records in `hasBacklog` whether due rows wait. */
  function computeNextScanTime(
    scanAt: Date,
    { due, notification, creation: created }: NextTimes,
    now: Date,
  ): Date {
    hasBacklog = due !== undefined && due <= now;
    // If all slots are in use, the end of a step schedules the next scan.
    const nextClaim = !hasBacklog
      ? due
      : stepCount < maxRowsInProgress
        ? addMs(now, BACKLOG_SCAN_INTERVAL_MS)
        : undefined;
    // What is due now couldn't be done by this scan, e.g. because a transaction holds the row.
    const delayIfDue = (time: Date | undefined) =>
      time && time <= now ? addMs(now, BACKLOG_SCAN_INTERVAL_MS) : time;
    const hasFreeNotifier = notifiers.some(
      (notifier) => (notificationCounts.get(notifier) ?? 0) < notifier.maxInProgress,
    );
    const nextNotification = hasFreeNotifier ? delayIfDue(notification) : undefined;
    const nextCreation = hasCreationFailed ? undefined : delayIfDue(created && appClock.toShared(created));
    const times = [scanAt, nextCreation, nextNotification, nextClaim].flatMap((time) =>
      time ? [time.getTime()] : [],
    );
    return new Date(Math.min(...times));
  }
  function track(work: Promise<unknown>): void {
    const tracked = work.finally(() => pendingWork.delete(tracked));
    pendingWork.add(tracked);
  }
  return {
    /** Schedules a scan at `time`, unless an earlier one is scheduled. */
    wake: scans.scheduleAt,
    start() {
      isStopped = false;
      scans.start();
    },
    /** Stops the loop. Resolves when all steps and notifications in progress have ended. */
    async stop() {
      isStopped = true;
      await scans.stop();
      await Promise.all(pendingWork);
    },
    /**
     * Scans until no notification is due, and waits for all steps and notifications. Resolves with the time of the next
     * scan, at most `scanIntervalMs` from now.
     */
    async runOnce(): Promise<Date> {
      const scanAt = addMs(clock(), scanIntervalMs);
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

/** Number of rows in one statement. Small enough for the statement timeout, even if each row's content is decrypted. */
const BATCH_SIZE = 200;

interface Retention<Row extends DeliveryRow> {
  table: string;
  retentionMs: number;
  purgeTo?: Definition<string, never, Row>['purgeTo'];
}

/**
 * Deletes or redacts the rows that ended at least `retentionMs` before `now`. Resolves with the number of these rows.
 * Also deletes the redacted rows whose `delete_at` has come. Ends after the current batch if `isStopped` returns true.
 */
export async function purgeDeliveries<Row extends DeliveryRow>(
  db: QueryExecutorProvider,
  { table, retentionMs, purgeTo }: Retention<Row>,
  { now, isStopped = () => false }: { now: Date; isStopped?: () => boolean },
): Promise<number> {
  const repeatBatches = async (runBatch: () => Promise<number>): Promise<number> => {
    let sum = 0;
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !isStopped(); sum += count) count = await runBatch();
    return sum;
  };
  const deleteUntil = (column: 'retained_since' | 'delete_at', time: Date) =>
    repeatBatches(() => {
      const condition = sql`${sql.ref(column)} <= ${time}`;
      return deleteBatch(db, table, { key: 'id', condition, orderBy: column, limit: BATCH_SIZE });
    });
  const endedBefore = addMs(now, -retentionMs);
  if (!purgeTo) return deleteUntil('retained_since', endedBefore);
  const createChange = (row: Row) => purgeTo(row, now);
  const redactedCount = await repeatBatches(() => redactRows(db, table, { createChange, endedBefore }));
  await deleteUntil('delete_at', now);
  return redactedCount;
}

/** Redacts a batch of rows, without those whose state has changed. Resolves with the number of read rows. */
async function redactRows<Row extends DeliveryRow>(
  db: QueryExecutorProvider,
  table: string,
  { createChange, endedBefore }: { createChange(row: Row): Change<Row>; endedBefore: Date },
): Promise<number> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where retained_since <= ${endedBefore}
    order by retained_since limit ${BATCH_SIZE}`.execute(db);
  if (rows.length === 0) return 0;
  const changes = rows.map((row) => ({ id: row.id, change: { ...createChange(row), retained_since: null } }));
  await sql`update ${sql.table(table)} t set ${assignChanges(changes)}
    from jsonb_to_recordset(${toJsonParameter(changes)}::jsonb) as v(id text, change jsonb)
    where t.id = v.id and t.retained_since <= ${endedBefore}`.execute(db);
  return rows.length;
}
