import type { Project } from '../../api/projects.ts';
import type { ProjectList } from '../../posts/project.ts';
import { type AudienceAnswer, audienceText } from '../../slack/audience.ts';
import { actions, button } from '../../slack/blocks.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import { LISTED, projectName } from './projects-messages.ts';

const NAME = 60;

export const CONFIRM = 'projects.confirm';

export const OUT_OF_DATE: Message = {
  text: 'This button belongs to somebody else, or to a choice that is no longer kept. Type `/upnext use` again.',
};

/** Before an owner lets people of another organisation read along; `id` stands for the choice. */
export function sharedQuestion(projects: readonly Project[], audience: AudienceAnswer, id: string): Message {
  const line = `Shall this channel be about ${projectNames(projects)}? ${audienceText(audience, projects.length)}`;
  const message = quotingMessage(line, 'Nothing was changed yet.');
  const blocks = message.blocks ?? [];
  return { ...message, blocks: [...blocks, actions(button('Choose all the same', CONFIRM, id, 'danger'))] };
}

export const NOT_HERE: Message = {
  text: 'A project is chosen for a channel: type `/upnext use` in the channel that it is for.',
};

function quote(words: string): string {
  return `“${clip(sanitizeLine(words), NAME)}”`;
}

/** Plain text: "Harbour Coffee, Night Market Books and 3 more". */
function projectNames(projects: readonly Project[]): string {
  const names = projects.slice(0, LISTED).map(projectName);
  const rest = projects.length - names.length;
  const last = rest > 0 ? `${rest} more` : names.pop();
  return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

/** Plain text. `others`: how many stay because the person doesn't manage them. */
export function boundWords(projects: readonly Project[], audience: AudienceAnswer, others: number): string {
  const count = others === 1 ? '1 other project stays' : `${others} other projects stay`;
  const stay = others === 0 ? '' : ` ${count}, because you don't manage ${others === 1 ? 'it' : 'them'}.`;
  if (projects.length > 0)
    return `This channel is now about ${projectNames(projects)}.${stay} ${audienceText(audience, projects.length + others)}`;
  return others === 0
    ? 'This channel is no longer about any project.'
    : `This channel is no longer about your projects.${stay}`;
}

export function boundMessage(
  projects: readonly Project[],
  audience: AudienceAnswer,
  others: number,
): Message {
  const next = projects.length === 1 ? 'its next post' : 'the next post of each';
  return quotingMessage(
    boundWords(projects, audience, others),
    projects.length === 0 ? 'Choose one with `/upnext use`.' : `\`/upnext\` shows ${next}.`,
  );
}

export function unknownProject(
  words: string,
  { items, isTruncated, read = items.length }: ProjectList,
): Message {
  if (isTruncated) return unreadProject(words, read);
  const what = words === '' ? 'This project is not there any more.' : `I know no project ${quote(words)}.`;
  const there = items.length === 0 ? 'There is none yet.' : `There is: ${projectNames(items)}.`;
  return quotingMessage(
    `${what} Nothing was changed. ${there}`,
    'Type `/upnext use` and one of these names, or `/upnext use` alone to choose.',
  );
}

function unreadProject(words: string, count: number): Message {
  const which = words === '' ? 'This project' : quote(words);
  return quotingMessage(
    `${which} is not among the first ${count} projects, and I can't read the others. Nothing was changed.`,
    'Type `/upnext use` and the id of the project, or the whole name of one that I read.',
  );
}

export function severalFit(words: string, items: readonly Project[]): Message {
  const fitting = items
    .slice(0, LISTED)
    .map((project) => `${projectName(project)} (${clip(project.id, NAME)})`);
  return quotingMessage(
    `${quote(words)} fits ${fitting.join(', ')}. Nothing was changed.`,
    'Type more of the name, or the id.',
  );
}
