import { isZone } from '../when/when.ts';

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
