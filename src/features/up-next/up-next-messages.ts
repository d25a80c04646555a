import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderProjectSelect } from '../../posts/project.ts';
import { renderMoment, renderPostCard, toExcerpt } from '../../posts/render-post.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { loadFailureMessage } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { PRACTICE_NOTICE } from '../../slack/practice.ts';
import { type ServiceFailure, serviceFailureText } from '../../slack/service-failure.ts';

export const SCHEDULE = 'up-next.schedule';
export const REFRESH = 'up-next.refresh';
export const SHARE = 'up-next.share';
/** The same where people of another organisation read, once an owner has been told so. */
export const SHARE_OUTSIDE = 'up-next.share-outside';
/** Another post like it. */
export const AGAIN = 'up-next.again';

const NAME = 150;

/** What is next for one project, as far as the service says. */
export type Next = { project: Project } & (
  | { kind: 'post'; post: Post; by?: string }
  | { kind: 'nothing' }
  | { kind: 'unreadable' }
  | { kind: 'trouble'; trouble: ServiceFailure }
);

/** For whom and when it is shown. */
interface Seen {
  now: Date;
  practice: boolean;
  reference: string;
}

/** Its ids begin so; it is shared with nobody. */
export function isDirectMessage(channel: string | undefined): boolean {
  return channel?.startsWith('D') ?? false;
}

/** Opens the form for this project; a project whose id a button cannot carry is chosen in the form. */
function scheduleButton(text: string, project: Project | undefined) {
  const id = project && project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button(text, SCHEDULE, id);
}

/**
 * The buttons of a card for one person. `share` is the id of this card, where there is a channel to share it with;
 * `again` the id of what is kept of the post, where it is one.
 */
export function nextButtons(
  next: readonly Next[],
  { share, again }: { share?: string | undefined; again?: string | undefined },
): ActionsBlock {
  const isSomething = next.some(({ kind }) => kind === 'post');
  const [only] = next.length === 1 ? next : [];
  const canShare = share !== undefined && isSomething;
  return actions(
    button('Refresh', REFRESH),
    ...(canShare ? [button('Share with channel', SHARE, share)] : []),
    scheduleButton(isSomething ? 'Schedule another' : 'Schedule a post', only?.project),
    ...(again === undefined ? [] : [button('Schedule again', AGAIN, again)]),
  );
}

/** What is next, without buttons. */
export function nextCard(next: readonly Next[], seen: Seen): Message & { blocks: KnownBlock[] } {
  const [only] = next;
  if (only && next.length === 1) return oneCard(only, seen);
  const cards = next.map((each) => shortCard(each, seen));
  return {
    text: clip(cards.map(({ text }) => text).join('\n'), LIMITS.sectionText),
    blocks: [...cards.flatMap(({ blocks }) => blocks), ...(seen.practice ? [context(PRACTICE_NOTICE)] : [])],
  };
}

function oneCard(next: Next, seen: Seen): Message & { blocks: KnownBlock[] } {
  const { project } = next;
  if (next.kind === 'post') {
    // The ids of a template and a prompt say nothing to a person who can read the text itself.
    const isWritten = (next.post.content ?? '').trim() !== '';
    const post = isWritten ? { ...next.post, templateId: undefined, promptId: undefined } : next.post;
    return renderPostCard({ ...seen, post, title: 'Up next', project: project.name, authorName: next.by });
  }
  const said = saidInstead(next, seen);
  const isNothing = next.kind === 'nothing';
  return {
    text: `${escapeText(said.line)} ${said.more}`,
    blocks: [
      plainSection(said.line),
      section(said.more),
      ...(isNothing && seen.practice ? [context(PRACTICE_NOTICE)] : []),
    ],
  };
}

/** One of several: the project, the moment, and how the text begins. */
function shortCard(next: Next, seen: Seen): Message & { blocks: KnownBlock[] } {
  const name = clip(sanitizeLine(next.project.name), NAME);
  if (next.kind !== 'post') {
    const { line, more } = saidInstead(next, seen);
    return {
      text: escapeText(line),
      blocks: [plainSection(line), ...(next.kind === 'nothing' ? [] : [context(more)])],
    };
  }
  const { post, by } = next;
  const when = post.scheduleDate ? renderMoment(post.scheduleDate, post.timezone, seen.now) : 'No date';
  const platforms = renderPlatformNames(post.platforms);
  const words = toExcerpt(post.content ?? '');
  return {
    text: escapeText(`Up next: ${when}, ${name}. ${words}`.trim()),
    blocks: [
      section(`*${escapeText(name)}*\n${escapeText(when)}`),
      ...(words === '' ? [] : [plainSection(words)]),
      context(plain(platforms === '' ? 'No platform yet' : platforms), ...(by ? [plain(`by ${by}`)] : [])),
    ],
  };
}

/** Where there is no post to show: plain text, and in mrkdwn what to do. */
function saidInstead(
  next: Exclude<Next, { kind: 'post' }>,
  { reference }: Seen,
): { line: string; more: string } {
  const name = clip(sanitizeLine(next.project.name), NAME);
  switch (next.kind) {
    case 'nothing':
      return {
        line: `Nothing is scheduled for ${name}.`,
        more: 'Type `/schedule-post`, or press the button.',
      };
    case 'unreadable':
      return {
        line: `The scheduling service answered, but I cannot read the next post of ${name}.`,
        more: `Reference: ${reference}`,
      };
    case 'trouble':
      return {
        line: `I could not look up what is next for ${name}.`,
        more: `${serviceFailureText(next.trouble)} Reference: ${reference}`,
      };
  }
}

export function noProjects(): Message {
  return {
    text: 'There is no project yet. Make one in the scheduling service first; then it shows up here.',
  };
}

/** Of a list that goes on, no project is one that the person may see. */
export function noneRead(): Message {
  return {
    text: 'I can only read the first part of the list of projects, and none in it is yours. Ask a manager to choose the project of this channel with `/upnext use`.',
  };
}

/** Nothing is preselected: the wrong project would be worse than a question. */
export function severalProjects(projects: readonly Project[], channel: string | undefined): Message {
  const isDirect = isDirectMessage(channel);
  const text = isDirect ? 'Which project do you want to see here?' : 'Which project is this channel about?';
  const once = isDirect ? 'It is asked once' : 'It is asked once for each channel';
  return {
    text: `${text} Type /upnext use and the project's name.`,
    blocks: [
      section(`*${text}*\n${once}; \`/upnext use\` changes it, and takes several.`),
      renderProjectSelect(projects),
    ],
  };
}

export function noAnswer(trouble: ServiceFailure | 'unreadable', reference: string): Message {
  return loadFailureMessage('I could not look up what is next.', trouble, {
    reference,
    again: { action: REFRESH, state: {} },
  });
}
