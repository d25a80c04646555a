import type { Role } from '../../access/roles.ts';
import { listProjects, type Project } from '../../api/projects.ts';
import { CHOOSE_PROJECT } from '../../posts/project.ts';
import type { ActionCall, Attempt, Call, CommandCall, Feature } from '../../slack/feature.ts';
import type { Message } from '../../slack/message.ts';
import { bindProject, boundProject } from '../../store/bindings.ts';
import type { Parts } from '../../submissions/parts.ts';
import { findProject } from './find-project.ts';
import {
  bound,
  notHere,
  notListed,
  projectList,
  severalFit,
  unknownProject,
  useWhich,
} from './projects-messages.ts';

/** The projects that there are, and which of them a channel is about. */
export const projects: Feature<Parts, Role> = {
  name: 'projects',
  commands: [
    {
      name: 'projects',
      aliases: ['project'],
      summary: 'The projects, and the one that this channel is about',
      usage: '',
      examples: ['/upnext projects'],
      run: listThem,
    },
    {
      name: 'use',
      aliases: [],
      summary: "Choose this channel's project",
      usage: '<project>',
      examples: ['/upnext use Harbour Coffee'],
      run: use,
    },
  ],
  role: roleFor,
  actions: { [CHOOSE_PROJECT]: choose },
};

/** Looking is for everybody who may look; which project a channel is about is for those who run it. */
function roleFor(attempt: Attempt): Role {
  return attempt.surface === 'command' ? 'viewer' : 'manager';
}

async function listThem(call: CommandCall<Parts>): Promise<void> {
  const { parts, who, channel } = call;
  const [outcome, chosen] = await Promise.all([
    listProjects(parts.api),
    boundProject(parts.db, { workspace: who.workspace, channel }),
  ]);
  if (outcome.kind !== 'done') return call.reply(notListed(outcome, call.reference));
  await call.reply(projectList(outcome.data, chosen));
}

/** `/upnext use <project>`, by name or id. */
async function use(call: CommandCall<Parts>): Promise<void> {
  const outcome = await listProjects(call.parts.api);
  if (outcome.kind !== 'done') return call.reply(notListed(outcome, call.reference));
  const { items } = outcome.data;
  if (call.words === '') return call.reply(useWhich(items));
  const found = findProject(call.words, items);
  if (found.length > 1) return call.reply(severalFit(call.words, found));
  const [project] = found;
  if (!project) return call.reply(unknownProject(call.words, items));
  await call.reply(await bindTo(call, project));
}

/** The select that `/upnext` offers where nobody has chosen yet. */
async function choose(call: ActionCall<Parts>): Promise<void> {
  const outcome = await listProjects(call.parts.api);
  if (outcome.kind !== 'done') return call.reply(notListed(outcome, call.reference));
  const project = outcome.data.items.find(({ id }) => id === call.action.chosen);
  if (!project) return call.reply(unknownProject('', outcome.data.items));
  const message = await bindTo(call, project);
  if (call.channel === undefined) return call.reply(message, { replace: true });
  // Who was asked wanted to see what is next; the card, in the question's place, names the project.
  return call.open('up-next', {});
}

async function bindTo({ parts, who, channel, now }: Call<Parts>, project: Project): Promise<Message> {
  if (channel === undefined) return notHere();
  await bindProject(parts.db, {
    workspace: who.workspace,
    channel,
    project: project.id,
    boundBy: who.user,
    boundAt: now(),
  });
  return bound(project);
}
