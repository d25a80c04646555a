import type { Kysely } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { isDatabaseFailure } from '../store/database-unavailable.ts';
import { computeFullJitterMs } from './backoff.ts';
import { addMs, type Clock } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import type { Exclusions } from './exclusions.ts';
import { isStateOf, type Lifecycle } from './lifecycle.ts';
import { createPermit, type Permit } from './permit.ts';
import {
  claimNotifications,
  endNotifications,
  type NotificationTable,
  postponeNotifications,
} from './sql/notifications.ts';
import type { Changes } from './sql/transitions.ts';
import type { EngineTables } from './tables.ts';

/** The rows of one notification: of one workspace, group and state. They share a message. */
export type Group<Row> = readonly [Row, ...Row[]];

export interface Attempt {
  /** When an earlier attempt began that may have sent the message. Undefined if there was none. */
  earlierSince: Date | undefined;
  /**
   * Renews the claim right before a message. Resolves with the permit for it, or with undefined if another instance has
   * the rows, or a newer notification has replaced this one.
   */
  begin(): Promise<Permit | undefined>;
}

/**
 * `notified`: the notification ends, also if nobody wanted it. `later`: certainly not sent, so it is tried again with
 * backoff, up to MAX_ATTEMPTS times. `each`: what the rows share was sent, and each of them is notified alone now.
 * `waitMs`: it can't be sent for that time, which doesn't count as an attempt.
 */
export type NotifyResult = 'notified' | 'later' | 'each' | { waitMs: number };

export interface Notifying<Row> {
  /** Rows of a workspace with the same state, and the same value in this column, share a message. */
  groupColumn: string & keyof Row;
  /** Splits a group further. Rows share a message only if this returns the same text for them. */
  splitBy?(row: Row): string;
  /** Returns the period in which notifications of a state that fall due share a message, ms. Defaults to 0, no period. */
  getGroupMs?(state: string): number;
  /** Duration of a claim, ms: longer than three calls to Slack (10 s each). Defaults to a minute. */
  leaseMs?: number;
  /** Maximum number of rows in a claim. Defaults to 50. */
  maxRows?: number;
  /** Maximum number of groups at the same time. Defaults to 16. */
  maxInProgress?: number;
  /** Further changes of rows whose people were told. */
  createToldChange?(now: Date): Changes;
  /** Tells people of these rows. After an error that may pass, the engine tries again; any other ends the notification. */
  notify(rows: Group<Row>, attempt: Attempt): Promise<NotifyResult>;
}

export interface Notifier {
  source: NotificationTable;
  /** Maximum number of groups at the same time. */
  maxInProgress: number;
  /** Claims due notifications of at most `maxGroups` groups. Resolves with the functions that send them. */
  claim(maxGroups: number): Promise<readonly (() => Promise<void>)[]>;
}

interface NotifierOptions {
  db: Kysely<EngineTables>;
  clock: Clock;
  exclusions: Exclusions;
  random(): number;
  isTemporary(error: unknown): boolean;
  log: { warn(fields: object, message: string): void };
}

export type CreateNotifier = (options: NotifierOptions) => Notifier;

type NotifiedRow = Pick<DeliveryRow, 'id' | 'workspace' | 'state' | 'notify_attempts' | 'notifying_since'>;

/** The wait after a refused attempt. */
const BACKOFF = { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS };
/** So many attempts take about four hours. By then Slack is hardly just busy, and may refuse the token for days. */
const MAX_CLOSE_ATTEMPTS = 20;
/** The wait after that. */
const DISTANT_BACKOFF = { firstMs: 4 * HOUR_MS, maxMs: 4 * HOUR_MS };
/** So many attempts take about a week. */
const MAX_ATTEMPTS = 100;
/** With the usual claim, half an hour. An attempt that takes longer is stuck, so another instance may take over. */
const MAX_RENEWALS = 60;
const [LEASE_MS, MAX_ROWS, MAX_IN_PROGRESS] = [MINUTE_MS, 50, 16];

/**
 * Claims due notifications of a table and calls `notify` for each group, until people were told or it has been tried
 * MAX_ATTEMPTS times. With a `lifecycle`, rows in states that only a newer version knows are left to it.
 */
