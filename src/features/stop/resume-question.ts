import type { KnownBlock } from '@slack/types';
import { renderCount } from '../../posts/post-count.ts';
import {
  actions,
  button,
  context,
  escapeText,
  plain,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { createExcerpt } from '../../submissions/text/render-submission.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';
import type { MissedPost } from './missed-posts.ts';
import { ALL_STOPPED, MAX_LISTED_POSTS, RESUME_ACTIONS, type StoppedProject } from './resume-text.ts';
import { renderName } from './stop-text.ts';

/** What the message before a resumption shows. */
interface ResumeQuestion extends StoppedProject {
  missedPosts: readonly MissedPost[];
  waitingCount: number;
  /** Whether an operator has stopped all sending too. */
  isAllStopped: boolean;
  /** The id under which the message's content is stored, for its buttons. */
  id: string;
  /** The result of a press (plain text). */
  note?: string | undefined;
}

/** Asks a manager to resume a project, and what to do with the posts that missed their time. */
export function renderResumeQuestion(question: ResumeQuestion): Message {
  const { project, stop, missedPosts, waitingCount, id, note } = question;
  const name = escapeText(renderName(project));
  const countText =
    waitingCount === 0
      ? 'No other post is waiting.'
      : `${renderCount(waitingCount, 'post')} ${waitingCount === 1 ? 'goes' : 'go'} out as planned when you resume.`;
  return {
    text: `Resume ${name}? ${renderStop(stop)}.`,
    blocks: [
      ...(note === undefined ? [] : [section(escapeText(note))]),
      section(`*Resume ${name}?*\n${renderStop(stop)}.`),
      section(missedPosts.length === 0 && waitingCount === 0 ? 'No post is waiting.' : countText),
      ...(question.isAllStopped ? [section(ALL_STOPPED)] : []),
      ...renderMissedPosts(missedPosts, id),
      renderResumeButtons(missedPosts.length, id),
    ],
  };
}

function renderMissedPosts(missedPosts: readonly MissedPost[], id: string): KnownBlock[] {
  if (missedPosts.length === 0) return [];
  const hiddenCount = missedPosts.length - MAX_LISTED_POSTS;
  const isOne = missedPosts.length === 1;
  return [
    section(
      `*${renderCount(missedPosts.length, 'post')} missed ${isOne ? 'its' : 'their'} time*\nI won’t send ${isOne ? 'it' : 'them'} late. What should happen to ${isOne ? 'it' : 'them'}?`,
    ),
    ...missedPosts.slice(0, MAX_LISTED_POSTS).flatMap((post) => renderMissedPost(post, id)),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more.`)] : []),
  ];
}

function renderMissedPost({ key, title, text, author, newTime }: MissedPost, id: string): KnownBlock[] {
  const discardButton = withConfirmation(button('Discard', RESUME_ACTIONS.discard, `${id} ${key}`), {
    title: 'Discard this post?',
    text: 'It won’t be sent.',
    confirm: 'Discard',
    deny: 'Keep',
    style: 'danger',
  });
  return [
    context(plain(title), ...(text === '' ? [] : [plain(`“${createExcerpt(text)}”`)]), `by <@${author}>`),
    actions(...(newTime ? [newTime] : []), discardButton),
  ];
}

function renderResumeButtons(missedCount: number, id: string): KnownBlock {
  if (missedCount === 0) return actions(button('Resume', RESUME_ACTIONS.confirm, id, 'primary'));
  const isOne = missedCount === 1;
  return actions(
    button(
      `Resume, keep ${isOne ? 'it for its author' : 'all for their authors'}`,
      RESUME_ACTIONS.confirm,
      id,
      'primary',
    ),
    withConfirmation(
      button(`Resume, discard ${isOne ? 'it' : 'all'}`, RESUME_ACTIONS.discardAll, id, 'danger'),
      {
        title: isOne ? 'Discard this post?' : `Discard ${missedCount} posts?`,
        text: isOne ? 'It won’t be sent.' : 'They won’t be sent.',
        confirm: isOne ? 'Discard it' : 'Discard all',
        deny: 'Keep',
        style: 'danger',
      },
    ),
  );
}
