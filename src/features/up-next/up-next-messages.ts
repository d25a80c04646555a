import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderProjectSelect } from '../../posts/project.ts';
import { renderMoment, renderPostCard, toExcerpt } from '../../posts/render-post.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../slack/emulator-notice.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildLoadFailureMessage } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { renderServiceFailure, type ServiceFailure } from '../../slack/service-failure.ts';

export const SCHEDULE = 'up-next.schedule';
export const REFRESH = 'up-next.refresh';
export const SHARE = 'up-next.share';
/** Shares although people of another organisation read the channel, after an owner was warned about that. */
export const SHARE_OUTSIDE = 'up-next.share-outside';
/** Schedules another post like this one. */
export const AGAIN = 'up-next.again';

const MAX_NAME_LENGTH = 150;

/** The next post of one project, or why there is none to show. */
export type Next = { project: Project } & (
  | { kind: 'post'; post: Post; by?: string }
  | { kind: 'nothing' }
  | { kind: 'unreadable' }
  | { kind: 'trouble'; trouble: ServiceFailure }
);

/** What a card shows besides the posts. */
interface CardContext {
  now: Date;
  practice: boolean;
  reference: string;
}

/** Ids of direct messages begin with D. Nothing is shared in a direct message. */
export function isDirectMessage(channel: string | undefined): boolean {
  return channel?.startsWith('D') ?? false;
}

/** Opens the form for this project. If the project's id is too long for a button, the person chooses it in the form. */
function scheduleButton(text: string, project: Project | undefined) {
  const id = project && project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button(text, SCHEDULE, id);
}

/**
 * The buttons of a card for one person. `share` is the id of the card if there is a channel to share it with; `again`
 * is the id of the stored copy if the card has exactly one post.
 */
export function nextButtons(
  next: readonly Next[],
  { share, again }: { share?: string | undefined; again?: string | undefined },
): ActionsBlock {
  const hasPost = next.some(({ kind }) => kind === 'post');
  const [only] = next.length === 1 ? next : [];
  const canShare = share !== undefined && hasPost;
  return actions(
    button('Refresh', REFRESH),
    ...(canShare ? [button('Share with channel', SHARE, share)] : []),
    scheduleButton(hasPost ? 'Schedule another' : 'Schedule a post', only?.project),
    ...(again === undefined ? [] : [button('Schedule again', AGAIN, again)]),
  );
}

/** The card without its buttons. */
export function nextCard(
  next: readonly Next[],
  cardContext: CardContext,
): Message & { blocks: KnownBlock[] } {
  const [only] = next;
  if (only && next.length === 1) return oneCard(only, cardContext);
  const cards = next.map((each) => shortCard(each, cardContext));
  return {
    text: clip(cards.map(({ text }) => text).join('\n'), LIMITS.sectionText),
    blocks: [
      ...cards.flatMap(({ blocks }) => blocks),
      ...(cardContext.practice ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

function oneCard(next: Next, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const { project } = next;
  if (next.kind === 'post') {
    // The ids of the template and the prompt add nothing for a person who can read the text.
    const isWritten = (next.post.content ?? '').trim() !== '';
    const post = isWritten ? { ...next.post, templateId: undefined, promptId: undefined } : next.post;
    return renderPostCard({
      ...cardContext,
      post,
      title: 'Up next',
      project: project.name,
      authorName: next.by,
    });
  }
  const instead = noPostText(next, cardContext);
  const isNothing = next.kind === 'nothing';
  return {
    text: `${escapeText(instead.line)} ${instead.more}`,
    blocks: [
      plainSection(instead.line),
      section(instead.more),
      ...(isNothing && cardContext.practice ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

/** One of several posts: the project, the date and the beginning of the text. */
function shortCard(next: Next, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const name = clip(sanitizeLine(next.project.name), MAX_NAME_LENGTH);
  if (next.kind !== 'post') {
    const { line, more } = noPostText(next, cardContext);
    return {
      text: escapeText(line),
      blocks: [plainSection(line), ...(next.kind === 'nothing' ? [] : [context(more)])],
    };
  }
  const { post, by } = next;
  const when = post.scheduleDate
    ? renderMoment(post.scheduleDate, post.timezone, cardContext.now)
    : 'No date';
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

/** Why there is no post to show (`line`, plain text), and what to do (`more`, mrkdwn). */
function noPostText(
  next: Exclude<Next, { kind: 'post' }>,
  { reference }: CardContext,
): { line: string; more: string } {
  const name = clip(sanitizeLine(next.project.name), MAX_NAME_LENGTH);
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
        more: `${renderServiceFailure(next.trouble)} Reference: ${reference}`,
      };
  }
}

export function noProjectsMessage(): Message {
  return {
    text: 'There is no project yet. Make one in the scheduling service first; then it shows up here.',
  };
}

/** The list of projects is truncated, and the part that was read has no project that the person may see. */
export function noReadableProjectsMessage(): Message {
  return {
    text: 'I can only read the first part of the list of projects, and none in it is yours. Ask a manager to choose the project of this channel with `/upnext use`.',
  };
}

/** No project is preselected, because a wrong one would be worse than a question. */
export function chooseProjectMessage(projects: readonly Project[], channel: string | undefined): Message {
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

export function lookUpFailedMessage(trouble: ServiceFailure | 'unreadable', reference: string): Message {
  return buildLoadFailureMessage('I could not look up what is next.', trouble, {
    reference,
    retry: { action: REFRESH, state: {} },
  });
}
