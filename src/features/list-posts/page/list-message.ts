import type { KnownBlock, SectionBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import type { Reader } from '../../../forms/form-context.ts';
import { NEW_POST_ACTION } from '../../../posts/new-post-button.ts';
import { renderSlotPlatforms } from '../../../posts/platforms.ts';
import { hasStatus } from '../../../posts/post-status.ts';
import { renderPostCount } from '../../../posts/post-text.ts';
import { renderPostTime } from '../../../posts/post-time.ts';
import { MAX_READ_POSTS } from '../../../posts/read-post-list.ts';
import { encodeSlotTarget } from '../../../posts/slot-phrase.ts';
import { type Blackout, type FreeSlot, findBlackout } from '../../../preferences/posting-times.ts';
import {
  actions,
  addAccessibilityLabel,
  button,
  clipLine,
  context,
  escapeFormatting,
  escapeText,
  header,
  sanitizeLine,
  section,
} from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { type Page, renderUnreadable } from '../../../slack/list-pages.ts';
import type { Message } from '../../../slack/message.ts';
import { renderReadFailure } from '../../../slack/service-failure.ts';
import { UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import { formatMomentDay } from '../../../when/format-moment.ts';
import { clip, renderCount } from '../../../words.ts';
import {
  describeFilter,
  listDaysOfWeek,
  type PostFilter,
  renderAdjective,
  renderAdvice,
  renderDays,
  renderNoun,
} from '../post-filter.ts';
import { renderListButtons, renderSuggestion, renderWeekButton } from './list-buttons.ts';
import {
  getGroup,
  hasDateRange,
  isEarlierThisWeek,
  type ListViewer,
  type Row,
  renderRow,
  renderRowText,
} from './post-row.ts';
import type { FoundPosts, ListedPost } from './read-list.ts';

/**
 * Maximum posts on a page. Each post has a block with up to 700 characters, and may have a heading. A message holds 50
 * blocks and about 10,000 characters.
 */
export const PAGE_SIZE = 10;
/** Maximum length of the text that Slack shows in notifications instead of the blocks. */
const MAX_FALLBACK_LENGTH = 1_000;

interface PageData {
  project: Project;
  filter: PostFilter;
  posts: FoundPosts;
  page: Page<ListedPost>;
  /** The last post of the page before. */
  previousPost?: ListedPost | undefined;
  rows: readonly Row[];
  reader: Reader;
  hasPages: boolean;
  /** The name of the filter's author, if the author was chosen in the form. */
  authorName?: string | undefined;
  freeSlots?: readonly FreeSlot[] | 'unknown' | undefined;
  blackouts?: readonly Blackout[] | undefined;
  /** The corrected filter, if the words to search for may be typos. */
  suggestion?: string | undefined;
}

type MessageWithBlocks = Message & { blocks: KnownBlock[] };

export function renderPostList(data: PageData): MessageWithBlocks {
  const { posts } = data;
  if (posts.dated.length + posts.undated.length === 0) return renderEmptyList(data);
  const title = renderTitle(data);
  const lines = data.rows.map((row) => renderRowText(row, getViewer(data)));
  return {
    text: clip(escapeText([`${title}.`, ...lines.slice(0, 3)].join('\n')), MAX_FALLBACK_LENGTH),
    blocks: [
      title.length <= LIMITS.header ? header(title) : section(`*${escapeFormatting(title)}*`),
      ...renderGroups(data),
      ...renderFreeSlots(data),
      ...renderNotes(data.posts, data.filter),
      renderListButtons(data, { hasUnsentPosts: data.rows.some(({ isUnsent }) => isUnsent) }),
    ],
  };
}

/** Renders the title: "Harbour Coffee: 5 posts and 1 draft on X containing “coffee”, Sat 21 Nov (Lisbon)". */
function renderTitle({ posts, filter, reader, project, page, authorName }: PageData): string {
  const { restrictions, days } = describeFilter(filter, reader, authorName);
  const search = filter.search === undefined ? '' : ` containing “${filter.search}”`;
  const subject = `${clipLine(project.name)}: ${renderListCount(posts, filter)}`;
  // The number doesn't include the drafts without a date, so positions would contradict it.
  const pageText =
    posts.undatedDrafts && page.count > 1 ? `, page ${page.number + 1} of ${page.count}` : page.titleSuffix;
  return `${subject}${restrictions}${search}${days && `, ${days}`}${pageText}${renderIncompleteness(posts)}`;
}

function renderListCount(
  { dated, undated, isTruncated, undatedDrafts }: FoundPosts,
  filter: PostFilter,
): string {
  // The drafts without a date in the list of a week don't belong to the week. Their heading has their number.
  const countedPosts = undatedDrafts ? dated : [...dated, ...undated];
  if (countedPosts.length === 0) return `no ${renderAdjective(filter)}${renderNoun(filter)}`;
  if (isTruncated && countedPosts.length >= MAX_READ_POSTS)
    return `more than ${MAX_READ_POSTS} ${renderAdjective(filter)}${renderNoun(filter)}`;
  const drafts = countedPosts.filter(({ post }) => hasStatus(post, 'DRAFT')).length;
  return renderPostCount({
    posts: countedPosts.length - drafts,
    drafts,
    noun: `${renderAdjective(filter)}post`,
  });
}

function getViewer({ filter, reader }: PageData): ListViewer {
  return { ...reader, zone: filter.zone ?? reader.zone };
}

/** Renders the posts of the page, in groups. In a week, the days to come without posts are between them. */
function renderGroups(data: PageData): KnownBlock[] {
  const { rows, filter, page, previousPost } = data;
  const viewer = getViewer(data);
  const days = listOpenDays(data);
  const findDay = (title: string | undefined) => days.findIndex((day) => day.title === title);
  let previousTitle = previousPost && getGroup(previousPost.post, filter, viewer).title;
  let nextDay = findDay(previousTitle) + 1;
  const renderFreeDays = (end: number) => {
    const freeDays = days.slice(nextDay, end);
    nextDay = Math.max(nextDay, end + 1);
    return renderFree(freeDays);
  };
  const blocks = rows.flatMap((row, index) => {
    const { title } = getGroup(row.post, filter, viewer);
    const isEarlier = isEarlierThisWeek(row.post, filter, viewer);
    const isNewGroup = index === 0 || title !== previousTitle;
    previousTitle = title;
    const shownRow = renderRow(row, filter, viewer);
    if (!isNewGroup) return [shownRow];
    const notes = `${renderUndatedCount(data, title)}${escapeText(renderBlackout(data, row))}`;
    // Posts of earlier days, and then those without a date, come after all days to come.
    const freeDays = renderFreeDays(row.post.scheduleDate && !isEarlier ? findDay(title) : days.length);
    return [
      ...freeDays,
      section(`*${escapeText(title)}*${isEarlier ? ' · earlier this week' : ''}${notes}`),
      shownRow,
    ];
  });
  return page.number < page.count - 1 ? blocks : [...blocks, ...renderFreeDays(days.length)];
}

interface Day {
  title: string;
  isPast: boolean;
  /** What a day without posts is: "free", "blackout day (Christmas)". Plain text. */
  state: string;
}

/** Lists the days of a week. Empty for other lists, and if the list may lack posts. */
function listOpenDays(data: PageData): Day[] {
  const { isTruncated, failure, unreadableCount } = data.posts;
  if (isTruncated || failure || unreadableCount > 0) return [];
  const { now, zone, locale } = getViewer(data);
  const toDay = (instant: Date) => formatMomentDay({ instant, zone }, { now, locale });
  const { blackouts = [] } = data;
  return listDaysOfWeek(data.filter).map((noon) => ({
    title: toDay(noon),
    isPast: noon < now && toDay(noon) !== toDay(now),
    state: renderDayState(findBlackout({ blackouts }, { instant: noon, zone })),
  }));
}

function renderDayState(blackout: Blackout | undefined): string {
  if (!blackout) return 'free';
  return blackout.name === '' ? 'blackout day' : `blackout day (${sanitizeLine(blackout.name)})`;
}

/** Says that the day of a post is a blackout day: " · blackout day (Christmas)". '' for other groups than days. */
function renderBlackout({ blackouts = [], ...data }: PageData, { post }: Row): string {
  const { zone } = getViewer(data);
  const instant = hasDateRange(data.filter) ? post.scheduleDate : undefined;
  const blackout = instant && findBlackout({ blackouts }, { instant, zone });
  return blackout ? ` · ${renderDayState(blackout)}` : '';
}

/** Renders days without posts, one line for those in a row: "Wed 25 Nov to Fri 27 Nov · free". */
function renderFree(days: readonly Day[]): KnownBlock[] {
  const [first, ...others] = days.filter(({ isPast }) => !isPast);
  if (!first) return [];
  const end = others.findIndex(({ state }) => state !== first.state);
  const [same, later] = end < 0 ? [others, []] : [others.slice(0, end), others.slice(end)];
  const last = same.at(-1) ?? first;
  const titles = last === first ? first.title : `${first.title} to ${last.title}`;
  return [section(`*${escapeText(titles)}* · ${escapeText(first.state)}`), ...renderFree(later)];
}

const SLOTS_UNKNOWN =
  'I couldn’t check which slots are free, because I couldn’t read all posts of the scheduling service.';

/** Renders the next free slot of a week with [Fill], and how many more there are, which [Free slots] shows. */
function renderFreeSlots(data: PageData): KnownBlock[] {
  const { freeSlots, page } = data;
  if (page.number > 0) return [];
  if (freeSlots === 'unknown') return [context(SLOTS_UNKNOWN)];
  const [next, ...others] = freeSlots ?? [];
  if (!next) return [];
  return [
    renderFreeSlot(data, next),
    ...(others.length > 0 ? [context(`…and ${renderCount(others.length, 'more free slot')}.`)] : []),
  ];
}

function renderFreeSlot(data: PageData, slot: FreeSlot): SectionBlock {
  const { zone, locale, now } = getViewer(data);
  // The title of the list names the zone.
  const { day, clock } = renderPostTime({ instant: slot.instant, zone }, { zone, locale }, now);
  const time = `${day}, ${clock}`;
  return {
    ...section(`*${escapeText(time)}* · ${escapeText(renderSlotPlatforms(slot.platforms))} · free slot`),
    accessory: addAccessibilityLabel(
      button('Fill', NEW_POST_ACTION, encodeSlotTarget({ ...slot, project: data.project.id })),
      `Fill the slot: ${time}`,
    ),
  };
}

/** Maximum free slots of a week in a message, which holds 50 blocks. */
const MAX_FREE_SLOTS = 40;

/** Renders all free slots of a week, each with a button that opens the form for it. */
export function renderSlotList(data: PageData): MessageWithBlocks {
  const { project, filter, reader } = data;
  const freeSlots = data.freeSlots === 'unknown' ? [] : (data.freeSlots ?? []);
  const title = `${clipLine(project.name)}: ${renderCount(freeSlots.length, 'free slot')}, ${describeFilter(filter, reader).days}`;
  const line = data.freeSlots === 'unknown' ? SLOTS_UNKNOWN : title;
  const hiddenCount = freeSlots.length - MAX_FREE_SLOTS;
  return {
    text: escapeText(line),
    blocks: [
      section(`*${escapeFormatting(line)}*`),
      ...freeSlots.slice(0, MAX_FREE_SLOTS).map((slot) => renderFreeSlot(data, slot)),
      ...(hiddenCount > 0 ? [context(`…and ${renderCount(hiddenCount, 'more free slot')}.`)] : []),
      actions(...renderWeekButton(project, filter)),
    ],
  };
}

/** Renders the number of a group's posts without a date, on all pages. '' for others, and if the title has it. */
function renderUndatedCount(data: PageData, groupTitle: string): string {
  const { dated, undated, undatedDrafts } = data.posts;
  if (dated.length === 0 && !undatedDrafts) return '';
  const viewer = getViewer(data);
  const count = undated.filter(({ post }) => getGroup(post, data.filter, viewer).title === groupTitle).length;
  return count === 0 ? '' : ` (${undatedDrafts?.isTruncated ? 'at least ' : ''}${count})`;
}

function renderEmptyList(data: PageData): MessageWithBlocks {
  const { project, filter } = data;
  const line = renderEmptyLine(data);
  const text = escapeText(line);
  // If nothing is pending, uncertain or failed, people need no advice.
  const isGoodNews =
    filter.statuses.length > 0 &&
    filter.statuses.every((status) => UNSENT_STATUSES.some((one) => one === status));
  const advice = renderAdvice(filter);
  return {
    text: isGoodNews ? text : `${text} ${advice}`,
    blocks: [
      section(escapeFormatting(line)),
      ...(isGoodNews ? [] : [section(advice)]),
      ...(data.suggestion === undefined ? [] : renderSuggestion(project, data.suggestion)),
      ...renderFreeSlots(data),
      ...renderNotes(data.posts, data.filter),
      renderListButtons(data),
    ],
  };
}

/** Renders "There are no Harbour Coffee posts on Reddit." or "No Harbour Coffee posts contain “cold brew”." */
export function renderEmptyLine({
  project,
  filter,
  reader,
  posts,
  authorName,
}: Pick<PageData, 'project' | 'filter' | 'reader' | 'posts' | 'authorName'>): string {
  const { restrictions, days } = describeFilter(filter, reader, authorName);
  const subject = `${renderAdjective(filter)}${clipLine(project.name)} ${renderNoun(filter)}${restrictions}${renderDays(days)}`;
  const end = `${renderIncompleteness(posts)}.`;
  return filter.search === undefined
    ? `There are no ${subject}${end}`
    : `No ${subject} contain “${filter.search}”${end}`;
}

/** Renders the restriction of a number that may lack posts. '' for a complete list, and after "More than". */
export function renderIncompleteness({ isTruncated, unreadableCount, dated, undated }: FoundPosts): string {
  const hasExactCount = isTruncated && dated.length + undated.length < MAX_READ_POSTS;
  return hasExactCount || (unreadableCount > 0 && dated.length + undated.length === 0)
    ? ', among those I can read'
    : '';
}

/** Says that posts of the service couldn't be loaded (mrkdwn). */
export function renderListFailure({ failure }: FoundPosts): string[] {
  return failure
    ? [`I couldn’t load the service’s posts, so there may be more. ${renderReadFailure(failure)}`]
    : [];
}

/** Renders the notes below a list: which posts it may lack, and why. */
function renderNotes(posts: FoundPosts, filter: PostFilter): KnownBlock[] {
  const { unreadableCount, isTruncated, dated, undated } = posts;
  const hasReadMaximum = dated.length + undated.length >= MAX_READ_POSTS;
  const truncatedText = hasReadMaximum
    ? `There are more posts than I can read, so I show some of the first ${MAX_READ_POSTS}.`
    : 'There may be more posts than I could read.';
  const notes = [
    ...renderListFailure(posts),
    ...(posts.omitsUnsentPostsOfOthers
      ? ['Other people’s posts are included once the service has them.']
      : []),
    ...(isTruncated ? [`${truncatedText} Narrow them down by days or status with *Filter*.`] : []),
    ...renderUnreadable(unreadableCount),
    ...(filter.isMineOnly || filter.author !== undefined
      ? ['Posts made outside Slack aren’t included.']
      : []),
  ];
  return notes.length === 0 ? [] : [context(...notes)];
}
