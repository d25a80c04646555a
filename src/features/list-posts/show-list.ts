import type { KnownBlock } from '@slack/types';
import { DateTime } from 'luxon';
import type { Project } from '../../api/projects.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { storeSealedValue } from '../../forms/sealed-store.ts';
import type { Call } from '../../handlers/call.ts';
import { type HeldSelection, SELECTION_KIND } from '../../held-posts/bulk.ts';
import { EDITABLE_STATES } from '../../held-posts/held-post.ts';
import { readSlotPlan } from '../../held-posts/slots/slot-plan.ts';
import { renderBulkButtons } from '../../held-posts/text/bulk-text.ts';
import { createProjectMessage, type ListFailure, renderDaysQuestion } from '../../lists/list.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import { type Blackout, type FreeSlot, leaveOutPlanned } from '../../preferences/posting-times.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { actions, clipLine, context, escapeText } from '../../slack/blocks.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { paginate } from '../../slack/list-pages.ts';
import { addBlocks, buildQuotingMessage, type Message } from '../../slack/message.ts';
import { replaceEmojiCodes } from '../../slack/text/text.ts';
import { findRange } from '../../when/range.ts';
import { PREFIX, renderFilterButton } from './page/list-buttons.ts';
import { PAGE_SIZE, renderPostList, renderSlotList } from './page/list-message.ts';
import { beginWithToday, createRows, hasDateRange, sortPosts } from './page/post-row.ts';
import { type FoundPosts, type ListedPost, readPosts } from './page/read-list.ts';
import {
  countWholeDays,
  createWeekFilter,
  isFilter,
  isSlackId,
  type ListState,
  listDaysOfWeek,
  MATCH_ALL,
  type PostFilter,
  parsePostFilter,
} from './post-filter.ts';

export const FILTER_EXAMPLES = ['scheduled x this week', 'coffee by @ben', 'my drafts'] as const;
const RANGE_EXAMPLES = ['1 dec - 5 dec'] as const;

const MAX_QUOTED_WORDS = 5;

export const COMMAND = '/upnext posts';
export const WEEK_COMMAND = '/upnext week';
/** How the words of `/upnext week` begin. */
const WEEK = /^week(?:\s+|$)/i;
export const NAMES = { command: COMMAND, noun: 'posts', prefix: PREFIX, isOwnWord: isFilter } as const;

/** Loads the list that the state describes. Creates a page of posts, a question about the filter, or an error. */
export function createListMessage(call: Call, state: ListState): Promise<Message> {
  const isWeek = WEEK.test(state.words ?? '');
  const names = isWeek ? { ...NAMES, command: WEEK_COMMAND } : NAMES;
  return createProjectMessage(call, state, names, async (project, sentWords) => {
    const reader = await fetchReader(call);
    // Slack sends 🎉 as ":tada:", and posts have the character.
    const words = replaceEmojiCodes(sentWords).text;
    if (state.words === undefined) {
      const { filter = createWeekFilter(reader), page, showsSlots } = state;
      return createPageMessage(call, project, { filter, page, showsSlots }, reader);
    }
    const filterText = isWeek ? completeWeek(words.replace(WEEK, ''), reader) : words;
    const reading = readTypedFilter(project, filterText, reader);
    if ('message' in reading) return reading.message;
    const ignoredEmoji = findIgnoredEmoji(words, reading.filter);
    return createPageMessage(call, project, { ...reading, page: 0, ignoredEmoji }, reader);
  });
}

/**
 * Completes the words after `/upnext week` to a filter for a week: “next x” becomes “next week x”, “48” becomes “week 48”,
 * and “14 dec” the week with this day. A longer stretch stays as it is, because “week 7-13 dec” would begin in the seventh
 * week of the year. Pure.
 */
