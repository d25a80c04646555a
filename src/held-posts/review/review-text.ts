import type { Button, KnownBlock } from '@slack/types';
import { describePost, type PostFacts } from '../../posts/describe-post.ts';
import { checkPlatforms, previewFeed } from '../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../posts/platforms.ts';
import { renderPostCard } from '../../posts/post-card.ts';
import { type PostDifference, renderPostDifference } from '../../posts/post-changes.ts';
import type { CardPost } from '../../posts/post-text.ts';
import type { Viewers } from '../../posts/post-time.ts';
import type { ReviewStep } from '../../preferences/project-policy.ts';
import {
  buildCardActions,
  button,
  clip,
  context,
  escapeText,
  plain,
  plainSection,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import type { HeldPostRow } from '../held-post.ts';
import { buildReviewValue, REVIEW_ACTIONS } from '../text/held-post-buttons.ts';
import { isInReview } from './decide.ts';
import type { Review } from './evaluate-review.ts';
import { renderAskedPeople, renderPeople } from './nudge-text.ts';

/** A decision about the version that is shown, with the decrypted reason. */
export interface ShownDecision {
  kind: 'approved' | 'changes-requested' | 'rejected';
  /** Slack id. */
  actor: string;
  step: number;
  text?: string | undefined;
}

/** A post in review with everything that its request shows. */
export interface ShownReview {
  row: Pick<
    HeldPostRow,
    'id' | 'version' | 'content_hash' | 'state' | 'reason' | 'author' | 'publish_at' | 'hand_over_at'
  >;
  /** What the post's description depends on. */
  facts: PostFacts;
  /** Undefined if the content was deleted. */
  post: CardPost | undefined;
  /** The project's name. */
  project: string;
  result: Review;
  /** Whether the post goes out only with an approval. */
  needsApproval: boolean;
  stepCount: number;
  /** How many people have to approve the present step. */
  needs: ReviewStep['needs'];
  decisions: readonly ShownDecision[];
  /** What changed since the version that was last decided on, or else since the one before. */
  differences: readonly PostDifference[];
  /** The author's name, because a mention would notify them. */
  author: string | undefined;
}

/** Who reads a request, and when. */
interface Readers {
  viewers: Viewers;
  now: Date;
}

/**
 * Renders the request to review a post. It always shows the current version. `note` is the result of a press (mrkdwn).
 */
export function renderReviewRequest(
  shown: ShownReview,
  readers: Readers,
  note?: string,
): Message & { blocks: KnownBlock[] } {
  const { facts, post = { platforms: [] }, project, author } = shown;
  const title = renderTitle(shown, readers);
  const card = renderPostCard({
    title,
    ...{ post, facts },
    project,
    viewers: readers.viewers,
    now: readers.now,
    hasLargePicture: true,
  });
  const [heading, ...details] = card.blocks;
  return {
    text: `${note === undefined ? '' : `${note} `}${card.text}`,
    blocks: [
      ...(heading ? [heading] : []),
      ...(note === undefined ? [] : [section(note)]),
      section(renderProgress(shown, readers)),
      ...shown.decisions.slice(-MAX_DECISIONS).map(renderDecision),
      ...renderDifferences(shown.differences),
      ...details,
      ...(author === undefined ? [] : [context(plain(`Author: ${author}`))]),
      ...renderFeedPreviews(post),
      ...renderButtons(shown, readers.now),
    ],
  };
}

/** Renders the title in plain text: what is asked, the state of the review, or how it ended. */
function renderTitle({ row, facts, result, needsApproval }: ShownReview, readers: Readers): string {
  if (row.state === 'awaiting-review') return 'Please review this post';
  if (row.state !== 'held') return describePost(facts, readers).name;
  if (result.kind === 'approved') return 'Approved';
  if (!needsApproval) return 'No review needed';
  return result.kind === 'unknown' ? 'Approvals not checked yet' : 'Approval no longer counts';
}

/** Says what is missing, or what happens next (mrkdwn). */
function renderProgress(shown: ShownReview, readers: Readers): string {
  const { row, result, stepCount, needsApproval } = shown;
  const { sentence } = describePost(shown.facts, readers);
  if (row.state === 'held' && result.kind === 'pending' && needsApproval) return LOST_APPROVAL;
  if (!isInReview(row)) return sentence;
  const step = result.kind === 'approved' ? stepCount - 1 : result.step;
  const stepText = stepCount > 1 ? `Step ${step + 1} of ${stepCount}. ` : '';
  if (row.state === 'needs-person') return `${stepText}${sentence}`;
  if (result.kind === 'unknown')
    return `${stepText}I couldn’t check all approvals yet. I’ll check again before its time.`;
  return `${stepText}${renderAsked(shown)}${sentence}`;
}

const LOST_APPROVAL =
  'Whoever approved it may no longer do so. It isn’t sent without another approval, and I’ll ask for one before its hand-over.';

function renderAsked({ result, needs }: Pick<ShownReview, 'result' | 'needs'>): string {
  if (result.kind !== 'pending') return '';
  const { asked } = result;
  if (asked.length === 0)
    return 'I found nobody who may approve it: a manager can change that with `/upnext policy`. ';
  return `Waiting for ${renderAskedPeople(asked, needs)}. `;
}

function isUpcoming({ publish_at: publishAt }: Pick<HeldPostRow, 'publish_at'>, now: Date): boolean {
  return publishAt !== null && publishAt > now;
}

const DECISIONS = {
  approved: [':white_check_mark:', 'approved this version'],
  'changes-requested': [':memo:', 'requested changes'],
  rejected: [':no_entry_sign:', 'rejected it'],
} as const;

/** Limits of the shown decisions, so that a message stays within Slack's limit. The history has all. */
const [MAX_DECISIONS, MAX_REASON_LENGTH] = [4, 500];

function renderDecision({ kind, actor, text = '' }: ShownDecision): KnownBlock {
  const [emoji, deed] = DECISIONS[kind];
  const reason = clip(text.replace(/\s+/g, ' ').trim(), MAX_REASON_LENGTH);
  return context(
    `${emoji} ${renderPeople([actor])} ${deed}${reason === '' ? '.' : ':'}`,
    ...(reason === '' ? [] : [plain(`“${reason}”`)]),
  );
}

function renderDifferences(differences: readonly PostDifference[]): KnownBlock[] {
  if (differences.length === 0) return [];
  const lines = differences.map((difference) => `• ${escapeText(renderPostDifference(difference))}`);
  return [section(`*What changed since the last version*\n${lines.join('\n')}`)];
}

function renderButtons({ row, post }: ShownReview, now: Date): KnownBlock[] {
  if (!isInReview(row) || !post) return [];
  const value = buildReviewValue(row);
  const approve = button('Approve', REVIEW_ACTIONS.approve, value, 'primary');
  const later = button('Approve and schedule for…', REVIEW_ACTIONS['approve-later'], value);
  const returns: Button[] = [
    button('Request changes', REVIEW_ACTIONS['request-changes'], value),
    button('Reject', REVIEW_ACTIONS.reject, value, 'danger'),
  ];
  const isMissed = row.state === 'needs-person';
  return [
    ...buildCardActions('review', [
      ...(isUpcoming(row, now) ? [isMissed ? withConfirmation(approve, APPROVE_LATE) : approve] : []),
      ...(isMissed || !isUpcoming(row, now) ? [later] : []),
      ...returns,
    ]),
  ];
}

const APPROVE_LATE = {
  title: 'Approve and hand over now?',
  text: 'Its hand-over is due, so the service gets it as soon as it’s approved.',
  confirm: 'Approve',
  deny: 'Not now',
} as const;

/** How a post looks in the feeds of some platforms, which all show the same text. */
interface SharedFeed {
  /** Names of the platforms. */
  platforms: readonly string[];
  notes: readonly string[];
  /** The text before “…see more”. */
  visibleText: string;
  isCut: boolean;
}

/** Lists how a post looks in the feeds of its platforms. Empty for a post without a text of its own. */
function listFeeds({ content = '', media = '', platforms, templateId, promptId }: CardPost): SharedFeed[] {
  if (content.trim() === '') return [];
  const { counts } = checkPlatforms({
    content,
    media,
    platforms: parsePlatforms(platforms) ?? [],
    hasTemplateOrPrompt: templateId !== undefined || promptId !== undefined,
  });
  const feeds = counts.map((counted) => previewFeed(content, counted));
  const groups = Map.groupBy(feeds, ({ platformName: _name, count: _count, ...feed }) =>
    JSON.stringify(feed),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, platforms: group.map(({ platformName }) => platformName) }] : [];
  });
}

