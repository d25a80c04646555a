import type { Button, KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { describePost, type PostFacts } from '../../posts/describe-post.ts';
import { checkPlatforms, previewFeed } from '../../posts/platform-rules/platform-rules.ts';
import { parsePlatforms } from '../../posts/platforms.ts';
import { renderPostCard } from '../../posts/post-card.ts';
import { listPostDifferences, type PostDifference, renderPostDifference } from '../../posts/post-changes.ts';
import { type CardPost, isTextCut } from '../../posts/post-text.ts';
import { renderPostTime, type Viewers } from '../../posts/post-time.ts';
import type { ReviewState } from '../../posts/state-copy.ts';
import type { ReviewStep } from '../../preferences/project-policy.ts';
import {
  buildCardActions,
  button,
  clipLine,
  context,
  escapeFormatting,
  plain,
  plainSection,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import type { Message } from '../../slack/message.ts';
import { clip, joinWithAnd, joinWithOr } from '../../words.ts';
import { type DecisionKind, getEventFacts, isDecision } from '../event-kinds.ts';
import type { HeldPostRow } from '../held-post.ts';
import { type HeldPostContext, readEventText, readHeldPost } from '../held-post-context.ts';
import { renderAskedPeople, renderPeople } from '../notices/notice-text.ts';
import { type PostView, readShownPost } from '../show.ts';
import { findBlackoutFact } from '../slots/slot-text.ts';
import type { HeldPostEventRow } from '../sql/events.ts';
import { buildReviewValue, REVIEW_ACTIONS } from '../text/held-post-buttons.ts';
import { isDecidable } from './decide.ts';
import { evaluateReview, findPermission, isNobodyLeft, type Review } from './evaluate-review.ts';
import { type LoadedReview, loadReview, needsApproval } from './load-review.ts';
import { type ReviewReach, readReviewReach, renderReviewReach } from './review-reach.ts';

interface ShownDecision {
  kind: DecisionKind;
  /** Slack id. */
  actor: string;
  text?: string | undefined;
  /** Whether the person who approved the version may no longer approve it. */
  isVoid?: boolean;
}

interface ShownReview {
  row: Pick<
    HeldPostRow,
    'id' | 'version' | 'content_hash' | 'state' | 'reason' | 'author' | 'publish_at' | 'hand_over_at'
  >;
  facts: PostFacts;
  /** Undefined if the content was deleted. */
  post: CardPost | undefined;
  project: string;
  result: Review;
  /** Why nobody is asked, if nobody is: nobody may approve, not all could be looked up, or everybody may. */
  unasked: 'nobody' | 'not-checked' | 'everybody';
  /** Whether the post goes out only with an approval. */
  needsApproval: boolean;
  /** Warns that the post's time is on a blackout day of its project (plain text). */
  blackoutFact: string | undefined;
  /** Undefined if an approval is for this post alone. */
  reach?: ReviewReach | undefined;
  stepCount: number;
  /** How many people have to approve the present step. */
  needs: ReviewStep['needs'];
  decisions: readonly ShownDecision[];
  /** What changed since the version that was last decided on, or else since the one before. */
  differences: readonly PostDifference[];
  /** The author's name, because a mention would notify them. */
  author: string | undefined;
  /** The names of the first stand-ins, who aren't asked, so a mention would notify them too. Without unknown names. */
  standInNames?: readonly string[];
}

interface Readers {
  viewers: Viewers;
  now: Date;
  /** Whether long texts are shown as a whole, for which a message has no room. */
  hasWholeText?: boolean | undefined;
}

/** Loads and renders the request to review a post. `hasWholeText`: see `Readers`. */
function createView({ hasWholeText }: { hasWholeText: boolean }): PostView {
  return {
    purposes: ['review'],
    async render({ context: heldPosts, client, row }, viewers, note) {
      const review = await loadReview(heldPosts, row, { listsEverybody: true });
      const shown = await readShownReview(heldPosts, client, review);
      return renderReviewRequest(shown, { viewers, now: heldPosts.clock.now(), hasWholeText }, note);
    },
  };
}

/** The requests to review a post, which show more than its card. */
export const REVIEW_REQUEST = createView({ hasWholeText: false });
/** A request that is opened to read the whole text. */
export const OPENED_REVIEW = createView({ hasWholeText: true });

export async function readShownReview(
  heldPosts: HeldPostContext,
  client: WebClient,
  review: LoadedReview,
): Promise<ShownReview> {
  const { post: row, policy } = review;
  const { post, project, facts } = await readShownPost(heldPosts, row, review);
  const result = evaluateReview(review);
  const standInIds = result.kind === 'pending' ? (result.standIns ?? []).slice(0, MAX_STAND_INS) : [];
  const [author, ...names] = await Promise.all(
    [row.author, ...standInIds].map((user) =>
      fetchDisplayName({ client, log: heldPosts.log, reference: row.id }, user),
    ),
  );
  const step = result.kind === 'approved' ? 0 : result.step;
  const { steps, standIns } = review.eligibility;
  const hasFailed = [steps[step], standIns].some((people) => people?.hasFailed);
  const time =
    row.publish_at && post?.timezone ? { instant: row.publish_at, zone: post.timezone } : undefined;
  return {
    ...{ row, post, project, facts, result },
    unasked: isNobodyLeft(review) ? 'nobody' : hasFailed ? 'not-checked' : 'everybody',
    needsApproval: needsApproval(row, policy),
    blackoutFact: time && findBlackoutFact(policy, time, heldPosts.clock.now()),
    reach: await readReviewReach(heldPosts, row, policy),
    stepCount: policy.reviewSteps.length,
    needs: policy.reviewSteps[step]?.needs ?? 'any',
    decisions: listDecisions(heldPosts, review),
    differences: findDifferences(heldPosts, review),
    author,
    standInNames: names.filter((name) => name !== undefined),
  };
}

/** The decisions about the current version. */
function listDecisions(
  heldPosts: HeldPostContext,
  { post, events, eligibility }: LoadedReview,
): ShownDecision[] {
  // The policy may have changed its steps since, so that another step is theirs now.
  const approvers = [...eligibility.steps, eligibility.standIns];
  return events
    .filter(({ version }) => version === post.version)
    .flatMap((event) => {
      const { kind, actor } = event;
      if (!isDecision(kind)) return [];
      const isApproval = kind === 'approved';
      const isVoid = isApproval && isDecidable(post) && findPermission(approvers, actor) === 'no';
      const text = isApproval ? undefined : readEventText(heldPosts, event);
      return [{ kind, actor, text, isVoid }];
    });
}

/** Finds what changed since the version that was last decided on, or else since the one before. */
function findDifferences(heldPosts: HeldPostContext, { post, events }: LoadedReview): PostDifference[] {
  const isEarlier = ({ version }: HeldPostEventRow) => version < post.version;
  const decided = events.findLast((event) => isEarlier(event) && isDecision(event.kind))?.version;
  const before = readVersion(heldPosts, events, decided ?? post.version - 1);
  const after = readHeldPost(heldPosts, post);
  if (!before || !after) return [];
  const differences = listPostDifferences(before, after, {
    viewers: 'everyone',
    now: heldPosts.clock.now(),
  });
  // Sending a draft for review makes it a scheduled post, which the request says anyway.
  return differences.filter(({ field }) => field !== 'Status');
}

/** Reads an earlier version of a post. Undefined if it isn't stored any more. */
export function readVersion(heldPosts: HeldPostContext, events: readonly HeldPostEventRow[], wanted: number) {
  const event = events.find(
    ({ kind, version, content }) =>
      getEventFacts(kind).storesVersion && version === wanted && content !== null,
  );
  return event && readHeldPost(heldPosts, event);
}

/** Renders the request to review a post in its current version. `note`: the result of a press (mrkdwn). */
export function renderReviewRequest(
  shown: ShownReview,
  readers: Readers,
  note?: string,
): Message & { blocks: KnownBlock[] } {
  const { post = { platforms: [] }, project, author } = shown;
  const { title, emoji, sentence } = describePost(
    { ...shown.facts, review: findReviewState(shown) },
    readers,
  );
  const card = renderPostCard({
    ...{ title, emoji, note, post, project },
    line: `${renderStep(shown)}${renderAsked(shown)}${sentence}`,
    above: [
      ...renderBlackout(shown),
      ...shown.decisions.slice(-MAX_DECISIONS).map(renderDecision),
      ...renderDifferences(shown.differences),
    ],
    viewers: readers.viewers,
    now: readers.now,
    hasLargePicture: true,
    smallPrint: author === undefined ? [] : [`by ${escapeFormatting(author)}`],
    ...getTextOptions(readers),
  });
  return {
    ...card,
    blocks: [
      ...card.blocks,
      ...renderFeedPreviews(post),
      ...(shown.reach ? [renderReviewReach(shown.reach, readers)] : []),
      ...renderButtons(shown, readers),
    ],
  };
}

/** A request has further texts, so it has less room for those of single platforms. */
const getTextOptions = ({ hasWholeText = false }: Readers) => ({ hasWholeText, ownTextsLength: 3_000 });

/** How far the review of a post is. Undefined if its state says all there is. */
function findReviewState({ row, result, needsApproval, unasked }: ShownReview): ReviewState | undefined {
  const isUnknown = result.kind === 'unknown';
  // Its author reads the request then, and nobody is asked.
  if (unasked === 'nobody' && row.state === 'awaiting-review') return undefined;
  if (row.state === 'awaiting-review') return isUnknown ? 'asked-not-checked' : 'asked';
  if (row.state !== 'held') return undefined;
  if (result.kind === 'approved') return 'approved';
  if (!needsApproval) return 'not-needed';
  return isUnknown ? 'not-checked' : 'lost';
}

function renderStep({ row, result, stepCount }: ShownReview): string {
  if (!isDecidable(row) || stepCount < 2) return '';
  const step = result.kind === 'approved' ? stepCount - 1 : result.step;
  return `Step ${step + 1} of ${stepCount}. `;
}

/** Names the people whose approval is pending, or says that there are none (mrkdwn). */
function renderAsked(shown: ShownReview): string {
  const { row, result, needs, unasked } = shown;
  if (row.state !== 'awaiting-review' || result.kind !== 'pending') return '';
  if (result.asked.length === 0) return UNASKED[unasked];
  return `Waiting for ${renderAskedPeople(result.asked, needs)}. ${renderStandIns(shown, result)}`;
}

/** Maximum number of stand-ins that a request names. Each name is looked up in Slack. */
const MAX_STAND_INS = 3;

/** Names who can approve instead of the people who are asked (mrkdwn). */
function renderStandIns(
  { needs, standInNames = [] }: ShownReview,
  { asked, standIns = [] }: Extract<Review, { kind: 'pending' }>,
): string {
  if (standIns.length === 0) return '';
  const names = standInNames.map((name) => `@${escapeFormatting(clipLine(name))}`);
  const other = names.length === 0 ? 'A stand-in' : 'another stand-in';
  const people = joinWithOr(names.length < standIns.length ? [...names, other] : names);
  return `${people} can approve it instead${needs === 'all' && asked.length > 1 ? ' of one of them' : ''}. `;
}

const UNASKED: Readonly<Record<ShownReview['unasked'], string>> = {
  nobody: 'I found nobody who may approve it: a Manager can change that with `/upnext policy`. ',
  'not-checked': 'I couldn’t find out yet who may approve it. ',
  everybody: '',
};

function renderBlackout({ row, blackoutFact }: ShownReview): KnownBlock[] {
  if (blackoutFact === undefined || !isDecidable(row)) return [];
  return [context(`:warning: ${escapeFormatting(blackoutFact)} Request changes if the post should move.`)];
}

const DECISION_TEXTS: Readonly<Record<DecisionKind, readonly [emoji: string, deed: string]>> = {
  approved: [':white_check_mark:', 'approved this version'],
  'changes-requested': [':memo:', 'requested changes'],
  rejected: [':no_entry_sign:', 'rejected it'],
};

/** Limits of the shown decisions, so that a message stays within Slack's limit. The history has all. */
const [MAX_DECISIONS, MAX_REASON_LENGTH] = [4, 300];

const VOID_APPROVAL = [':warning:', 'approved this version, but may no longer approve it'] as const;

function renderDecision({ kind, actor, text = '', isVoid = false }: ShownDecision): KnownBlock {
  const [emoji, deed] = isVoid ? VOID_APPROVAL : DECISION_TEXTS[kind];
  const reason = clip(text.replace(/\s+/g, ' ').trim(), MAX_REASON_LENGTH);
  return context(
    `${emoji} ${renderPeople([actor])} ${deed}${reason === '' ? '.' : ':'}`,
    ...(reason === '' ? [] : [plain(`“${reason}”`)]),
  );
}

function renderDifferences(differences: readonly PostDifference[]): KnownBlock[] {
  if (differences.length === 0) return [];
  const lines = differences.map((difference) => `• ${escapeFormatting(renderPostDifference(difference))}`);
  return [section(`*What changed since the last version*\n${lines.join('\n')}`)];
}

function renderButtons(shown: ShownReview, readers: Readers): KnownBlock[] {
  const { row, post, unasked } = shown;
  if (!isDecidable(row) || !post) return [];
  const { now } = readers;
  const value = buildReviewValue(row);
  const approve = button('Approve', REVIEW_ACTIONS.approve, value, 'primary');
  const later = button('Approve and schedule for…', REVIEW_ACTIONS['approve-later'], value);
  const isUpcoming = row.publish_at !== null && row.publish_at > now;
  const isMissed = row.state === 'needs-person';
  const decisions: Button[] = [
    ...(isUpcoming ? [isMissed ? withConfirmation(approve, askToApproveLate(shown, readers)) : approve] : []),
    ...(isMissed || !isUpcoming ? [later] : []),
    button('Request changes', REVIEW_ACTIONS['request-changes'], value),
    button('Reject', REVIEW_ACTIONS.reject, value, 'danger'),
  ];
  return buildCardActions('review', [
    ...(unasked === 'nobody' ? [] : decisions),
    ...(isTextCut({ post, ...getTextOptions(readers) })
      ? [button('Read the whole text', REVIEW_ACTIONS.open, value)]
      : []),
  ]);
}

/** Asks before an approval after the hand-over's time, and says what follows it. */
function askToApproveLate(shown: ShownReview, { viewers, now }: Readers) {
  const { row, post } = shown;
  const time =
    row.publish_at && renderPostTime({ instant: row.publish_at, zone: post?.timezone }, viewers, now).plain;
  return {
    title: 'Approve it now?',
    text: shown.facts.isStopped
      ? 'Sending is stopped for this project. Approve the post after that.'
      : {
          last: `I’ll schedule it at once, and it goes out at its time: ${time}.`,
          'another-follows': `Another approval has to follow. Without it by ${time}, it isn’t sent.`,
          unknown: `I couldn’t find out whether another approval has to follow. Without all approvals by ${time}, it isn’t sent.`,
        }[findApprovalPlace(shown)],
    confirm: 'Approve',
    deny: 'Not now',
  };
}

/** Whether the next approval is the last one that a post needs. The same person may give the one that follows it. */
function findApprovalPlace({ result, stepCount, needs, unasked }: ShownReview) {
  if (result.kind !== 'pending') return 'unknown';
  if (result.step < stepCount - 1) return 'another-follows';
  if (needs === 'any') return 'last';
  if (result.asked.length > 1) return 'another-follows';
  return result.asked.length === 1 && unasked !== 'not-checked' ? 'last' : 'unknown';
}

/** How a post looks in the feeds of some platforms, which all show the same text. */
interface SharedFeed {
  platforms: readonly string[];
  notes: readonly string[];
  /** The text before “…see more”. */
  visibleText: string;
  isCut: boolean;
}

/** Lists how a post looks in the feeds of its platforms. Empty for a post without a text of its own. */
function listFeeds({ content = '', media = '', ownTexts = [], ...post }: CardPost): SharedFeed[] {
  const platformsWithOwnText = ownTexts.flatMap(({ platforms }) => platforms);
  const others = post.platforms.filter((platform) => !platformsWithOwnText.includes(platform));
  const feeds = [{ platforms: others, text: content }, ...ownTexts].flatMap(({ platforms, text }) => {
    if (text.trim() === '' || platforms.length === 0) return [];
    const { counts } = checkPlatforms({
      content: text,
      media,
      platforms: parsePlatforms(platforms) ?? [],
      hasTemplateOrPrompt: post.templateId !== undefined || post.promptId !== undefined,
    });
    return counts.map((counted) => previewFeed(text, counted));
  });
  const groups = Map.groupBy(feeds, ({ platformName: _name, count: _count, ...feed }) =>
    JSON.stringify(feed),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, platforms: group.map(({ platformName }) => platformName) }] : [];
  });
}

