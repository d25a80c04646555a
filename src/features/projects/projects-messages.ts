import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { renderLead } from '../../posts/post-text.ts';
import { explainNoProject, nameProjects, type ProjectList } from '../../posts/project.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../preferences/project-policy.ts';
import { type AudienceResult, type Guests, isDirectMessage, renderAudience } from '../../slack/audience.ts';
import { buildButtonRow, clipLine, context, escapeText, plainSection, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, paginate, renderPartialNotes } from '../../slack/list-pages.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import {
  buildLoadFailureMessage,
  renderReadFailure,
  type ServiceFailure,
} from '../../slack/service-failure.ts';
import { joinWithAnd, joinWithOr, renderCount } from '../../words.ts';

/** The beginning of the action ids of the list. */
export const PREFIX = 'projects';

/** Maximum projects on a page of the list, and maximum project names in a sentence. */
const MAX_LISTED = 30;

/** Shown for a truncated list if the actor may see no project in the part that was read. */
const NO_VISIBLE_PROJECTS: Message = {
  text: 'I found none of your projects. There are more projects than I could read.',
};

const REVIEW_TEXTS = { off: [], optional: ['optional review'], required: ['required review'] } as const;

/** Renders a policy as the end of a line (plain text); '' for the default. */
function renderPolicy({ leadMinutes, review }: ProjectPolicy = DEFAULT_POLICY): string {
  const parts = [
    ...(leadMinutes === undefined ? [] : [`editable until ${renderLead(leadMinutes)} before`]),
    ...REVIEW_TEXTS[review],
  ];
  return parts.map((part) => ` · ${part}`).join('');
}

export function renderProjectList(
  {
    items,
    isReadable,
    unreadableCount,
    isTruncated,
    unfilteredCount = items.length + unreadableCount,
  }: Records<Project>,
  {
    boundIds,
    policies,
    requestedPage,
  }: {
    boundIds: readonly string[];
    policies: ReadonlyMap<string, ProjectPolicy>;
    requestedPage: number;
  },
): Message {
  if (!isReadable) return { text: renderReadFailure('unreadable', 'projects') };
  if (items.length === 0)
    return isTruncated ? NO_VISIBLE_PROJECTS : { text: explainNoProject({ unfilteredCount }) };
  const page = paginate(items, requestedPage, MAX_LISTED);
  const shownNames = nameProjects(items, LIMITS.optionText);
  const lines = page.items.map(
    (project) =>
      `• ${shownNames[items.indexOf(project)]}${boundIds.includes(project.id) ? '  — followed here' : ''}${renderPolicy(policies.get(project.id))}`,
  );
  const countText = items.length === 1 ? 'One project' : `${items.length} projects${page.titleSuffix}`;
  const readCount = unfilteredCount - unreadableCount;
  const partialNotes = renderPartialNotes(
    { readCount, unreadableCount, isTruncated: isTruncated && unreadableCount === 0 },
    'projects',
  );
  const notes = [
    ...partialNotes,
    ...(items.length > 1 ? ['Choose the projects to follow here with `/upnext use`.'] : []),
    ...(page.items.some(({ id }) => renderPolicy(policies.get(id)) !== '')
      ? ['See how posts are kept and reviewed with `/upnext policy`.']
      : []),
  ];
  return {
    text: `${countText}: ${escapeText(page.items.map(({ name }) => clipLine(name)).join(', '))}`,
    blocks: [
      section(`*${countText}*`),
      plainSection(lines.join('\n')),
      ...(notes.length > 0 ? [context(...notes)] : []),
      ...buildButtonRow(buildPageButtons(PREFIX, page, (number) => ({ page: number }))),
    ],
  };
}

/** Renders a failure to load the projects. Without `retry` there is no [Try again]. */
export function renderLoadFailure(
  failure: ServiceFailure,
  reference: string,
  retry?: { action: string; state: object },
): Message {
  return buildLoadFailureMessage('I couldn’t load the projects.', failure, {
    reference,
    ...(retry && { retry }),
  });
}

export const NO_CHANNEL: Message = {
  text: 'Projects are chosen per channel. Type `/upnext use` in a channel.',
};

function quote(text: string): string {
  return `“${clipLine(text)}”`;
}

/** Renders a list of names, such as "Harbour Coffee, Night Market Books and 3 more". Plain text. */
function renderProjectNames(projects: readonly Project[], join = joinWithAnd): string {
  return joinNames(nameProjects(projects), MAX_LISTED, join);
}

/** Renders a channel's new projects (plain text). `otherProjectCount` counts those that the actor doesn't manage. */
export function renderBinding(
  channel: string,
  projects: readonly Project[],
  {
    audience,
    otherProjectCount,
    ...guests
  }: { audience: AudienceResult; guests: Guests; areKeptOut: boolean; otherProjectCount: number },
): string {
  const isDirect = isDirectMessage(channel);
  const place = isDirect ? 'This conversation' : 'This channel';
  const readers = isDirect
    ? ''
    : `\n${renderAudience(audience, projects.length + otherProjectCount, guests)}`;
  const othersText =
    otherProjectCount === 0
      ? ''
      : ` ${renderCount(otherProjectCount, 'other project stays', 'other projects stay')}, because you don’t manage ${otherProjectCount === 1 ? 'it' : 'them'}.`;
  if (projects.length > 0)
    return `${place} now follows ${renderProjectNames(projects)}.${othersText}${readers}`;
  return otherProjectCount === 0
    ? `${place} no longer follows a project.`
    : `${place} no longer follows your projects.${othersText}`;
}

export function renderBindingMessage(...binding: Parameters<typeof renderBinding>): Message {
  const [, projects] = binding;
  const nextPostText = projects.length === 1 ? 'its next post' : 'the next post of each';
  return buildQuotingMessage(
    renderBinding(...binding),
    projects.length === 0 ? 'Choose one with `/upnext use`.' : `\`/upnext\` shows ${nextPostText}.`,
  );
}

/** Renders the message for a text that matches no project. `text` is '' if the project was chosen in a menu. */
export function renderUnknownProject(text: string, { items, isTruncated }: ProjectList): Message {
  if (isTruncated)
    return buildQuotingMessage(
      `${text === '' ? 'This project' : quote(text)} isn’t among the projects that I could read. Nothing was changed.`,
      'Type `/upnext use` and the project’s full name.',
    );
  const problemText =
    text === '' ? 'I can’t find this project any more.' : `I don’t know the project ${quote(text)}.`;
  const projectsText =
    items.length === 0 ? 'There’s none to choose from.' : `Choose from: ${renderProjectNames(items)}.`;
  return buildQuotingMessage(
    `Nothing was changed: ${problemText} ${projectsText}`,
    'Type `/upnext use` and a name, or only `/upnext use` to choose.',
  );
}

/** Renders the question for a word that also is a project's name. */
export function renderOwnWord(text: string): Message {
  return buildQuotingMessage(
    `${quote(text)} is the name of a project, and also means none. Nothing was changed.`,
    'Choose the project or none below, or type the project’s ID.',
  );
}

export function renderAmbiguousProject(text: string, items: readonly Project[]): Message {
  return buildQuotingMessage(
    `${quote(text)} could be ${renderProjectNames(items, joinWithOr)}. Nothing was changed.`,
    'Type more of the name or the ID, or only `/upnext use` to choose.',
  );
}
