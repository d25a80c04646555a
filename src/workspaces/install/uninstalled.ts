import { z } from 'zod';
import type { Installations } from '../../access/installations.ts';
import type { Log } from '../../slack/feature.ts';

/** What Slack tells of the app itself; the app is subscribed to these. None needs a scope. */
const ends = z.object({
  type: z.literal('event_callback'),
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

type Ends = z.infer<typeof ends>;

/**
 * Takes away what must go when the app is taken out of a workspace, or its tokens are revoked. True where the request
 * was of this kind. `onGone` hears of each workspace; Slack may tell the same more than once, in any order.
 */
export async function heardOfEnd(
  body: unknown,
  options: {
    installations: Pick<Installations, 'remove' | 'removeFrom'>;
    log: Log;
    onGone(workspace: string): void;
  },
): Promise<boolean> {
  const { data } = ends.safeParse(body);
  if (!data) return false;
  const gone = await remove(data, options.installations);
  for (const workspace of gone) {
    options.log.info({ workspace, event: data.event.type }, 'the app is in this workspace no more');
    options.onGone(workspace);
  }
  return true;
}

async function remove(
  heard: Ends,
  installations: Pick<Installations, 'remove' | 'removeFrom'>,
): Promise<readonly string[]> {
  const { event } = heard;
  if (event.type === 'team_access_revoked') {
    return heard.enterprise_id ? installations.removeFrom(heard.enterprise_id, event.team_ids) : [];
  }
  // A person's own token says nothing of the app's.
  if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return [];
  const isOrgWide = heard.team_id === undefined || heard.authorizations?.[0]?.is_enterprise_install === true;
  const id = isOrgWide ? heard.enterprise_id : heard.team_id;
  // Slack's time is in whole seconds. Who has installed it again meanwhile has it.
  return id ? installations.remove(id, new Date((heard.event_time + 1) * 1000)) : [];
}