/** Maximum length of a preview, so that a message with all platforms stays within Slack's limit. */
const MAX_PREVIEW_LENGTH = 400;
const MAX_PREVIEWS = 4;

/** Renders how the post looks in the feeds. Platforms that show the same text share a preview. */
function renderFeedPreviews(post: CardPost): KnownBlock[] {
  const feeds = listFeeds(post);
  const isWhole = ({ isCut, notes }: SharedFeed) => !isCut && notes.length === 0;
  const wholeNames = feeds.filter(isWhole).flatMap(({ platforms }) => platforms);
  const others = feeds.filter((feed) => !isWhole(feed));
  const hidden = others.slice(MAX_PREVIEWS).flatMap(({ platforms }) => platforms);
  return [
    ...others
      .slice(0, MAX_PREVIEWS)
      .flatMap(({ platforms, notes, visibleText, isCut }) => [
        context(plain([`Preview for ${platforms.join(', ')}`, ...notes].join(' · '))),
        plainSection(`${clip(visibleText, MAX_PREVIEW_LENGTH)}${isCut ? '…see more' : ''}`),
      ]),
    ...(wholeNames.length > 0 ? [context(plain(renderWholeFeeds(wholeNames)))] : []),
    ...(hidden.length > 0 ? [context(plain(`Not previewed here: ${hidden.join(', ')}`))] : []),
  ];
}

const NAME_LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function renderWholeFeeds(names: readonly string[]): string {
  return `${NAME_LIST.format(names)} ${names.length === 1 ? 'shows' : 'show'} the whole text in the feed.`;
}
