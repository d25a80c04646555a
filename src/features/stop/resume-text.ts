import type { NamedRecord } from '../../forms/field.ts';
import { renderCount } from '../../posts/post-text.ts';
import { nameProjects } from '../../posts/project.ts';
import type { StoppedProject } from '../../posts/stopped-projects.ts';
import { button, clipLine, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { buildQuotingMessage, buildUnavailableMessage, type Message } from '../../slack/message.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';

export const RESUME_ACTIONS = {
  show: 'resume.show',
  more: 'resume.more',
  // A message may not have two buttons with the same action id and block.
  first: 'resume.first',
  confirm: 'resume.confirm',
  discard: 'resume.discard',
  discardAll: 'resume.discard-all',
} as const;

/** Maximum number of posts in a message. A message holds 50 blocks, and a post needs up to three. */
export const MAX_LISTED_POSTS = 10;
/** Maximum number of stopped projects in a message. */
const MAX_LISTED_PROJECTS = 20;

export const NOTHING_STOPPED: Message = { text: 'No project that you manage is stopped.' };
export const OUTDATED = buildUnavailableMessage('Type `/upnext resume` again.');

export function renderStoppedProjects(stoppedProjects: readonly StoppedProject[]): Message {
  const hiddenCount = stoppedProjects.length - MAX_LISTED_PROJECTS;
  const names = nameProjects(stoppedProjects.map(({ project }) => project));
  return {
    text: 'Which project? Type `/upnext resume` and its name.',
    blocks: [
      section('*Which project?*'),
      ...stoppedProjects.slice(0, MAX_LISTED_PROJECTS).map(({ project, stop }, index) => ({
        ...section(`*${escapeText(names[index] ?? '')}*\n${renderStop(stop)}`),
        accessory: button('Resume…', RESUME_ACTIONS.show, project.id),
      })),
      ...(hiddenCount > 0
        ? [context(`…and ${hiddenCount} more. Type \`/upnext resume\` and the name.`)]
        : []),
    ],
  };
}

/** Says that the text after `/upnext resume` names no stopped project. */
export function renderNotStopped(text: string, project: NamedRecord | undefined): Message {
  return project
    ? buildQuotingMessage(`${clipLine(project.name)} isn’t stopped.`)
    : buildQuotingMessage(
        `I know no stopped project “${clipLine(text)}” that you manage.`,
        'Type `/upnext resume` to see which are stopped.',
      );
}

export const ALL_STOPPED = 'An operator has stopped all sending too, so nothing goes out until that ends.';

interface ResumeResult {
  project: NamedRecord;
  waitingCount: number;
  discardedCount: number;
  /** The titles of the posts that somebody changed meanwhile, so that they weren't discarded (plain text). */
  changedTitles: readonly string[];
  /** The number of posts that wait for their authors. */
  keptCount: number;
  isAllStopped: boolean;
}

export function renderResumed(result: ResumeResult): Message {
  const { project, waitingCount, discardedCount, changedTitles, keptCount } = result;
  const lines = [
    ...(waitingCount > 0
      ? [`${renderCount(waitingCount, 'post')} ${waitingCount === 1 ? 'goes' : 'go'} out as planned.`]
      : []),
    ...(discardedCount > 0 ? [`${renderCount(discardedCount, 'post')} discarded.`] : []),
    ...(keptCount > 0
      ? [
          `${renderCount(keptCount, 'post')} ${keptCount === 1 ? 'waits for its author' : 'wait for their authors'}.`,
        ]
      : []),
    ...(result.isAllStopped ? [ALL_STOPPED] : []),
  ];
  const line = `${escapeText(clipLine(project.name))} is resumed.`;
  return {
    text: [line, ...lines].join(' '),
    blocks: [
      section(`:white_check_mark: *${line}*`),
      ...lines.map(section),
      ...(changedTitles.length === 0
        ? []
        : [
            section('Somebody changed these meanwhile, so I didn’t discard them:'),
            ...changedTitles.slice(0, MAX_LISTED_POSTS).map((title) => context(plain(title))),
          ]),
    ],
  };
}

/** Says that a project is no longer stopped, so a press has resumed nothing. It may have discarded posts before. */
export function renderAlreadyResumed(project: NamedRecord, discardedCount = 0): Message {
  const change =
    discardedCount === 0 ? 'Nothing was changed.' : `${renderCount(discardedCount, 'post')} discarded.`;
  return buildQuotingMessage(`${clipLine(project.name)} is no longer stopped. ${change}`);
}