/** Maximum length of a preview, so that a message with all platforms stays within Slack's limit. */
const MAX_PREVIEW_LENGTH = 250;
const MAX_PREVIEWS = 4;

/** Renders how the post looks in the feeds. Platforms that show the same text share a preview. */
function renderFeedPreviews(post: CardPost): KnownBlock[] {
  const feeds = listFeeds(post);
  const isWhole = ({ isCut, notes }: SharedFeed) => !isCut && notes.length === 0;
  const wholeNames = feeds.filter(isWhole).flatMap(({ platforms }) => platforms);
  const others = feeds.filter((feed) => !isWhole(feed));
  const hidden = others.slice(MAX_PREVIEWS).flatMap(({ platforms }) => platforms);
  const wholeText = `${joinWithAnd(wholeNames)} ${wholeNames.length === 1 ? 'shows' : 'show'} the whole text in the feed.`;
  return [
    ...others
      .slice(0, MAX_PREVIEWS)
      .flatMap(({ platforms, notes, visibleText, isCut }) => [
        context(plain([`Preview for ${platforms.join(', ')}`, ...notes].join(' · '))),
        plainSection(`${clip(visibleText, MAX_PREVIEW_LENGTH)}${isCut ? '…see more' : ''}`),
      ]),
    ...(wholeNames.length > 0 ? [context(plain(wholeText))] : []),
    ...(hidden.length > 0 ? [context(plain(`Not previewed here: ${hidden.join(', ')}`))] : []),
  ];
}
