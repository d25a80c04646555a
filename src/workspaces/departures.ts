import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createScans } from '../delivery/scans.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import { DEPARTURES, type Departure, type DepartureKind, readDeparture } from './install/departure.ts';
import type { InstallationRemoval } from './installations.ts';
import { claimDepartures, type DepartureRow, removeDeparture, saveDeparture } from './sql/departures.ts';

/** Deletes what must be deleted when the app leaves a workspace, and retries until that succeeds. */
export interface Departures {
  /** Whether a request from Slack says that the app has left. */
  isDeparture(body: unknown): boolean;
  /**
   * Stores the departure before the event is acknowledged. Rejects if that fails, so that Slack sends the event again.
   * Meanwhile the departure stays in memory and is stored as soon as possible.
   */
  save(body: unknown): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Between two attempts, and between two scans for departures of other instances, ms. Our own choice. */
const RETRY_MS = 30_000;

/**
 * A departure is stored when Slack's event arrives, carried out right after that, and removed when everything is done.
 * Any instance carries out due departures, also after a restart. Each step can be repeated.
 */
export function createDepartures(options: {
  db: Kysely<BotSchema>;
  log: Log;
  removal: InstallationRemoval;
  /** Called for each affected workspace, possibly more than once. */
  onLeft(workspace: string, kind: DepartureKind): void;
  retryMs?: number;
}): Departures {
  const { db, log, removal, onLeft, retryMs = RETRY_MS } = options;
  const clock = () => new Date();
  const unsaved = new Map<string, Departure>();
  const scans = createScans(clock, scan);

  async function store(departure: Departure): Promise<void> {
    const { id, kind, installation, workspaces, leftAt } = departure;
    await saveDeparture(db, {
      ...{ id, kind, installation, workspaces: workspaces.join(' '), left_at: leftAt, next_at: clock() },
    });
    unsaved.delete(id);
  }
  async function scan(): Promise<Date> {
    try {
      for (const departure of [...unsaved.values()]) await store(departure);
      const due = await claimDepartures(db, { at: clock(), until: inRetryMs() });
      for (const row of due) await finish(row);
    } catch (error) {
      log.error({ err: error }, 'scan for departures failed');
    }
    return inRetryMs();
  }
  /** A failed departure is due again after `retryMs`. */
  async function finish(row: DepartureRow): Promise<void> {
    const { id, installation, kind } = row;
    try {
      const left = await carryOut(removal, row);
      await removeDeparture(db, id);
      for (const workspace of left) {
        log.info({ workspace, departure: kind }, 'app left the workspace');
        onLeft(workspace, kindOf(row));
      }
    } catch (error) {
      log.error({ departure: kind, installation, err: error }, 'departure failed and will be retried');
    }
  }
  const inRetryMs = () => new Date(clock().getTime() + retryMs);
  return {
    isDeparture: (body) => readDeparture(body) !== undefined,
    async save(body) {
      const departure = readDeparture(body);
      if (!departure || departure === 'nothing') return;
      unsaved.set(departure.id, departure);
      try {
        await store(departure);
        scans.at(clock());
      } catch (error) {
        scans.at(inRetryMs());
        throw error;
      }
    },
    start: scans.start,
    stop: scans.stop,
  };
}

function carryOut(removal: InstallationRemoval, row: DepartureRow): Promise<readonly string[]> {
  const { installation, left_at: leftAt } = row;
  switch (kindOf(row)) {
    case 'uninstalled':
      return removal.remove(installation, leftAt);
    case 'access-revoked':
      return removal.removeFrom(installation, row.workspaces.split(' '));
    case 'tokens-revoked':
      return removal.revoke(installation, leftAt);
  }
}

/** Throws for a kind that only a newer version knows; that version's instances carry it out. */
function kindOf({ kind }: DepartureRow): DepartureKind {
  return z.enum(DEPARTURES).parse(kind);
}
