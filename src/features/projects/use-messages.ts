import type { Project } from '../../api/projects.ts';
import type { ProjectList } from '../../posts/project.ts';
import { type AudienceResult, renderAudience } from '../../slack/audience.ts';
import { actions, button, clip, sanitizeLine } from '../../slack/blocks.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { MAX_LISTED, renderProjectName } from './projects-messages.ts';

const MAX_NAME_LENGTH = 60;

export const CONFIRM_ACTION = 'projects.confirm';

export const OUT_OF_DATE: Message = {
  text: 'This button isn’t yours, or it’s too old. Type `/upnext use` again.',
};

/** Asks an owner to confirm the projects of a channel that outsiders read. `id` is the id of the stored choice. */
export function renderConfirmationRequest(
  projects: readonly Project[],
  audience: AudienceResult,
  id: string,
): Message {
  const line = `Should this channel follow ${renderProjectNames(projects)}? ${renderAudience(audience, projects.length)}`;
  const message = buildQuotingMessage(line, 'Nothing has changed yet.');
  const blocks = message.blocks ?? [];
  return { ...message, blocks: [...blocks, actions(button('Use it anyway', CONFIRM_ACTION, id, 'danger'))] };
}

export const NO_CHANNEL: Message = {
  text: 'Projects are chosen per channel. Type `/upnext use` in a channel.',
};

function quote(text: string): string {
  return `“${clip(sanitizeLine(text), MAX_NAME_LENGTH)}”`;
}

/** Renders a list of names, such as "Harbour Coffee, Night Market Books and 3 more". Plain text. */
function renderProjectNames(projects: readonly Project[], conjunction: 'and' | 'or' = 'and'): string {
  const names = projects.slice(0, MAX_LISTED).map(renderProjectName);
  const hiddenCount = projects.length - names.length;
  const lastText = hiddenCount > 0 ? `${hiddenCount} more` : names.pop();
  return names.length === 0 ? (lastText ?? '') : `${names.join(', ')} ${conjunction} ${lastText}`;
}

/** Renders a channel's new projects (plain text). `otherProjectCount` counts those that the actor doesn't manage. */
export function renderBinding(
  projects: readonly Project[],
  audience: AudienceResult,
  otherProjectCount: number,
): string {
  const countText =
    otherProjectCount === 1 ? '1 other project stays' : `${otherProjectCount} other projects stay`;
  const othersText =
    otherProjectCount === 0
      ? ''
      : ` ${countText}, because you don’t manage ${otherProjectCount === 1 ? 'it' : 'them'}.`;
  if (projects.length > 0)
    return `This channel now follows ${renderProjectNames(projects)}.${othersText}\n${renderAudience(audience, projects.length + otherProjectCount)}`;
  return otherProjectCount === 0
    ? 'This channel no longer follows a project.'
    : `This channel no longer follows your projects.${othersText}`;
}

export function renderBindingMessage(
  projects: readonly Project[],
  audience: AudienceResult,
  otherProjectCount: number,
): Message {
  const nextPostText = projects.length === 1 ? 'its next post' : 'the next post of each';
  return buildQuotingMessage(
    renderBinding(projects, audience, otherProjectCount),
    projects.length === 0 ? 'Choose one with `/upnext use`.' : `\`/upnext\` shows ${nextPostText}.`,
  );
}

/** Renders the message for a text that matches no project. `text` is '' if the project was chosen in a menu. */
export function renderUnknownProject(
  text: string,
  { items, isTruncated, unfilteredCount = items.length }: ProjectList,
): Message {
  if (isTruncated) return renderUnreadProject(text, unfilteredCount);
  const problemText =
    text === '' ? 'this project no longer exists.' : `I don’t know the project ${quote(text)}.`;
  const projectsText =
    items.length === 0 ? 'There’s none yet.' : `Choose from: ${renderProjectNames(items)}.`;
  return buildQuotingMessage(
    `Nothing was changed: ${problemText} ${projectsText}`,
    'Type `/upnext use` and a name, or only `/upnext use` to choose.',
  );
}

/** Renders the message for a project that isn't in the first part of a truncated list, the only part that was read. */
function renderUnreadProject(text: string, count: number): Message {
  const subject = text === '' ? 'This project' : quote(text);
  return buildQuotingMessage(
    `${subject} isn’t among the first ${count} projects, and I can’t read the others. Nothing was changed.`,
    'Type `/upnext use` and the project’s full name.',
  );
}

export function renderAmbiguousProject(text: string, items: readonly Project[]): Message {
  return buildQuotingMessage(
    `${quote(text)} could be ${renderProjectNames(items, 'or')}. Nothing was changed.`,
    'Type more of the name, or only `/upnext use` to choose.',
  );
}
