import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { chooseProject } from '../../posts/project.ts';
import { context, quoted, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, tame } from '../../slack/escape.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import { type ServiceTrouble, troubleWords } from '../../slack/service-trouble.ts';

/** More would be a wall; the others are found by name. */
const LISTED = 30;
const NAME = 60;

function name(project: Project): string {
  return clip(tame(project.name), NAME);
}

function quote(words: string): string {
  return `“${clip(tame(words), NAME)}”`;
}

export function projectList(
  { items, shape, unreadable }: Records<Project>,
  chosen: string | undefined,
): Message {
  if (shape === 'unreadable')
    return { text: 'The scheduling service answered, but I cannot read its projects.' };
  if (items.length === 0)
    return { text: 'There is no project yet. Make one in the scheduling service first.' };
  const lines = items
    .slice(0, LISTED)
    .map((project) => `• ${name(project)}${project.id === chosen ? '  — this channel' : ''}`);
  const rest = items.length - lines.length;
  const notes = [
    ...(rest > 0 ? [`…and ${rest} more.`] : []),
    ...(unreadable > 0 ? [`${unreadable} more could not be read.`] : []),
    ...(items.length > 1 ? ["`/upnext use <project>` chooses this channel's project."] : []),
  ];
  return {
    text: `${items.length === 1 ? 'One project' : `${items.length} projects`}: ${escapeText(items.slice(0, LISTED).map(name).join(', '))}`,
    blocks: [
      section('*Projects*'),
      quoted(lines.join('\n')),
      ...(notes.length > 0 ? [context(...notes)] : []),
    ],
  };
}

export function useWhich(items: readonly Project[]): Message {
  if (items.length === 0)
    return { text: 'There is no project yet. Make one in the scheduling service first.' };
  const text = 'Which project is this channel about?';
  return {
    text: `${text} Type /upnext use and its name.`,
    blocks: [section(`*${text}*`), chooseProject(items)],
  };
}

export function bound(project: Project): Message {
  return quotingMessage(`This channel is now about ${name(project)}.`, '`/upnext` shows its next post.');
}

export function unknownProject(words: string, items: readonly Project[]): Message {
  const what = words === '' ? 'This project is not there any more.' : `I know no project ${quote(words)}.`;
  const there = items.slice(0, LISTED).map(name).join(', ');
  return quotingMessage(
    `${what} Nothing was changed. ${there === '' ? 'There is none yet.' : `There is: ${there}.`}`,
  );
}

export function severalFit(words: string, items: readonly Project[]): Message {
  const fitting = items.slice(0, LISTED).map((project) => `${name(project)} (${clip(project.id, NAME)})`);
  return quotingMessage(
    `${quote(words)} fits ${fitting.join(', ')}. Nothing was changed. Type more of the name, or the id.`,
  );
}

export function notListed(trouble: ServiceTrouble, reference: string): Message {
  return {
    text: `I could not get the projects. ${troubleWords(trouble)} Nothing was changed. Reference: ${reference}`,
  };
}

export function notHere(): Message {
  return { text: 'A project is chosen for a channel: type `/upnext use` in the channel that it is for.' };
}