export function completeWeek(text: string, reader: Reader): string {
  if (/\bweeks?\b/iu.test(text)) return text;
  const [, word = '', rest = ''] = /^(?:(next|last|this)\b)?(.*)$/isu.exec(text.trim()) ?? [];
  const weekText = [word, 'week', rest.trim()].filter((part) => part !== '').join(' ');
  const days = findRange({ ...reader, text });
  // There is no week around a date that doesn't exist.
  if (days?.kind === 'not-understood') return text;
  if (!days) return weekText;
  const week = findRange({ ...reader, text: weekText });
  // The number of a week may have a year: “50 2027”.
  if (week?.kind === 'found' && week.rest.length < days.rest.length) return weekText;
  if (days.reading.kind !== 'understood') return text;
  const { from, to, zone } = days.reading.range;
  if (!from || !to || countWholeDays(days.reading.range) !== 1) return text;
  const around = createWeekFilter({ ...reader, zone, now: from });
  const [start, end] = [around.from ?? from, around.to ?? to].map((time) =>
    DateTime.fromJSDate(time, { zone }).toISODate(),
  );
  return `${days.rest} ${start} to ${end}`.trim();
}

/** Reads a typed filter. If it isn't clear, `message` asks or says why. */
export function readTypedFilter(
  project: Project,
  text: string,
  reader: Reader,
): { filter: PostFilter; suggestion?: string } | { message: Message } {
  const parseResult = parsePostFilter(text, reader);
  switch (parseResult.kind) {
    case 'too-long':
      return { message: { text: parseResult.reason } };
    case 'unknown-words':
      return { message: renderUnknownWords(project, parseResult) };
    case 'ambiguous': {
      const candidates = parseResult.candidates.map(({ label, filter }) => ({
        label,
        state: { project: project.id, filter, page: 0 },
      }));
      return { message: renderDaysQuestion(PREFIX, parseResult.phrase, candidates) };
    }
    case 'parsed':
      return parseResult;
  }
}

/** Without characters such as “™” and “ℹ”, which are text unless a variation selector follows. */
const EMOJI =
  /(?:[\p{Emoji_Presentation}\p{RI}]|\p{Extended_Pictographic}\ufe0f)(?:[\p{Extended_Pictographic}\p{RI}\p{Emoji_Modifier}]|\u200d|\ufe0f)*/gu;

/** Finds the emoji that aren't searched for: days may be typed with some, as in "friday 🎉". */
function findIgnoredEmoji(typed: string, { search = '' }: PostFilter): string | undefined {
  // The parser normalizes too, which turns some characters into letters.
  return search.match(EMOJI) ? undefined : normalizeUnicode(typed, 'NFKC').match(EMOJI)?.join(' ');
}

function renderIgnoredEmoji(emoji: string): string {
  const shown = escapeText(clipLine(emoji));
  return `I left out “${shown}”. To find posts with it, type \`${COMMAND} ${shown}\`.`;
}

async function createPageMessage(
  call: Call,
  project: Project,
  request: {
    filter: PostFilter;
    page: number;
    suggestion?: string | undefined;
    ignoredEmoji?: string | undefined;
    showsSlots?: boolean | undefined;
  },
  reader: Reader,
): Promise<Message | ListFailure> {
  const { page: pageNumber, suggestion, ignoredEmoji, showsSlots } = request;
  const posts = await readPosts(call, project, request.filter);
  if (posts.kind === 'failed')
    return {
      failure: posts.failure,
      state: { project: project.id, filter: request.filter, page: pageNumber },
    };
  // The form of [Filter] can't show a typed name.
  const filter = posts.author === undefined ? request.filter : { ...request.filter, author: posts.author };
  const sortedPosts = hasDateRange(filter)
    ? beginWithToday(sortPosts(posts, filter, reader), filter, reader)
    : sortPosts(posts, filter, reader);
  const shownPage = paginate(sortedPosts, pageNumber, PAGE_SIZE);
  const { author = '' } = request.filter;
  const [rows, authorName, calendar, bulkButtons] = await Promise.all([
    createRows(call, project, shownPage.items),
    isSlackId(author) ? fetchDisplayName(call, author) : `@${author}`,
    readCalendar(call, project, filter, posts),
    // The list of a week also shows the drafts without a date, which don't belong to the week.
    createBulkButtons(call, project, posts.undatedDrafts ? posts.dated : [...posts.dated, ...posts.undated]),
  ]);
  const data = {
    ...{ project, filter, posts, rows, reader, authorName, suggestion, ...calendar },
    hasPages: call.context.web.hasPages,
    page: shownPage,
    previousPost: sortedPosts[shownPage.number * PAGE_SIZE - 1],
  };
  if (showsSlots) return renderSlotList(data);
  const list = renderPostList(data);
  const notes = ignoredEmoji === undefined ? [] : [context(renderIgnoredEmoji(ignoredEmoji))];
  return { ...list, blocks: [...list.blocks, ...notes, ...bulkButtons] };
}

