import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';

/** A zone can be chosen for a channel, a project, or a person's own posts. */
export const ZONE_SCOPES = ['channel', 'project', 'person'] as const;
export type ZoneScope = (typeof ZONE_SCOPES)[number];

interface ZoneKey {
  workspace: string;
  scope: ZoneScope;
  /** The id of the channel, of the project in the service, or of the person. */
  subject: string;
}

/** The chosen zones (IANA names) that may apply to a person's post. */
interface Zones {
  channel?: string;
  byProject: Record<string, string>;
  /** The person's own. */
  own?: string;
}

export async function zonesFor(
  db: Kysely<BotSchema>,
  at: { workspace: string; user: string; channel: string | undefined },
): Promise<Zones> {
  const rows = await db
    .selectFrom('zone')
    .select(['scope', 'subject', 'zone'])
    .where('workspace', '=', at.workspace)
    .where((where) =>
      where.or([
        where('scope', '=', 'project'),
        where.and({ scope: 'person', subject: at.user }),
        ...(at.channel === undefined ? [] : [where.and({ scope: 'channel', subject: at.channel })]),
      ]),
    )
    .execute();
  const one = (scope: ZoneScope) => rows.find((row) => row.scope === scope)?.zone;
  const [channel, own] = [one('channel'), one('person')];
  const projects = rows.filter(({ scope }) => scope === 'project');
  return {
    byProject: Object.fromEntries(projects.map(({ subject, zone }) => [subject, zone])),
    ...(channel !== undefined && { channel }),
    ...(own !== undefined && { own }),
  };
}

/** Sets the zone of a channel, project or person. */
export async function setZone(
  db: Kysely<BotSchema>,
  chosen: ZoneKey & { zone: string; chosenBy: string; chosenAt: Date },
): Promise<void> {
  const { chosenBy, chosenAt, zone, ...key } = chosen;
  const values = { zone, chosen_by: chosenBy, chosen_at: chosenAt };
  await db
    .insertInto('zone')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace', 'scope', 'subject']).doUpdateSet(values))
    .execute();
}

/** Removes the zone of a channel, project or person. */
export async function clearZone(
  db: Kysely<BotSchema>,
  { workspace, scope, subject }: ZoneKey,
): Promise<void> {
  await db
    .deleteFrom('zone')
    .where('workspace', '=', workspace)
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .execute();
}
