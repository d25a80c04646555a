import type { KnownBlock, SectionBlock } from '@slack/types';
import { type Description, describePost } from '../../posts/describe-post.ts';
import { renderDestination } from '../../posts/platforms.ts';
import {
  nameCard,
  renderCardText,
  renderCardTime,
  renderPerson,
  renderPostCard,
} from '../../posts/post-card.ts';
import { type CardPost, renderOtherTexts, renderOwnTexts, toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type Viewers } from '../../posts/post-time.ts';
import { FINAL_NOTE } from '../../posts/state-copy.ts';
import {
  addAccessibilityLabel,
  button,
  clipLine,
  context,
  escapeFormatting,
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
import {
  buildHeldPostValue,
  HELD_LIST_PREFIX,
  OPEN_HELD_POST_ACTION,
  renderButtonsOfForm,
  renderHeldPostButtons,
  type ShownHeldPost,
} from './held-post-buttons.ts';

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
  const { project } = shown;
  const { viewers, now } = readers;
  const { title, emoji, details, isQuiet } = describeHeldPost(shown, readers);
  const notes = listReceiptNotes(shown);
  const card = renderPostCard({
    ...{ title, emoji, note, project, viewers, now },
    line: isQuiet ? undefined : details,
    above: [...renderWaiting(shown), ...renderProblems(shown)],
    post: getCardPost(shown),
    smallPrint: [...renderPeople(shown, readers), [...(isQuiet ? [details] : []), ...notes].join(' ')],
  });
  return { ...card, blocks: [...card.blocks, ...renderHeldPostButtons(shown, now)] };
}

/** What the author should know once the service has the post, until it is known what became of it (mrkdwn). */
function listReceiptNotes({ receipt, facts }: ShownHeldPost): string[] {
  return !receipt || facts.publication ? [] : [FINAL_NOTE, ...receipt.notes.map(escapeFormatting)];
}

/** What a card shows of a post. After its content was deleted, that is its time. */
function getCardPost({ post, row, facts }: ShownHeldPost): CardPost {
  return post ?? { platforms: [], scheduleDate: row.publish_at ?? undefined, timezone: facts.zone };
}

/** Renders the line of a post in the card of a form with several times. `notes`: mrkdwn. */
export function renderTimeLine(
  shown: ShownHeldPost,
  { viewers, now }: CardReaders,
  notes: readonly string[] = [],
): SectionBlock {
  const post = getCardPost(shown);
  const open = button('Open', OPEN_HELD_POST_ACTION, buildHeldPostValue(shown.row, HELD_LIST_PREFIX));
  const { scheduleDate: instant, timezone: zone } = post;
  const name = instant ? renderPostTime({ instant, zone }, viewers, now).plain : 'No date';
  return {
    ...section([renderCardTime({ post, viewers, now }), ...notes].join(' · ')),
    accessory: addAccessibilityLabel(open, `Open: ${name}`),
  };
}

/** Maximum lines in the card of a form with several times. */
const MAX_LISTED_TIMES = 20;

/**
 * Renders the posts of a form with several times as one card: what they share once, and a line for each time. `shown`: the
 * first. `isSame`: whether all are in the same state. Defaults to true.
 */
export function renderTimesCard(
  shown: ShownHeldPost,
  lines: readonly SectionBlock[],
  { now, viewers }: CardReaders,
  { isSame = true } = {},
): KnownBlock[] {
  const { project, row, facts } = shown;
  const post = getCardPost(shown);
  const otherTexts = renderOtherTexts(post);
  const { name, emoji, sentence } = describePost(
    {
      ...{ ...facts, at: undefined },
      ...(facts.held && { held: { state: row.state, reason: null } }),
    },
    { viewers, now },
  );
  const count = `${lines.length} posts`;
  const isSent = row.state === 'delivered';
  const deed = isSent && post.status !== 'DRAFT' ? 'scheduled' : 'saved';
  const title = isSent || !isSame ? `${count} ${deed}` : `${count} ${deed}: ${name}`;
  const hiddenCount = lines.length - MAX_LISTED_TIMES;
  const receiptNotes = listReceiptNotes(shown);
  return [
    nameCard(
      [`${isSame ? emoji : ''} *${escapeText(title)}*`.trim(), ...(isSame && !isSent ? [sentence] : [])].join(
        '\n',
      ),
    ),
    context(plain(renderDestination(project, post.platforms))),
    ...renderCardText({ post }),
    ...renderOwnTexts({ post }),
    ...(otherTexts.length === 0 ? [] : [context(...otherTexts)]),
    ...lines.slice(0, MAX_LISTED_TIMES),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more.`)] : []),
    ...(receiptNotes.length > 0 ? [context(receiptNotes.join(' '))] : []),
    ...renderButtonsOfForm(shown),
  ];
}

/** Renders a post in a list with its buttons: its state, and its text in one line. */
export function renderHeldPostEntry(
  shown: ShownHeldPost,
  readers: CardReaders,
  { note, author, prefix = HELD_LIST_PREFIX }: EntryOptions = {},
): KnownBlock[] {
  const { viewers, now } = readers;
  const { title, emoji, details } = describeHeldPost(shown, readers);
  const post = getCardPost(shown);
  const time = renderCardTime({ post, viewers, now });
  return [
    section(`${emoji} *${escapeFormatting(title)}* · ${time}\n${details}`),
    ...renderProblems(shown),
    ...(note === undefined ? [] : [section(note)]),
    context(
      plain(clipLine(shown.project, MAX_NAME_LENGTH)),
      ...(post.content ? [plain(`“${toExcerpt(sanitizeLine(post.content))}”`)] : []),
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
