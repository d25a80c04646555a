import type { KnownBlock } from '@slack/types';
import type { Post } from '../api/posts.ts';
import { describePost } from '../posts/describe-post.ts';
import { renderPlatformNames } from '../posts/platforms.ts';
import { renderPostRow } from '../posts/post-card.ts';
import { renderExcerpt } from '../posts/post-text.ts';
import { renderPostTime } from '../posts/post-time.ts';
import { actions, button, clipLine, context, escapeText, plain, section } from '../slack/blocks.ts';
import type { Message } from '../slack/message.ts';
import type { ReportedState } from './publication.ts';

/** Action ids of the buttons in notifications. A button's value is the id of the post's submission. */
export const OPEN_POSTS = 'notifications.posts';
export const DUPLICATE = 'notifications.duplicate';

export interface ReportedPost {
  id: string;
  publishAt: Date;
  /** The key of the post that it is a part of. */
  whole?: string;
  project?: string | undefined;
  /** Undefined after the content was deleted, which happens if the post was scheduled long ago. */
  post?: Post | undefined;
  /** Why it failed, in the service's words. Undefined if that couldn't be found out. */
  reason?: string | undefined;
}

/** Maximum number of posts in a message. Slack allows 50 blocks and about 10,000 characters in a message. */
const MAX_POSTS = 14;

/** Maximum length of a project's name in the row of a post. */
const MAX_NAME_LENGTH = 80;

/** Maximum length of a reason in characters, so that the longest message is accepted. */
const MAX_REASON_LENGTH = 200;

/** What to do (mrkdwn). */
const ADVICE: Partial<Record<ReportedState, string>> = {
  failed: 'Choose another time, and I’ll schedule a copy.',
  late: 'Check in the service before you schedule a copy.',
  unclear: 'Check in the service before you schedule a copy.',
};

/** Renders the notification about posts of one author that have reached the same state. */
export function renderPublicationMessage(
  state: ReportedState,
  posts: readonly ReportedPost[],
  now: Date,
): Message {
  const { name, emoji, sentence } = describePost({ publication: state }, { viewers: 'everyone', now });
  const advice = ADVICE[state];
  const [firstPost, ...others] = posts;
  const onlyPost = others.length === 0 ? firstPost : undefined;
  const title = onlyPost ? `${name}${renderPlatforms(onlyPost)}` : `${posts.length} of your posts: ${name}`;
  const excerpt = onlyPost?.post ? ` “${renderExcerpt(onlyPost.post)}”` : '';
  const hiddenCount = posts.length - MAX_POSTS;
  return {
    text: escapeText(`${title}.${excerpt}`),
    blocks: [
      section(`${emoji} *${escapeText(title)}*${onlyPost ? `\n${sentence}` : ''}`),
      ...(advice === undefined ? [] : [section(advice)]),
      ...posts
        .slice(0, MAX_POSTS)
        .flatMap((post) => [
          renderPost(post, state, now),
          ...(state === 'failed' ? [context(plain(renderReason(post)))] : []),
        ]),
      ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more.`)] : []),
      actions(button('Open posts', OPEN_POSTS, firstPost?.id)),
      context('Change with `/upnext notifications`'),
    ],
  };
}

/** Says why a post failed, or that this isn't known: few services say it (plain text). */
function renderReason({ reason }: ReportedPost): string {
  if (reason === undefined) return 'I couldn’t find out why.';
  return `The service’s reason: “${clipLine(reason, MAX_REASON_LENGTH)}”`;
}

function renderPlatforms({ post }: ReportedPost): string {
  const names = renderPlatformNames(post?.platforms ?? []);
  return names === '' ? '' : ` on ${names}`;
}

/** The button that opens the form with a copy of the post. */
const COPY_LABELS = { failed: 'Choose another time', late: 'Duplicate', unclear: 'Duplicate' } as const;

function renderPost(
  { id, publishAt, project, post }: ReportedPost,
  state: ReportedState,
  now: Date,
): KnownBlock {
  if (!post) return context(renderPostTime({ instant: publishAt, zone: undefined }, 'everyone', now).mrkdwn);
  return renderPostRow({
    post,
    // The title says what became of the post.
    facts: { status: post.status, at: undefined },
    heading: { status: post.status },
    now,
    viewers: 'everyone',
    ...(project !== undefined && { project: clipLine(project, MAX_NAME_LENGTH) }),
    ...(state !== 'published' && { accessory: button(COPY_LABELS[state], DUPLICATE, id) }),
  });
}