/**
 * Reads the blackout days of a list by day, and the free slots of a week, without those at whose times the service has
 * posts.
 */
async function readCalendar(
  call: Call,
  { id: project }: Project,
  filter: PostFilter,
  { dated, isTruncated, failure, unreadableCount }: FoundPosts,
): Promise<{ freeSlots?: FreeSlot[] | 'unknown'; blackouts?: readonly Blackout[] }> {
  const { from, to } = filter;
  if (!hasDateRange(filter) || (to !== undefined && to <= call.now())) return {};
  const key = { workspace: call.actor.workspace, project };
  const context = call.context.heldPosts;
  const policy = await findPolicy(context.db, key);
  const { blackouts } = policy;
  const isWeek = listDaysOfWeek(filter).length > 0 && from !== undefined && to !== undefined;
  if (!isWeek || policy.postingTimes.length === 0 || call.lacks('contributor', project)) return { blackouts };
  // A slot that nobody could look up isn't free.
  if (isTruncated || failure || unreadableCount > 0) return { blackouts, freeSlots: 'unknown' };
  const { free } = await readSlotPlan(context, key, policy, { from, until: to });
  const planned = dated.flatMap(({ post: { scheduleDate: instant, platforms } }) =>
    instant ? [{ instant, platforms }] : [],
  );
  return { blackouts, freeSlots: leaveOutPlanned(free, planned) };
}

/** With fewer posts, the buttons of each post are enough. */
const MIN_POSTS = 2;

/** Stores the held posts of a list, and renders the buttons that change all. `when`: a typed time for them. */
export async function createBulkButtons(
  call: Call,
  { id: project }: Project,
  listedPosts: readonly ListedPost[],
  when?: string,
): Promise<readonly KnownBlock[]> {
  const heldPosts = listedPosts.flatMap(({ held, author }) =>
    held && EDITABLE_STATES.some((state) => state === held.state) ? [{ ...held, author }] : [],
  );
  if (heldPosts.length < MIN_POSTS) return [];
  const posts = heldPosts.map(({ id, version, hash, state, author, facts: { parts } }) => ({
    ...{ id, version, hash },
    // Nobody approves their own posts.
    mayApprove: state === 'awaiting-review' && author !== call.actor.user,
    isPartlySent: parts !== undefined && parts.others.length < parts.total,
  }));
  const selection: HeldSelection = { project, posts };
  return renderBulkButtons(await storeSealedValue(call, SELECTION_KIND, selection), {
    count: heldPosts.length,
    reviewCount: posts.filter(({ mayApprove }) => mayApprove).length,
    mayChange: call.may('publisher', project),
    arePartlySent: posts.some(({ isPartlySent }) => isPartlySent),
    when,
  });
}

/** Renders a reply to a filter with unknown words: a quote of the words, or that they are further days, and examples. */
function renderUnknownWords(
  project: Project,
  { unknownWords, listsDays }: { unknownWords: readonly string[]; listsDays: boolean },
): Message {
  const quotedWords = unknownWords.slice(0, MAX_QUOTED_WORDS).map((word) => `“${clipLine(word)}”`);
  const moreText = unknownWords.length > MAX_QUOTED_WORDS ? ' and more' : '';
  const line = listsDays
    ? 'I can list only one range of days at a time.'
    : `I can’t filter by ${quotedWords.join(', ')}${moreText}.`;
  const examples = (listsDays ? RANGE_EXAMPLES : FILTER_EXAMPLES).map((each) => `\`${COMMAND} ${each}\``);
  const advice = `What works, for example: ${examples.join(', ')}.`;
  return addBlocks(buildQuotingMessage(line, advice), actions(...renderFilterButton(project, MATCH_ALL)));
}
