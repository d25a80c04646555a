import type { Kysely } from 'kysely';
import type { BotSchema } from '../store/schema.ts';
import { isZone } from '../when/when.ts';

/** What a zone may be chosen for: a channel, a project, or a person's own posts. */
const ZONE_SCOPES = ['channel', 'project', 'person'] as const;
export type ZoneScope = (typeof ZONE_SCOPES)[number];

interface ChosenZone {
  workspace: string;
  scope: ZoneScope;
  /** The id of the channel, of the project in the service, or of the person. */
  subject: string;
}

/** The zones that were chosen for whatever a person's post can be about; IANA names. */
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

/** From now on this zone counts there. */
export async function setZone(
  db: Kysely<BotSchema>,
  chosen: ChosenZone & { zone: string; chosenBy: string; chosenAt: Date },
): Promise<void> {
  const { chosenBy, chosenAt, zone, ...key } = chosen;
  const values = { zone, chosen_by: chosenBy, chosen_at: chosenAt };
  await db
    .insertInto('zone')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['workspace', 'scope', 'subject']).doUpdateSet(values))
    .execute();
}

/** From now on no zone is chosen there. */
export async function clearZone(
  db: Kysely<BotSchema>,
  { workspace, scope, subject }: ChosenZone,
): Promise<void> {
  await db
    .deleteFrom('zone')
    .where('workspace', '=', workspace)
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .execute();
}

/** The zones that were chosen for whatever a post can be about, and the one of the person's profile; IANA names. */
export interface KnownZones {
  channel?: string | undefined;
  byProject: Readonly<Record<string, string>>;
  own?: string | undefined;
  profile?: string | undefined;
}

/** A zone, and whose it is. */
interface UsualZone {
  zone: string;
  of: 'channel' | 'project' | 'own' | 'profile';
}

/**
 * The zone that a post begins with: the channel's, else the project's, else the person's own, else their Slack
 * profile's. What the words name and what the form shows go before all of these.
 */
export function usualZone(zones: KnownZones, project: string | undefined): UsualZone | undefined {
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
