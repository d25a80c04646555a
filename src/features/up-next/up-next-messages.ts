import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { HeldInfo } from '../../held-posts/listed-posts.ts';
import { buildHeldPostAction, buildHeldPostValue } from '../../held-posts/text/held-post-buttons.ts';
import { type PostAuthor, renderPostCard, renderPostRow } from '../../posts/post-card.ts';
import { toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, renderSameTimeNote, type Viewers } from '../../posts/post-time.ts';
import {
  buildCardActions,
  button,
  clip,
  clipLine,
  context,
  divider,
  escapeText,
  plainSection,
  section,
} from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Message, renderReference } from '../../slack/message.ts';
import {
  buildLoadFailureMessage,
  renderReadFailure,
  type ServiceFailure,
} from '../../slack/service-failure.ts';

export const SCHEDULE_ACTION = 'up-next.schedule';

export const REFRESH_ACTION = 'up-next.refresh';

export const SHARE_ACTION = 'up-next.share';

/** Action id of sharing in a channel that people of another organisation read, after a warning to an owner. */
export const CONFIRM_SHARE_OUTSIDE_ACTION = 'up-next.share-outside';

/** Action id of [Duplicate], which opens the post form with a copy of this post. */
export const DUPLICATE_ACTION = 'up-next.again';

const MAX_NAME_LENGTH = 150;
/** The next post of one project, or the reason why there is none to show. */
export type NextPost = { project: Project } & (
  | {
      kind: 'post';
      post: Post;
      author?: PostAuthor | undefined;
      /** Number of other posts of the project in the same minute. */
      sameTimeCount: number;
      /** Set if Upnext keeps the post. */
      held?: HeldInfo | undefined;
      /** Set if the service's posts couldn't be read. One of them may be sooner. */
      failure?: ServiceFailure | 'unreadable' | undefined;
    }
  | { kind: 'nothing' }
  | { kind: 'unreadable' }
  | { kind: 'failed'; failure: ServiceFailure }
);

type CardContext = { now: Date; viewers: Viewers; reference: string };

/** Renders the button that opens the form for a project. If the id is too long for a button, the form asks for it. */
function renderScheduleButton(text: string, project: Project | undefined) {
  const id = project && project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button(text, SCHEDULE_ACTION, id);
}

/**
 * Renders the buttons of a card for one person. `cardId` is undefined if the card can't be shared with a channel.
 * `copyId` is the id of the post's stored copy; it is undefined unless the card has exactly one post.
 */
export function renderButtons(
  nextPosts: readonly NextPost[],
  { cardId, copyId }: { cardId?: string | undefined; copyId?: string | undefined },
): ActionsBlock[] {
  const hasPost = nextPosts.some(({ kind }) => kind === 'post');
  const [onlyNextPost] = nextPosts.length === 1 ? nextPosts : [];
  const canShare = cardId !== undefined && hasPost;
  const held = onlyNextPost?.kind === 'post' ? onlyNextPost.held : undefined;
  return buildCardActions('up-next', [
    ...(held ? [button('Edit', buildHeldPostAction('edit'), buildHeldPostValue(held))] : []),
    ...(canShare ? [button('Share with channel', SHARE_ACTION, cardId)] : []),
    renderScheduleButton(hasPost ? 'New post' : 'Schedule a post', onlyNextPost?.project),
    button('Refresh', REFRESH_ACTION),
    ...(copyId === undefined ? [] : [button('Duplicate', DUPLICATE_ACTION, copyId)]),
  ]);
}

/** Renders the card without its buttons. */
export function renderCard(
  nextPosts: readonly NextPost[],
  cardContext: CardContext,
): Message & { blocks: KnownBlock[] } {
  const [onlyNextPost] = nextPosts;
  if (onlyNextPost && nextPosts.length === 1) return renderSingleCard(onlyNextPost, cardContext);
  const cards = nextPosts.map((item) => renderShortCard(item, cardContext));
  return {
    text: clip(cards.map(({ text }) => text).join('\n'), LIMITS.sectionText),
    blocks: [...cards.flatMap(({ blocks }, index) => [...(index > 0 ? [divider()] : []), ...blocks])],
  };
}

function renderSingleCard(nextPost: NextPost, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const { project } = nextPost;
  if (nextPost.kind === 'post') {
    const card = renderPostCard({
      ...renderShownPost(nextPost, cardContext),
      title: 'Up next',
      project: project.name,
    });
    return { ...card, blocks: [...card.blocks, ...renderUnreadNote(nextPost)] };
  }
  const { line, details, referenceText } = explainNoPost(nextPost, cardContext);
  return {
    text: [escapeText(line), details, referenceText].filter(Boolean).join(' '),
    blocks: [
      plainSection(line),
      section(details),
      ...(referenceText === undefined ? [] : [context(referenceText)]),
    ],
  };
}

function renderShortCard(nextPost: NextPost, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const name = clipLine(nextPost.project.name, MAX_NAME_LENGTH);
  if (nextPost.kind !== 'post') {
    const { line, details, referenceText } = explainNoPost(nextPost, cardContext);
    return {
      text: escapeText(line),
      blocks: [plainSection(line), ...(referenceText === undefined ? [] : [context(details, referenceText)])],
    };
  }
  const { post } = nextPost;
  const { now, viewers } = cardContext;
  const time =
    post.scheduleDate && renderPostTime({ instant: post.scheduleDate, zone: post.timezone }, viewers, now);
  return {
    text: escapeText(
      `Up next: ${time?.plain ?? 'No date'}, ${name}. ${toExcerpt(post.content ?? '')}`.trim(),
    ),
    blocks: [
      renderPostRow({
        ...renderShownPost(nextPost, cardContext),
        project: name,
        heading: { status: 'SCHEDULED' },
      }),
      ...renderUnreadNote(nextPost),
    ],
  };
}

/** Says that only held posts are known. */
function renderUnreadNote({ failure }: Extract<NextPost, { kind: 'post' }>): KnownBlock[] {
  const note = 'I couldn’t load the service’s posts, so another one may be sooner.';
  return failure ? [context(`${note} ${renderReadFailure(failure)}`)] : [];
}

function renderShownPost(
  { post, author, sameTimeCount, held }: Extract<NextPost, { kind: 'post' }>,
  { now, viewers }: CardContext,
) {
  return {
    post,
    author,
    now,
    viewers,
    facts: held?.facts,
    statusNotes: renderSameTimeNote(sameTimeCount),
  };
}

/** Explains why there is no post to show. `line` is plain text. `details`: the reason or what to do (mrkdwn). */
function explainNoPost(
  nextPost: Exclude<NextPost, { kind: 'post' }>,
  { reference }: CardContext,
): { line: string; details: string; referenceText?: string } {
  const name = clipLine(nextPost.project.name, MAX_NAME_LENGTH);
  if (nextPost.kind === 'nothing')
    return {
      line: `Nothing is scheduled for ${name}.`,
      details: 'Schedule one with `/schedule-post` or the button.',
    };
  return {
    line: `I couldn’t load the next post of ${name}.`,
    details: renderReadFailure(nextPost.kind === 'failed' ? nextPost.failure : 'unreadable'),
    referenceText: renderReference(reference),
  };
}

export function renderLoadFailure(failure: ServiceFailure | 'unreadable', reference: string): Message {
  return buildLoadFailureMessage('I couldn’t load the next post.', failure, {
    reference,
    retry: { action: REFRESH_ACTION, state: {} },
  });
}
