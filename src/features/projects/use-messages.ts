import type { Project } from '../../api/projects.ts';
import type { ProjectList } from '../../posts/project.ts';
import { type AudienceResult, renderAudience } from '../../slack/audience.ts';
import { actions, button } from '../../slack/blocks.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { MAX_LISTED, projectName } from './projects-messages.ts';

const MAX_NAME_LENGTH = 60;

export const CONFIRM = 'projects.confirm';

export const OUT_OF_DATE: Message = {
  text: 'This button belongs to somebody else, or to a choice that is no longer kept. Type `/upnext use` again.',
};

/** Asks an owner to confirm a choice that people of another organisation can read. `id` is the stored choice's. */
export function sharedQuestion(projects: readonly Project[], audience: AudienceResult, id: string): Message {
  const line = `Shall this channel be about ${projectNames(projects)}? ${renderAudience(audience, projects.length)}`;
  const message = buildQuotingMessage(line, 'Nothing was changed yet.');
  const blocks = message.blocks ?? [];
  return { ...message, blocks: [...blocks, actions(button('Choose all the same', CONFIRM, id, 'danger'))] };
}

export const NOT_HERE: Message = {
  text: 'A project is chosen for a channel: type `/upnext use` in the channel that it is for.',
};

function quote(words: string): string {
  return `“${clip(sanitizeLine(words), MAX_NAME_LENGTH)}”`;
}

/** Plain text: "Harbour Coffee, Night Market Books and 3 more". */
function projectNames(projects: readonly Project[]): string {
  const names = projects.slice(0, MAX_LISTED).map(projectName);
  const rest = projects.length - names.length;
  const last = rest > 0 ? `${rest} more` : names.pop();
  return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

/** Plain text. `others` is the number of projects that stay bound because the person doesn't manage them. */
export function boundText(projects: readonly Project[], audience: AudienceResult, others: number): string {
  const count = others === 1 ? '1 other project stays' : `${others} other projects stay`;
  const stay = others === 0 ? '' : ` ${count}, because you don't manage ${others === 1 ? 'it' : 'them'}.`;
  if (projects.length > 0)
    return `This channel is now about ${projectNames(projects)}.${stay} ${renderAudience(audience, projects.length + others)}`;
  return others === 0
    ? 'This channel is no longer about any project.'
    : `This channel is no longer about your projects.${stay}`;
}

export function boundMessage(
  projects: readonly Project[],
  audience: AudienceResult,
  others: number,
): Message {
  const next = projects.length === 1 ? 'its next post' : 'the next post of each';
  return buildQuotingMessage(
    boundText(projects, audience, others),
    projects.length === 0 ? 'Choose one with `/upnext use`.' : `\`/upnext\` shows ${next}.`,
  );
}

export function unknownProject(
  words: string,
  { items, isTruncated, unfilteredCount: read = items.length }: ProjectList,
): Message {
  if (isTruncated) return unreadProject(words, read);
  const what = words === '' ? 'This project is not there any more.' : `I know no project ${quote(words)}.`;
  const existing = items.length === 0 ? 'There is none yet.' : `There is: ${projectNames(items)}.`;
  return buildQuotingMessage(
    `${what} Nothing was changed. ${existing}`,
    'Type `/upnext use` and one of these names, or `/upnext use` alone to choose.',
  );
}

function unreadProject(words: string, count: number): Message {
  const which = words === '' ? 'This project' : quote(words);
  return buildQuotingMessage(
    `${which} is not among the first ${count} projects, and I can't read the others. Nothing was changed.`,
    'Type `/upnext use` and the id of the project, or the whole name of one that I read.',
  );
}

export function severalFit(words: string, items: readonly Project[]): Message {
  const matches = items
    .slice(0, MAX_LISTED)
    .map((project) => `${projectName(project)} (${clip(project.id, MAX_NAME_LENGTH)})`);
  return buildQuotingMessage(
    `${quote(words)} fits ${matches.join(', ')}. Nothing was changed.`,
    'Type more of the name, or the id.',
  );
}
