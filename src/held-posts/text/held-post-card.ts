import type { KnownBlock } from '@slack/types';
import { type Description, describePost } from '../../posts/describe-post.ts';
import { renderPerson, renderPostCard } from '../../posts/post-card.ts';
import { toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type Viewers } from '../../posts/post-time.ts';
import {
  clipLine,
  context,
  escapeText,
  plain,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import type { EntryOptions } from '../../submissions/submission-context.ts';
import { renderProblemLines } from '../../submissions/text/render-submission.ts';
import { renderRetries, renderStop } from '../../submissions/text/stop-text.ts';
import { joinWithAnd } from '../../words.ts';
import { HELD_LIST_PREFIX, renderHeldPostButtons, type ShownHeldPost } from './held-post-buttons.ts';

export interface CardReaders {
  viewers: Viewers;
  now: Date;
  /** Names by Slack id, for cards that everyone reads, because a mention would notify the person. */
  names?: ReadonlyMap<string, string>;
}

/** Renders the card of a held post, which is the same everywhere. `note` is the result of a press (mrkdwn). */
export function renderHeldPostCard(
  shown: ShownHeldPost,
  readers: CardReaders,
  note?: string,
): Message & { blocks: KnownBlock[] } {
  const { post, project } = shown;
  const { viewers, now } = readers;
  const { title, emoji, details, isQuiet } = describeHeldPost(shown, readers);
  const card = renderPostCard({
    ...{ title, emoji, note, project, viewers, now },
    line: isQuiet ? undefined : details,
    above: [...renderWaiting(shown), ...renderProblems(shown)],
    post: post ?? { platforms: [] },
    smallPrint: [...renderPeople(shown, readers), ...(isQuiet ? [details] : [])],
  });
  return { ...card, blocks: [...card.blocks, ...renderHeldPostButtons(shown, now)] };
}

/** Renders a post in a list with its buttons: its state, and its text in one line. */
export function renderHeldPostEntry(
  shown: ShownHeldPost,
  readers: CardReaders,
  { note, author, prefix = HELD_LIST_PREFIX }: EntryOptions = {},
): KnownBlock[] {
  const { row, post, project } = shown;
  const { viewers, now } = readers;
  const time =
    row.publish_at &&
    post &&
    renderPostTime({ instant: row.publish_at, zone: post.timezone }, viewers, now).plain;
  const facts = [clipLine(project, MAX_NAME_LENGTH), ...(time ? [time] : [])];
  const { title, details } = describeHeldPost(shown, readers);
  return [
    section(`*${escapeText(title)}*\n${details}`),
    ...renderProblems(shown),
    ...(note === undefined ? [] : [section(note)]),
    context(
      plain(facts.join(' · ')),
      ...(post?.content ? [plain(`“${toExcerpt(sanitizeLine(post.content))}”`)] : []),
      ...(author === undefined ? [] : [`Author: <@${author}>`]),
    ),
    ...renderWaiting(shown),
    ...renderHeldPostButtons(shown, now, prefix),
  ];
}

/** Describes a post, whose title says who approved it. */
export function describeHeldPost(
  { row, approvers, facts }: ShownHeldPost,
  { names, ...readers }: CardReaders,
): Description {
  const known = approvers.map((id) => sanitizeLine(names?.get(id) ?? ''));
  const approvedBy = known.includes('') ? '' : joinWithAnd(known);
  return describePost({ ...facts, ...(row.in_review && { approvedBy }) }, readers);
}

/** Renders what the service said is wrong with the post. */
function renderProblems({ refusal }: ShownHeldPost): KnownBlock[] {
  const problems = renderProblemLines({ refusal });
  return problems === '' ? [] : [plainSection(problems)];
}

/** Renders who stopped the project, or until when Upnext tries to send the post, and what keeps it from it. */
function renderWaiting({ row, waiting, stop }: ShownHeldPost): KnownBlock[] {
  if (waiting) {
    const { failure } = waiting;
    return [...(failure === undefined ? [] : [section(failure)]), ...renderRetries(waiting)];
  }
  const isStopped = stop && ['held', 'awaiting-review'].includes(row.state);
  return isStopped ? [context(renderStop(stop))] : [];
}

const MAX_NAME_LENGTH = 150;

function renderPeople(shown: ShownHeldPost, readers: CardReaders): string[] {
  const { author, in_review: isInReview } = shown.row;
  const { viewers, names } = readers;
  const render = (label: string, id: string) => renderPerson(label, { id, name: names?.get(id) }, viewers);
  const label = isInReview ? 'approved by' : 'scheduled by';
  return [
    ...render('by', author),
    ...(describeHeldPost(shown, readers).namesApprover
      ? []
      : shown.approvers.flatMap((approver) => render(label, approver))),
  ];
}
