import type { Project } from '../../api/projects.ts';
import type { Call } from '../../slack/feature.ts';
import { NotAllowed, notChecked } from '../../slack/not-allowed.ts';
import { bindProjects } from '../../store/bindings.ts';
import type { Parts } from '../../submissions/parts.ts';
import type { AudienceAnswer } from './audience.ts';

/**
 * From now on the channel is about these. What people of another organisation read, an owner has to choose. Projects
 * of the channel's that the person may not choose stay.
 */
export async function bindHere(
  call: Call<Parts>,
  wanted: { channel: string; audience: AudienceAnswer; projects: readonly Project[] },
): Promise<void> {
  const { parts, who } = call;
  const { channel, audience, projects } = wanted;
  if (audience === 'not-checked' && projects.length > 0 && !call.may('owner')) {
    throw new NotAllowed(notChecked(call.reference));
  }
  const isShared = audience === 'not-checked' ? undefined : audience?.isShared;
  // Who reads a channel that the bot is not in, nobody says.
  const isOwners = projects.length > 0 && isShared !== false;
  const role = isOwners ? 'owner' : 'manager';
  const because = isShared
    ? 'This channel is shared with another organisation, so its project is chosen by an owner.'
    : 'Slack does not let me see who reads this channel, so its project is chosen by an owner; or invite me with `/invite @Upnext`.';
  for (const { id } of projects) {
    await call.permit(role, isOwners ? undefined : id, 'projects use', isOwners ? because : undefined);
  }
  await bindProjects(parts.db, {
    workspace: who.workspace,
    channel,
    projects: projects.map(({ id }) => id),
    stays: (id) => !call.may('manager', id),
    boundBy: who.user,
    boundAt: call.now(),
  });
}
