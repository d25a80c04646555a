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
/** Shares in a channel that people of another organisation read, after a warning to an owner. */
export const SHARE_OUTSIDE = 'up-next.share-outside';
/** Opens the form for posts with a copy of this post. */
export const SCHEDULE_AGAIN = 'up-next.again';

const MAX_NAME_LENGTH = 150;

/** The next post of one project, or the reason why there is none to show. */
export type NextPost = { project: Project } & (
  | { kind: 'post'; post: Post; authorName?: string }
  | { kind: 'nothing' }
  | { kind: 'unreadable' }
  | { kind: 'trouble'; trouble: ServiceFailure }
);

/** What a card shows besides the posts. */
interface CardContext {
  now: Date;
  isEmulated: boolean;
  reference: string;
}

/** Ids of direct messages begin with D. Nothing is shared in a direct message. */
export function isDirectMessage(channel: string | undefined): boolean {
  return channel?.startsWith('D') ?? false;
}

/** The button that opens the form for this project. If the project's id is too long for a button, the form asks. */
function renderScheduleButton(text: string, project: Project | undefined) {
  const id = project && project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button(text, SCHEDULE, id);
}

/**
 * The buttons of a card for one person. `cardId` is undefined if the card can't be shared with a channel. `copyId` is
 * the id of the post's stored copy; it is undefined unless the card has exactly one post.
 */
export function renderButtons(
  next: readonly NextPost[],
  { cardId, copyId }: { cardId?: string | undefined; copyId?: string | undefined },
): ActionsBlock {
  const hasPost = next.some(({ kind }) => kind === 'post');
  const [onlyPost] = next.length === 1 ? next : [];
  const canShare = cardId !== undefined && hasPost;
  return actions(
    button('Refresh', REFRESH),
    ...(canShare ? [button('Share with channel', SHARE, cardId)] : []),
    renderScheduleButton(hasPost ? 'Schedule another' : 'Schedule a post', onlyPost?.project),
    ...(copyId === undefined ? [] : [button('Schedule again', SCHEDULE_AGAIN, copyId)]),
  );
}

/** The card without its buttons. */
export function renderCard(
  next: readonly NextPost[],
  cardContext: CardContext,
): Message & { blocks: KnownBlock[] } {
  const [onlyPost] = next;
  if (onlyPost && next.length === 1) return renderSingleCard(onlyPost, cardContext);
  const cards = next.map((item) => renderShortCard(item, cardContext));
  return {
    text: clip(cards.map(({ text }) => text).join('\n'), LIMITS.sectionText),
    blocks: [
      ...cards.flatMap(({ blocks }) => blocks),
      ...(cardContext.isEmulated ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

function renderSingleCard(next: NextPost, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const { project } = next;
  if (next.kind === 'post') {
    // The text was made from the template and the prompt, so their ids are shown only without a text.
    const hasText = (next.post.content ?? '').trim() !== '';
    const post = hasText ? { ...next.post, templateId: undefined, promptId: undefined } : next.post;
    return renderPostCard({
      now: cardContext.now,
      practice: cardContext.isEmulated,
      post,
      title: 'Up next',
      project: project.name,
      authorName: next.authorName,
    });
  }
  const explanation = explainNoPost(next, cardContext);
  const isNothing = next.kind === 'nothing';
  return {
    text: `${escapeText(explanation.line)} ${explanation.more}`,
    blocks: [
      plainSection(explanation.line),
      section(explanation.more),
      ...(isNothing && cardContext.isEmulated ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

/** One of several posts: the project, the date and the beginning of the text. */
function renderShortCard(next: NextPost, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const name = clip(sanitizeLine(next.project.name), MAX_NAME_LENGTH);
  if (next.kind !== 'post') {
    const { line, more } = explainNoPost(next, cardContext);
    return {
      text: escapeText(line),
      blocks: [plainSection(line), ...(next.kind === 'nothing' ? [] : [context(more)])],
    };
  }
  const { post, authorName } = next;
  const when = post.scheduleDate
    ? renderMoment(post.scheduleDate, post.timezone, cardContext.now)
    : 'No date';
  const platforms = renderPlatformNames(post.platforms);
  const excerpt = toExcerpt(post.content ?? '');
  return {
    text: escapeText(`Up next: ${when}, ${name}. ${excerpt}`.trim()),
    blocks: [
      section(`*${escapeText(name)}*\n${escapeText(when)}`),
      ...(excerpt === '' ? [] : [plainSection(excerpt)]),
      context(
        plain(platforms === '' ? 'No platform yet' : platforms),
        ...(authorName ? [plain(`by ${authorName}`)] : []),
      ),
    ],
  };
}

/** Explains why there is no post to show (`line`, plain text) and what to do about it (`more`, mrkdwn). */
function explainNoPost(
  next: Exclude<NextPost, { kind: 'post' }>,
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

export function renderNoProjects(): Message {
  return {
    text: 'There is no project yet. Make one in the scheduling service first; then it shows up here.',
  };
}

/** The list of projects is truncated, and the part that was read has no project that the person may see. */
export function renderNoReadableProjects(): Message {
  return {
    text: 'I can only read the first part of the list of projects, and none in it is yours. Ask a manager to choose the project of this channel with `/upnext use`.',
  };
}

/** No project is preselected, because a wrong one would be worse than a question. */
export function renderProjectChoice(projects: readonly Project[], channel: string | undefined): Message {
  const isDirect = isDirectMessage(channel);
  const text = isDirect ? 'Which project do you want to see here?' : 'Which project is this channel about?';
  const frequencyText = isDirect ? 'It is asked once' : 'It is asked once for each channel';
  return {
    text: `${text} Type /upnext use and the project's name.`,
    blocks: [
      section(`*${text}*\n${frequencyText}; \`/upnext use\` changes it, and takes several.`),
      renderProjectSelect(projects),
    ],
  };
}

export function renderLookUpFailure(trouble: ServiceFailure | 'unreadable', reference: string): Message {
  return buildLoadFailureMessage('I could not look up what is next.', trouble, {
    reference,
    retry: { action: REFRESH, state: {} },
  });
}
