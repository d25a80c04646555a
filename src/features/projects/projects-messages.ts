import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { actions, button, context, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { renderTruncationNotice } from '../../slack/list-pages.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { renderServiceFailure, type ServiceFailure } from '../../slack/service-failure.ts';

export const PREVIOUS = 'projects.previous';
export const NEXT = 'projects.next';

/** So many on a page, and named where others are listed in a sentence. */
export const LISTED = 30;
const NAME = 60;

const NO_PROJECTS: Message = {
  text: 'There is no project yet. Make one in the scheduling service first.',
};

/** Of a list that goes on, no project is one that the person may see. */
const NONE_READ: Message = {
  text: 'There are more projects than I can read, and none of those that I read is yours.',
};

export function projectName(project: Project): string {
  return clip(sanitizeLine(project.name), NAME);
}

/** One page of them; those that the channel is about are marked. */
export function projectList(
  {
    items,
    shape,
    unreadable,
    isTruncated,
    unfilteredCount: read = items.length + unreadable,
  }: Records<Project>,
  bound: readonly string[],
  wanted: number,
): Message {
  if (shape === 'unreadable')
    return { text: 'The scheduling service answered, but I cannot read its projects.' };
  if (items.length === 0) return isTruncated ? NONE_READ : NO_PROJECTS;
  const pages = Math.ceil(items.length / LISTED);
  const page = Math.min(Math.max(wanted, 0), pages - 1);
  const shown = items.slice(page * LISTED, (page + 1) * LISTED);
  const lines = shown.map(
    (project) => `• ${projectName(project)}${bound.includes(project.id) ? '  — this channel' : ''}`,
  );
  const where = pages === 1 ? '' : `, ${page * LISTED + 1} to ${page * LISTED + shown.length}`;
  const count = items.length === 1 ? 'One project' : `${items.length} projects${where}`;
  const notes = [
    ...(unreadable > 0 ? [`${unreadable} more could not be read.`] : []),
    ...(isTruncated ? [renderTruncationNotice(read, 'projects')] : []),
    ...(items.length > 1
      ? ['`/upnext use` chooses what this channel is about: one project or several.']
      : []),
  ];
  const turns = [
    ...(page > 0 ? [button('Previous', PREVIOUS, String(page - 1))] : []),
    ...(page < pages - 1 ? [button('Next', NEXT, String(page + 1))] : []),
  ];
  return {
    text: `${count}: ${escapeText(shown.map(projectName).join(', '))}`,
    blocks: [
      section(`*${count}*`),
      plainSection(lines.join('\n')),
      ...(notes.length > 0 ? [context(...notes)] : []),
      ...(turns.length > 0 ? [actions(...turns)] : []),
    ],
  };
}

/** `page`: which is tried again; absent where something else was wanted than the list. */
export function notListed(trouble: ServiceFailure, reference: string, page?: number): Message {
  const { text, blocks = [] } = buildQuotingMessage(
    'I could not get the projects.',
    `${renderServiceFailure(trouble)} Nothing was changed. Reference: ${reference}`,
  );
  const again = page === undefined ? [] : [actions(button('Try again', NEXT, String(page)))];
  return { text, blocks: [...blocks, ...again] };
}
