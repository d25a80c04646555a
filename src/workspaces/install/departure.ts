import { z } from 'zod';

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
export interface Departure {
  /** Slack's id of the event. */
  id: string;
  kind: DepartureKind;
  /** A workspace (`T…`) or an organisation (`E…`). */
  installation: string;
  workspaces: readonly string[];
  leftAt: Date;
}

export const DEPARTURES = ['uninstalled', 'access-revoked', 'tokens-revoked'] as const;
export type DepartureKind = (typeof DEPARTURES)[number];

const EVENTS: readonly unknown[] = ['app_uninstalled', 'tokens_revoked', 'team_access_revoked'];

/** A cheap check before the schema, because every request passes here. */
function mayBeDeparture(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('event' in body)) return false;
  const { event } = body;
  return typeof event === 'object' && event !== null && 'type' in event && EVENTS.includes(event.type);
}

/** `nothing` for a departure event that needs no action. Undefined for any other request. */
export function readDeparture(body: unknown): Departure | 'nothing' | undefined {
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
