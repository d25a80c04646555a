import type { Call } from '../../app/call.ts';
import { readProfile } from '../../forms/reader.ts';
import { zonesFor } from '../../preferences/zones.ts';
import { zoneName } from '../../when/when.ts';
import type { Line } from './status-message.ts';

/** In which zone a moment is meant that is written here without one. */
export async function checkZone(call: Call): Promise<Line> {
  const { context, who, channel } = call;
  const zones = await zonesFor(context.db, { workspace: who.workspace, user: who.user, channel });
  const chosen = zones.channel ?? zones.own;
  if (chosen !== undefined) {
    const where = zones.channel === undefined ? 'your own choice' : "this channel's";
    return { mark: 'fine', text: `Times are in ${zoneName(chosen)}, ${where}.` };
  }
  const { readerZone } = await readProfile(call);
  if (readerZone !== undefined)
    return { mark: 'fine', text: `Times are in ${zoneName(readerZone)}, from your Slack profile.` };
  return {
    mark: 'wrong',
    text: 'Slack does not say your time zone: set it in your Slack profile, or write it with the time ("9am Berlin").',
  };
}
