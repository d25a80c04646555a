import type { Call } from '../../app/call.ts';
import { zonesFor } from '../../store/zones.ts';
import { isZone, zoneName } from '../../when/zones.ts';
import type { Line } from './status-message.ts';

/** In which zone a moment is meant that is written here without one. */
export async function checkZone({ parts, who, channel, client, log, reference }: Call): Promise<Line> {
  const zones = await zonesFor(parts.db, { workspace: who.workspace, user: who.user, channel });
  const chosen = zones.channel ?? zones.own;
  if (chosen !== undefined) {
    const where = zones.channel === undefined ? 'your own choice' : "this channel's";
    return { mark: 'fine', text: `Times are in ${zoneName(chosen)}, ${where}.` };
  }
  try {
    const { user } = await client.users.info({ user: who.user });
    const zone = user?.tz;
    if (zone !== undefined && isZone(zone)) {
      return { mark: 'fine', text: `Times are in ${zoneName(zone)}, from your Slack profile.` };
    }
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'the time zone of a profile could not be read');
  }
  return {
    mark: 'wrong',
    text: 'Slack does not say your time zone: set it in your Slack profile, or write it with the time ("9am Berlin").',
  };
}