export function createNotifier<Row extends NotifiedRow>(
  storage: { table: string; lifecycle?: Lifecycle<string>; exclusionColumns?: readonly string[] | undefined },
  notifying: Notifying<Row>,
): CreateNotifier {
  const { table, lifecycle, exclusionColumns = ['id'] } = storage;
  const { groupColumn, splitBy = () => '', leaseMs = LEASE_MS } = notifying;
  const { maxRows = MAX_ROWS, maxInProgress = MAX_IN_PROGRESS } = notifying;
  const source = { table, exclusionColumns, groupColumn };
  return ({ db, clock, exclusions, random, isTemporary, log }) => {
    /** The running notification of each row. A newer one waits, because the earlier may not have recorded its message. */
    const running = new Map<string, Promise<void>>();

    async function notifyGroup(rows: Group<Row>, claimedUntil: Date): Promise<void> {
      const ids = rows.map(({ id }) => id);
      const [{ state }] = rows;
      const starts = rows.flatMap(({ notifying_since }) => notifying_since?.getTime() ?? []);
      const earlierSince = starts.length === 0 ? undefined : new Date(Math.min(...starts));
      let notifyAt = claimedUntil;
      const postpone = (time: Date, change: Changes = {}) =>
        postponeNotifications(db, table, { ids, notifyAt, state }, { ...change, notify_at: time });
      const end = async () =>
        void (await endNotifications(
          db,
          table,
          { ids, notifyAt, state },
          notifying.createToldChange?.(clock.readShared()),
        ));
      let renewal: Promise<boolean> = Promise.resolve(true);
      /** Whether another instance has some of the rows, or a newer notification has replaced theirs. */
      let hasLostRows = false;
      /** Renews the claim. False if it has ended for any of the rows. Each renewal needs the end that the one before has set. */
      function renew(change?: Changes): Promise<boolean> {
        renewal = renewal
          .catch(() => true)
          .then(async () => {
            const renewedUntil = addMs(clock.readShared(), leaseMs);
            const count = await postpone(renewedUntil, change);
            if (count > 0) notifyAt = renewedUntil;
            hasLostRows ||= count < ids.length;
            return count === ids.length;
          });
        return renewal;
      }
      async function begin(): Promise<Permit | undefined> {
        const permit = createPermit(leaseMs / 2);
        const since = earlierSince ?? clock.readShared();
        return (await renew({ notifying_since: since })) ? permit : undefined;
      }
      async function tryLater(error?: unknown): Promise<void> {
        // The rows that are left are claimed again when the claim ends. For them, this was no attempt.
        if (hasLostRows) return;
        // A row that has just joined the others gets all its attempts.
        const notify_attempts = Math.min(...rows.map((row) => row.notify_attempts)) + 1;
        const mayPass = error === undefined || isTemporary(error) || isDatabaseFailure(error);
        const isOver = notify_attempts >= MAX_ATTEMPTS || !mayPass;
        if (isOver) {
          log.warn({ table, ids, err: error }, 'could not notify anybody, giving up');
          return end();
        }
        const backoff = notify_attempts <= MAX_CLOSE_ATTEMPTS ? BACKOFF : DISTANT_BACKOFF;
        const waitMs = Math.max(leaseMs, computeFullJitterMs(notify_attempts, backoff, random));
        await postpone(addMs(clock.readShared(), waitMs), { notify_attempts });
      }
      /** While Slack is silent, each of an attempt's calls takes 10 s. Without the claim, its failure wouldn't count. */
      async function notifyWhileClaimed(): Promise<NotifyResult> {
        let remaining = MAX_RENEWALS;
        const heartbeat = setInterval(() => {
          remaining -= 1;
          if (hasLostRows || remaining < 0) clearInterval(heartbeat);
          else void renew().catch(() => undefined);
        }, leaseMs / 2);
        try {
          return await notifying.notify(rows, { earlierSince, begin });
        } finally {
          clearInterval(heartbeat);
          await renewal.catch(() => undefined);
        }
      }
      try {
        const result = await notifyWhileClaimed();
        if (result === 'notified') await end();
        else if (result === 'later') await tryLater();
        // One after another, because each may take several calls to Slack.
        else if (result === 'each') for (const row of rows) await notifyLater([row], notifyAt);
        else await postpone(addMs(clock.readShared(), result.waitMs), { notify_attempts: 0 });
      } catch (error) {
        await tryLater(error);
      }
    }
    /** Notifies of rows whose turn comes some time after their claim, unless they have changed since. */
    async function notifyLater(rows: Group<Row>, claimedUntil: Date): Promise<void> {
      const known = { ids: rows.map(({ id }) => id), notifyAt: claimedUntil, state: rows[0].state };
      const renewedUntil = addMs(clock.readShared(), leaseMs);
      const renewed = await postponeNotifications(db, table, known, { notify_at: renewedUntil });
      // What was renewed of a group that has changed is claimed again after that.
      if (renewed === rows.length) await notifyGroup(rows, renewedUntil);
    }
    async function notifyInOrder(rows: Group<Row>, claimedUntil: Date, isFirst: boolean): Promise<void> {
      const earlier = Promise.allSettled(rows.flatMap(({ id }) => running.get(id) ?? []));
      const current = earlier.then(() => (isFirst ? notifyGroup : notifyLater)(rows, claimedUntil));
      for (const { id } of rows) running.set(id, current);
      try {
        await current;
      } finally {
        for (const { id } of rows) if (running.get(id) === current) running.delete(id);
      }
    }
    return {
      source,
      maxInProgress,
      async claim(maxGroups) {
        const now = clock.readShared();
        const claimedUntil = addMs(now, leaseMs);
        const claim = { now, claimedUntil, maxGroups, maxRows, excludedIds: exclusions.listIds() };
        const rows = (await claimNotifications<Row>(db, source, claim)).filter(({ id, state }) => {
          if (!lifecycle || isStateOf(lifecycle, state)) return true;
          exclusions.exclude(id, new Error(`unknown state "${state}"`));
          return false;
        });
        const getKey = (row: Row) =>
          JSON.stringify([row.workspace, row[groupColumn], row.state, splitBy(row)]);
        const groups = [...Map.groupBy(rows, getKey).values()].flatMap(([first, ...others]) =>
          first ? [[first, ...others] as const] : [],
        );
        // A group that `splitBy` has split is told in turns, so that no more are told at the same time.
        const turns = groups
          .slice(0, maxGroups)
          .map((_, turn) => groups.filter((__, index) => index % maxGroups === turn));
        return turns.map((ofTurn) => async () => {
          for (const [index, group] of ofTurn.entries())
            await notifyInOrder(group, claimedUntil, index === 0);
        });
      },
    };
  };
}
