import type { Project } from '../../api/projects.ts';
import { renderProjectSelect } from '../../posts/project.ts';
import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { isDirectMessage } from './up-next-messages.ts';

export function renderNoProjects(): Message {
  return {
    text: 'There’s no project yet. Create one in the scheduling service first.',
  };
}

/** Renders the message for a truncated list if the actor may see no project in the part that was read. */
export function renderNoReadableProjects(): Message {
  return {
    text: 'I found none of your projects, but there are more than I can read. Ask a Manager to choose this channel’s project with `/upnext use`.',
  };
}

/** Asks which project the channel is about. None is preselected, because a wrong choice would be worse than none. */
export function renderProjectChoice(projects: readonly Project[], channel: string | undefined): Message {
  const isDirect = isDirectMessage(channel);
  const text = isDirect
    ? 'Which project do you want to see here?'
    : 'Which project should this channel follow?';
  return {
    text: `${text} Type /upnext use and the project’s name.`,
    blocks: [
      section(`*${text}*\nI’ll only ask once. You can change it with \`/upnext use\`.`),
      renderProjectSelect(projects),
    ],
  };
}
