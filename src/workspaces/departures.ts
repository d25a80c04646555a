import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createScans } from '../delivery/scans.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import type { InstallationRemoval } from './installations.ts';
import { claimDepartures, type DepartureRow, removeDeparture, saveDeparture } from './sql/departures.ts';

/** The events in which Slack says that the app was removed or its tokens revoked. None needs a scope. */
const departureEvent = z.object({
  type: z.literal('event_callback'),
  event_id: z.string(),
  team_id: z.string().optional(),
  enterprise_id: z.string().nullish(),
  event_time: z.number(),
  authorizations: z
    .array(z.object({ is_enterprise_install: z.boolean().optional() }))
    .optional()
    .catch(undefined),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('app_uninstalled') }),
    z.object({
      type: z.literal('tokens_revoked'),
      tokens: z.object({ bot: z.array(z.string()).nullish() }),
    }),
    z.object({ type: z.literal('team_access_revoked'), team_ids: z.array(z.string()) }),
  ]),
});

/**
 * The app has left somewhere. `uninstalled` deletes an installation and all data of its workspaces. `access-revoked`
 * deletes the data of some workspaces of an organisation. `tokens-revoked` deletes the tokens and pauses the digests.
 */
interface Departure {
  /** Slack's id of the event. */
  id: string;
  kind: DepartureKind;
  /** A workspace (`T…`) or an organisation (`E…`). */
  installation: string;
  workspaces: readonly string[];
  leftAt: Date;
}

const DEPARTURES = ['uninstalled', 'access-revoked', 'tokens-revoked'] as const;
type DepartureKind = (typeof DEPARTURES)[number];

const EVENTS: readonly unknown[] = ['app_uninstalled', 'tokens_revoked', 'team_access_revoked'];

/** A cheap check before the schema, because every request passes here. */
function mayBeDeparture(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('event' in body)) return false;
  const { event } = body;
  return typeof event === 'object' && event !== null && 'type' in event && EVENTS.includes(event.type);
}

/** `nothing` for a departure event that needs no action. Undefined for any other request. */
function readDeparture(body: unknown): Departure | 'nothing' | undefined {
  const payload = mayBeDeparture(body) ? departureEvent.safeParse(body).data : undefined;
  if (!payload) return undefined;
  const { event, event_id: id, enterprise_id: organisation } = payload;
  // Slack's time is in whole seconds, so it is rounded up. A later installation is kept.
  const leftAt = new Date((payload.event_time + 1) * 1000);
  if (event.type === 'team_access_revoked') {
    if (!organisation) return 'nothing';
    return { id, kind: 'access-revoked', installation: organisation, workspaces: event.team_ids, leftAt };
  }
  // A revoked user token doesn't affect the app.
  if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return 'nothing';
  const isOrgWide =
    payload.team_id === undefined || payload.authorizations?.[0]?.is_enterprise_install === true;
  const installation = isOrgWide ? organisation : payload.team_id;
  if (!installation) return 'nothing';
  const kind = event.type === 'tokens_revoked' ? 'tokens-revoked' : 'uninstalled';
  return { id, kind, installation, workspaces: [], leftAt };
}

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
        scans.scheduleAt(clock());
      } catch (error) {
        scans.scheduleAt(inRetryMs());
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
