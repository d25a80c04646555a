import type { Kysely, SelectQueryBuilder } from 'kysely';
import { isZone } from '../when/zones.ts';
import type { PreferenceTables } from './tables.ts';

/** A zone can be chosen for a channel, for a project, or by a person for their own posts. */
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
  person?: string;
}

/** A chosen zone that may apply to a person's post. */
type ZoneRow = Pick<PreferenceTables['zone'], 'scope' | 'subject' | 'zone'>;

interface ZoneReader {
  workspace: string;
  user: string;
  channel: string | undefined;
}

export async function findZones(db: Kysely<PreferenceTables>, reader: ZoneReader): Promise<Zones> {
  return toZones(await selectZones(db, reader).execute());
}

export function selectZones(
  db: Kysely<PreferenceTables>,
  { workspace, user, channel }: ZoneReader,
): SelectQueryBuilder<PreferenceTables, 'zone', ZoneRow> {
  return db
    .selectFrom('zone')
    .select(['scope', 'subject', 'zone'])
    .where('workspace', '=', workspace)
    .where((where) =>
      where.or([
        where('scope', '=', 'project'),
        where.and({ scope: 'person', subject: user }),
        ...(channel === undefined ? [] : [where.and({ scope: 'channel', subject: channel })]),
      ]),
    );
}

export function toZones(rows: readonly ZoneRow[]): Zones {
  const findZone = (scope: ZoneScope) => rows.find((row) => row.scope === scope)?.zone;
  const [channelZone, personZone] = [findZone('channel'), findZone('person')];
  const projectRows = rows.filter(({ scope }) => scope === 'project');
  return {
    byProject: Object.fromEntries(projectRows.map(({ subject, zone }) => [subject, zone])),
    ...(channelZone !== undefined && { channel: channelZone }),
    ...(personZone !== undefined && { person: personZone }),
  };
}

export async function setZone(
  db: Kysely<PreferenceTables>,
  { zone, ...key }: ZoneKey & { zone: string },
): Promise<void> {
  await db
    .insertInto('zone')
    .values({ ...key, zone })
    .onConflict((conflict) => conflict.columns(['workspace', 'scope', 'subject']).doUpdateSet({ zone }))
    .execute();
}

/** Clears a zone, and returns whether there was one. `zone`: clears only this one, and not one that was set since. */
export async function clearZone(
  db: Kysely<PreferenceTables>,
  { workspace, scope, subject }: ZoneKey,
  zone?: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('zone')
    .where(({ and }) => and({ workspace, scope, subject, ...(zone !== undefined && { zone }) }))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The zones (IANA names) that may apply to a post: chosen for channel, project or person, or from the profile. */
export interface KnownZones {
  channel?: string | undefined;
  byProject: Readonly<Record<string, string>>;
  person?: string | undefined;
  profile?: string | undefined;
}

/**
 * Picks the initial zone of a post: the channel's, else the project's, else the person's, else that of the person's
 * Slack profile. Undefined if none of them is known. A zone that the person enters in the form takes precedence over
 * all of these.
 */
export function pickDefaultZone(
  { channel, byProject, person, profile }: KnownZones,
  project: string | undefined,
): { zone: string; source: 'channel' | 'project' | 'person' | 'profile' } | undefined {
  const projectZone =
    project !== undefined && Object.hasOwn(byProject, project) ? byProject[project] : undefined;
  const candidates = [
    ['channel', channel],
    ['project', projectZone],
    ['person', person],
    ['profile', profile],
  ] as const;
  for (const [source, zone] of candidates) {
    if (zone !== undefined && isZone(zone)) return { source, zone };
  }
  return undefined;
}
