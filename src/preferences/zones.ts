import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { isZone } from '../when/when.ts';

/** A zone can be chosen for a channel, a project, or a person's own posts. */
const ZONE_SCOPES = ['channel', 'project', 'person'] as const;
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

/**
 * The zones (IANA names) that may apply to a post: chosen for the channel, project or person, or from the Slack
 * profile.
 */
export interface KnownZones {
  channel?: string | undefined;
  byProject: Readonly<Record<string, string>>;
  own?: string | undefined;
  profile?: string | undefined;
}

/** A zone, and where it comes from. */
interface DefaultZone {
  zone: string;
  of: 'channel' | 'project' | 'own' | 'profile';
}

/**
 * The initial zone of a post: the channel's, else the project's, else the person's own, else that of their Slack
 * profile. A zone that the person typed or chose in the form takes precedence over all of these.
 */
export function pickDefaultZone(zones: KnownZones, project: string | undefined): DefaultZone | undefined {
  const { channel, byProject, own, profile } = zones;
  const ofProject =
    project !== undefined && Object.hasOwn(byProject, project) ? byProject[project] : undefined;
  const inOrder = [
    ['channel', channel],
    ['project', ofProject],
    ['own', own],
    ['profile', profile],
  ] as const;
  for (const [of, zone] of inOrder) if (zone !== undefined && isZone(zone)) return { of, zone };
  return undefined;
}
