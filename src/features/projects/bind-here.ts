import type { Project } from '../../api/projects.ts';
import type { Call } from '../../slack/feature.ts';
import { bindProjects, boundProjects } from '../../store/bindings.ts';
import type { Parts } from '../../submissions/parts.ts';
import type { Audience } from './audience.ts';

/**
 * From now on the channel is about these. What people of another organisation read, an owner has to choose. Projects
 * of the channel's that the person may not choose stay.
 */
export async function bindHere(
  call: Call<Parts>,
  wanted: { channel: string; audience: Audience | undefined; projects: readonly Project[] },
): Promise<void> {
  const { parts, who } = call;
  const { channel, audience, projects } = wanted;
  // Who reads a channel that the bot is not in, nobody says.
  const isOwners = projects.length > 0 && audience?.isShared !== false;
  const role = isOwners ? 'owner' : 'manager';
  const because = audience?.isShared
    ? 'This channel is shared with another organisation, so its project is chosen by an owner.'
    : 'Slack does not let me see who reads this channel, so its project is chosen by an owner; or invite me with `/invite @Upnext`.';
  for (const { id } of projects) {
    await call.permit(role, isOwners ? undefined : id, 'projects use', isOwners ? because : undefined);
  }
  const before = await boundProjects(parts.db, { workspace: who.workspace, channel });
  const others = before.filter((id) => !call.may('manager', id));
  await bindProjects(parts.db, {
    workspace: who.workspace,
    channel,
    projects: [...projects.map(({ id }) => id), ...others],
    boundBy: who.user,
    boundAt: call.now(),
  });
}
