import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createScans } from '../delivery/scans.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Leaving } from './installations.ts';
import { claimDepartures, type DepartureRow, removeDeparture, saveDeparture } from './sql/departures.ts';

/** The events in which Slack says that the app was removed or its tokens revoked. None needs a scope. */
const ends = z.object({
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
 * What has to be done because the app has left. `uninstalled` deletes an installation and everything of its workspaces,
 * `access-revoked` does so for some workspaces of an organisation; `tokens-revoked` deletes the tokens and pauses.
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

/** Every request passes here: this costs next to nothing, the schema does not. */
function mayBeDeparture(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('event' in body)) return false;
  const { event } = body;
  return typeof event === 'object' && event !== null && 'type' in event && EVENTS.includes(event.type);
}

/** `nothing`: the event is of this kind, and there is nothing to do. Undefined for any other request. */
function readDeparture(body: unknown): Departure | 'nothing' | undefined {
  const heard = mayBeDeparture(body) ? ends.safeParse(body).data : undefined;
  if (!heard) return undefined;
  const { event, event_id: id, enterprise_id: organisation } = heard;
  // Slack's time is in whole seconds. Whoever has installed it again meanwhile keeps it.
  const leftAt = new Date((heard.event_time + 1) * 1000);
  if (event.type === 'team_access_revoked') {
    if (!organisation) return 'nothing';
    return { id, kind: 'access-revoked', installation: organisation, workspaces: event.team_ids, leftAt };
  }
  // A person's own token says nothing of the app's.
  if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return 'nothing';
  const isOrgWide = heard.team_id === undefined || heard.authorizations?.[0]?.is_enterprise_install === true;
  const installation = isOrgWide ? organisation : heard.team_id;
  if (!installation) return 'nothing';
  const kind = event.type === 'tokens_revoked' ? 'tokens-revoked' : 'uninstalled';
  return { id, kind, installation, workspaces: [], leftAt };
}

/** Makes sure that everything that must go when the app leaves a workspace goes, whatever fails meanwhile. */
export interface Departures {
  /** Whether a request of Slack's says that the app has left. */
  isOne(body: unknown): boolean;
  /**
   * Stores a note of it before the event is acknowledged. Rejects where that fails, so that Slack sends the event again;
   * meanwhile the note is kept in memory and stored as soon as possible.
   */
  note(body: unknown): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Between two tries, and between two scans for notes that another instance has left, ms. Our own choice. */
const RETRY_MS = 30_000;

/**
 * A note is stored when Slack's event arrives, carried out right after, and removed when everything is done. Any
 * instance carries out notes that are due, also after a restart; each step can be repeated.
 */
export function createDepartures(options: {
  db: Kysely<BotSchema>;
  log: Log;
  leaving: Leaving;
  /** Told of each workspace that it was done in, perhaps more than once. */
  onLeft(workspace: string, kind: DepartureKind): void;
  retryMs?: number;
}): Departures {
  const { db, log, leaving, onLeft, retryMs = RETRY_MS } = options;
  const clock = () => new Date();
  const unsaved = new Map<string, Departure>();
  const scans = createScans(clock, scan);

  async function save(departure: Departure): Promise<void> {
    const { id, kind, installation, workspaces, leftAt } = departure;
    await saveDeparture(db, {
      ...{ id, kind, installation, workspaces: workspaces.join(' '), left_at: leftAt, next_at: clock() },
    });
    unsaved.delete(id);
  }
  async function scan(): Promise<Date> {
    try {
      for (const departure of [...unsaved.values()]) await save(departure);
      const due = await claimDepartures(db, { at: clock(), until: inRetryMs() });
      for (const row of due) await finish(row);
    } catch (error) {
      log.error({ err: error }, 'scan for departures failed');
    }
    return inRetryMs();
  }
  /** Where it fails, the note is due again after `retryMs`. */
  async function finish(row: DepartureRow): Promise<void> {
    const { id, installation, kind } = row;
    try {
      const left = await carryOut(leaving, row);
      await removeDeparture(db, id);
      for (const workspace of left) {
        log.info({ workspace, departure: kind }, 'the app is in this workspace no more');
        onLeft(workspace, kindOf(row));
      }
    } catch (error) {
      log.error({ departure: kind, installation, err: error }, 'departure failed and will be retried');
    }
  }
  const inRetryMs = () => new Date(clock().getTime() + retryMs);
  return {
    isOne: (body) => readDeparture(body) !== undefined,
    async note(body) {
      const departure = readDeparture(body);
      if (!departure || departure === 'nothing') return;
      unsaved.set(departure.id, departure);
      try {
        await save(departure);
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

function carryOut(leaving: Leaving, row: DepartureRow): Promise<readonly string[]> {
  const { installation, left_at: leftAt } = row;
  switch (kindOf(row)) {
    case 'uninstalled':
      return leaving.remove(installation, leftAt);
    case 'access-revoked':
      return leaving.removeFrom(installation, row.workspaces.split(' '));
    case 'tokens-revoked':
      return leaving.revoke(installation, leftAt);
  }
}

/** Throws for a kind of a newer version, whose instances carry it out. */
function kindOf({ kind }: DepartureRow): DepartureKind {
  return z.enum(DEPARTURES).parse(kind);
}
