import { z } from 'zod';

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

/** Every request passes here: this costs next to nothing, the schema does not. */
function mayBeDeparture(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('event' in body)) return false;
  const { event } = body;
  return typeof event === 'object' && event !== null && 'type' in event && EVENTS.includes(event.type);
}

/** `nothing`: the event is of this kind, and there is nothing to do. Undefined for any other request. */
export function readDeparture(body: unknown): Departure | 'nothing' | undefined {
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
