import { isZone } from '../when/when.ts';

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
