import type { Role } from '../../access/roles.ts';
import { getUpnextPost } from '../../api/dashboard.ts';
import { listProjects, type Project } from '../../api/projects.ts';
import { channelProject } from '../../posts/project.ts';
import type { ActionCall, Call, Feature } from '../../slack/feature.ts';
import { boundProject } from '../../store/bindings.ts';
import type { Parts } from '../../submissions/parts.ts';
import {
  noProjects,
  nothingNext,
  SCHEDULE,
  severalProjects,
  troubleMessage,
  unreadable,
  upNextCard,
} from './up-next-messages.ts';

/** The next post of the channel's project. */
export const upNext: Feature<Parts, Role> = {
  name: 'up-next',
  commands: [
    {
      name: 'next',
      aliases: ['up', 'upcoming'],
      summary: 'The next post to go out',
      usage: '',
      examples: ['/upnext', '/upnext next'],
      run: (call) => showNext(call, { replace: false }),
    },
  ],
  role: () => 'viewer',
  open: (call) => showNext(call, { replace: true }),
  actions: {
    [SCHEDULE]: (call: ActionCall<Parts>) =>
      call.open('schedule-post', { ...(call.action.value !== undefined && { project: call.action.value }) }),
  },
};

async function showNext(call: Call<Parts>, how: { replace: boolean }): Promise<void> {
  const { parts, who, reference } = call;
  const [outcome, bound] = await Promise.all([
    listProjects(parts.api),
    boundProject(parts.db, { workspace: who.workspace, channel: call.channel }),
  ]);
  if (outcome.kind !== 'done') return call.reply(troubleMessage(outcome, reference), how);
  if (outcome.data.shape === 'unreadable') return call.reply(unreadable('its projects', reference), how);
  const found = channelProject(outcome.data.items, bound);
  if (found.kind === 'none') return call.reply(noProjects(), how);
  if (found.kind === 'several') return call.reply(severalProjects(found.projects), how);
  return showNextOf(call, found.project, how);
}

async function showNextOf(call: Call<Parts>, project: Project, how: { replace: boolean }): Promise<void> {
  const outcome = await getUpnextPost(call.parts.api, project.id);
  if (outcome.kind !== 'done') return call.reply(troubleMessage(outcome, call.reference, project), how);
  const { post, shape } = outcome.data;
  if (shape === 'unreadable')
    return call.reply(unreadable(`the next post of ${project.name}`, call.reference), how);
  const { practice } = call.parts;
  const message = post
    ? upNextCard({ post, project, now: call.now(), practice })
    : nothingNext(project, practice);
  return call.reply(message, how);
}
