import { z } from 'zod';
import { PLATFORMS, POST_STATUSES } from '../../api/platforms.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import type { Reader } from '../../forms/form-context.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import {
  isConjunction,
  leadsToPlatform,
  listPlatformAliases,
  parsePlatform,
  renderPlatformNames,
  separatePlatforms,
} from '../../posts/platforms.ts';
import { HELD_STATUSES } from '../../posts/post-status.ts';
import { shiftTime } from '../../posts/post-time.ts';
import { isPersonId } from '../../slack/actor.ts';
import { sanitizeLine } from '../../slack/blocks.ts';
import { findNearest } from '../../slack/suggest.ts';
import { UNSENT_STATUSES } from '../../submissions/unsent-posts.ts';
import { findRange, type Range, renderRange, understandRange } from '../../when/range.ts';
import { withStepBudget } from '../../when/when.ts';
import { wallClockAt } from '../../when/zones.ts';

/** The statuses of a filter: of the service's posts, of posts that it may not have yet, and of held posts. */
export const FILTER_STATUSES = [...POST_STATUSES, ...UNSENT_STATUSES, ...HELD_STATUSES] as const;
type FilterStatus = (typeof FILTER_STATUSES)[number];

/** The statuses that a status includes: a held post is scheduled too, and a post that needs a decision has failed. */
const INCLUDED_STATUSES: Partial<Record<string, readonly FilterStatus[]>> = {
  SCHEDULED: ['HELD', 'REVIEW'],
  FAILED: ['DECISION'],
};

/** Adds the statuses of held posts that the statuses of a filter include. An empty list matches all posts but cancelled ones. */
export function includeHeldStatuses(statuses: readonly string[]): string[] {
  return statuses.flatMap((status) => [status, ...(INCLUDED_STATUSES[status] ?? [])]);
}

/** What a person calls posts of a status, before the noun. */
const ADJECTIVES: Partial<Record<FilterStatus, string>> = {
  HELD: 'editable',
  REVIEW: 'unreviewed',
  DECISION: 'undecided',
};

/** A filter for posts. An empty list of statuses or platforms matches all posts. */
const postFilter = z.object({
  statuses: z.array(z.enum(FILTER_STATUSES)),
  platforms: z.array(z.enum(PLATFORMS)),
  /** Only posts that the reader sent from Upnext. */
  isMineOnly: z.boolean().optional(),
  /** Only posts scheduled with Upnext by this colleague: a Slack id, or a name as typed. */
  author: z.string().optional(),
  /** Only posts whose text contains all these words. */
  search: z.string().optional(),
  /** Only drafts without a date. */
  isUndatedOnly: z.boolean().optional(),
  /** Of the drafts, only those with a date. */
  omitsUndatedDrafts: z.boolean().optional(),
  /** The first and the last instant of the days, both inclusive. */
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
  /** The zone of the days. Defaults to the reader's zone. */
  zone: z.string().optional(),
});
export type PostFilter = z.infer<typeof postFilter>;

export const MATCH_ALL: PostFilter = { statuses: [], platforms: [] };

export function isNarrowed({ statuses, platforms, isMineOnly, isUndatedOnly, ...rest }: PostFilter): boolean {
  const values = [rest.author, rest.search, rest.from, rest.to];
  return (
    statuses.length + platforms.length > 0 ||
    isMineOnly === true ||
    isUndatedOnly === true ||
    values.some((value) => value !== undefined)
  );
}

/** The state of a list, which the list's buttons store. */
export const listState = z.object({
  project: z.string().optional(),
  page: z.number().int(),
  /** The text after the command, which replaces `filter` until it is parsed. */
  words: z.string().optional(),
  filter: postFilter.optional(),
  /** Whether the free slots of the week are shown instead of its posts. */
  showsSlots: z.boolean().optional(),
});
export type ListState = z.infer<typeof listState>;

/** Returns the adjective of the posts in a list, with a space: "pending, uncertain or failed ", or "" for all posts. */
export function renderAdjective({ statuses }: Pick<PostFilter, 'statuses'>): string {
  const names = statuses
    .filter((status) => status !== 'DRAFT')
    .map((status) => ADJECTIVES[status] ?? status.toLowerCase());
  return names.length === 0 ? '' : `${names.join(', ').replace(/, (?=[^,]+$)/, ' or ')} `;
}

/** Returns the noun of the posts in a list: "posts", "drafts", or "posts or drafts". */
export function renderNoun({ statuses, isUndatedOnly }: PostFilter): string {
  if (isUndatedOnly || (statuses.includes('DRAFT') && statuses.length === 1)) return 'drafts';
  return statuses.includes('DRAFT') ? 'posts or drafts' : 'posts';
}

/**
 * Describes the restrictions except the status and the text, in plain text: " without a date on X and LinkedIn by @ben"
 * and "Mon 16 Nov to Sun 22 Nov (Berlin)". `authorName`: the name of an author who was chosen in the form.
 */
export function describeFilter(
  filter: PostFilter,
  reader: { now: Date; zone: string },
  authorName = 'a colleague',
): { restrictions: string; days: string } {
  const { from, to, platforms, isMineOnly, isUndatedOnly, author } = filter;
  const hasDatedOnly = filter.omitsUndatedDrafts && renderNoun(filter) === 'drafts';
  const range = { from, to, zone: filter.zone ?? reader.zone };
  const restrictions = [
    ...(isUndatedOnly ? ['without a date'] : []),
    ...(hasDatedOnly ? ['with a date'] : []),
    ...(platforms.length > 0 ? [`on ${renderPlatformNames(platforms)}`] : []),
    ...(isMineOnly ? ['by you'] : []),
    ...(author === undefined ? [] : [`by ${isSlackId(author) ? authorName : `@${author}`}`]),
  ];
  return {
    restrictions: restrictions.map((text) => ` ${text}`).join(''),
    days: from === undefined && to === undefined ? '' : renderRange(range, reader),
  };
}

/** Renders days in a sentence: " from Mon 16 Nov to Sun 22 Nov (Lisbon)", " on Sat 21 Nov (Lisbon)". */
export function renderDays(days: string): string {
  if (days === '' || /^(from|until) /.test(days)) return days && ` ${days}`;
  const preposition = / to [A-Z]/.test(days) ? 'from' : 'on';
  return ` ${preposition} ${days}`;
}

/** Renders what to try instead of a filter that matches no post. Mrkdwn. */
export function renderAdvice(filter: PostFilter): string {
  if (!isNarrowed(filter)) return 'Schedule the first one with `/schedule-post`.';
  if (filter.search !== undefined) return 'Try other words, or look through all posts.';
  const hasDays = filter.from !== undefined || filter.to !== undefined;
  if (!hasDays) return 'Try another filter, or look through all posts.';
  const { from: _from, to: _to, ...otherFilter } = filter;
  return isNarrowed(otherFilter) ? 'Try other days or another filter.' : 'Try other days.';
}

/** Whether the author of the filter is a Slack user id, chosen in the form, and not a typed name. */
export function isSlackId(author: string): boolean {
  return isPersonId(author) && author.length > 2;
}

/** Counts the calendar days in a range. Undefined if the range doesn't start and end at midnight in its zone. */
export function countWholeDays({ from, to, zone }: Range): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const start = wallClockAt(from.getTime(), zone);
  const end = wallClockAt(to.getTime(), zone) + 1;
  const isWhole = start % DAY_MS === 0 && end % DAY_MS === 0;
  return isWhole ? (end - start) / DAY_MS : undefined;
}

export function isWholeWeek({ from, to, zone }: PostFilter): boolean {
  return zone !== undefined && countWholeDays({ from, to, zone }) === 7;
}

/** Lists the middles of a week's days. Empty for other filters, and for those after which a day may seem to be free. */
export function listDaysOfWeek(filter: PostFilter): Date[] {
  const { from, to: _to, zone, ...others } = filter;
  if (!isWholeWeek(filter) || from === undefined || zone === undefined || isNarrowed(others)) return [];
  return Array.from({ length: 7 }, (_, days) => shiftTime(from, zone, { days, minutes: 12 * 60 }));
}

/** Shifts a range of whole days by `days`; negative is earlier. Keeps the wall times when the clocks change. */
export function shiftDays({ from, to, zone }: Range, days: number): Range {
  const shift = (instant: number) => shiftTime(new Date(instant), zone, { days, minutes: 0 });
  return {
    zone,
    ...(from && { from: shift(from.getTime()) }),
    ...(to && { to: new Date(shift(to.getTime() + 1).getTime() - 1) }),
  };
}

/**
 * The result of parsing a filter. `suggestion`: the corrected text, if each word of the text search may be a typo.
 * 'ambiguous': the days in `phrase` can mean several ranges. 'too-long': the text exceeds the date parser's limits.
 * 'unknown-words': the words are neither a filter nor a text to search for. `listsDays`: they are further days.
 */
type ParsedFilter =
  | { kind: 'parsed'; filter: PostFilter; suggestion?: string }
  | { kind: 'ambiguous'; phrase: string; candidates: readonly { label: string; filter: PostFilter }[] }
  | { kind: 'too-long'; reason: string }
  | { kind: 'unknown-words'; unknownWords: readonly string[]; listsDays: boolean };

/** The words that name each status in a filter. "Waiting" and "unsent" name everything that the outbox may contain. */
const WORDS_BY_STATUS: Readonly<Record<FilterStatus, string>> = {
  DRAFT: 'draft drafts drafted unscheduled',
  SCHEDULED: 'scheduled planned queued upcoming coming next',
  PUBLISHED: 'published posted sent live',
  PENDING: 'pending waiting unsent',
  UNCERTAIN: 'uncertain unsure waiting unsent',
  FAILED: 'failed failing waiting unsent',
  HELD: 'held editable kept',
  REVIEW: 'review reviewing reviews unreviewed unapproved',
  DECISION: 'decision decisions undecided',
  CANCELLED: 'cancelled canceled',
};
const STATUS_WORDS = Object.values(WORDS_BY_STATUS).flatMap((words) => words.split(' '));
const MINE_WORDS = ['mine', 'my', 'me', 'myself', 'own'];
const ALL_WORDS = ['all', 'any', 'every', 'everything', 'everywhere'];
const FILLER_WORDS =
  'a an and are as at been by did due for from go goes going happened happening happens has have i in is it list of on or out our please post posts show that the their those to under via was we were what which will with'.split(
    ' ',
  );
/** Words that a text search would misread. */
const NEGATIONS = ['not', 'except', 'without'];
/** Words for days. If one remains after the date parser has run, the text has a second range of days. */
const DAY_WORDS = ['today', 'tomorrow', 'week'];
/** Matches a colleague after "by", with all following words that begin with a capital letter: "by @Ben Okafor". */
const COLLEAGUE_PATTERN = /\bby\s+@([\p{L}\p{N}._-]+(?:\s+\p{Lu}[\p{L}.-]*)*)/u;
/** Patterns of phrases, each with the keyword that replaces the phrase. */
const PHRASE_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:(?:without|with no|no) (?:a |any )?(?:date|day|time)s?|dateless)\b/gi, 'undated'],
  [/\b(?:a?waiting (?:for )?(?:a |the )?|in |under )reviews?\b/gi, 'review'],
  [/\b(?:needs?|needing|waiting for) (?:a |my |our )?decisions?\b/gi, 'undecided'],
  [/の投稿(?=$|[\s、])/g, ' '],
];
/** Maximum length of an unknown word for which a correction is suggested, in characters. */
const MAX_CORRECTED_LENGTH = 80;
/** Maximum length of the text to search for, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 100;

/** Replaces phrases by the words for them: "linked in" by "linkedin", "waiting for a review" by "review". */
function withKeywords(text: string): string {
  return PHRASE_REPLACEMENTS.reduce((current, phrase) => current.replace(...phrase), separatePlatforms(text));
}

/**
 * Parses a filter such as "scheduled x this week", "my drafts" or "coffee by @ben". Other words are searched for in the
 * posts. An empty filter means this week. Pure.
 */
export function parsePostFilter(text: string, reader: Reader): ParsedFilter {
  const normalizedText = withKeywords(sanitizeLine(normalizeUnicode(text, 'NFKC')));
  const [, colleague] = COLLEAGUE_PATTERN.exec(normalizedText) ?? [];
  const otherText = normalizedText.replace(COLLEAGUE_PATTERN, ' ').trim();
  const foundRange = findDays(otherText, reader);
  if (foundRange?.kind === 'not-understood') return { kind: 'too-long', reason: foundRange.reason };
  // `/upnext month december` is about December.
  const otherWords = foundRange?.rest.replace(/^month\b/i, '') ?? otherText;
  const { filter, hasAllWord, searchWords } = parseWords(otherWords, reader.locale);
  if (colleague !== undefined) filter.author = colleague;
  const search = searchWords.join(' ');
  const isJoining = (word: string) => isConjunction(word, reader.locale);
  const otherDays = searchWords.filter((word) => !isJoining(word)).join(' ');
  // "Heute und morgen" and "monday, tuesday", unlike "christmas this month".
  const items = otherText.replace(/\S+/g, (word) => (isJoining(word) ? ',' : word)).split(/[,，、]/);
  const listsDays =
    foundRange !== undefined &&
    findDays(otherDays, reader)?.rest === '' &&
    items.filter((item) => findDays(item, reader)).length > 1;
  const isSearchable = searchWords.every((word) => ![...NEGATIONS, ...DAY_WORDS].includes(word));
  if (listsDays || !isSearchable || search.length > MAX_SEARCH_LENGTH)
    return { kind: 'unknown-words', unknownWords: searchWords, listsDays };
  if (search !== '') filter.search = search;
  const suggestion = search === '' ? undefined : suggestCorrection(normalizedText, searchWords);
  const correction = suggestion !== undefined && { suggestion };
  if (!foundRange) {
    const isEmptyFilter = !hasAllWord && !isNarrowed(filter);
    return { kind: 'parsed', filter: isEmptyFilter ? createWeekFilter(reader) : filter, ...correction };
  }
  const { reading, phrase } = foundRange;
  if (reading.kind === 'understood')
    return { kind: 'parsed', filter: addRange(filter, reading.range), ...correction };
  const candidates = reading.candidates.map(({ text: label, range }) => ({
    label,
    filter: addRange(filter, range),
  }));
  return { kind: 'ambiguous', phrase, candidates };
}

/** Whether a text is nothing but a filter, without words to search for: "drafts", "undecided this week". */
export function isFilter(text: string): boolean {
  if (text.length > MAX_DAYS_LENGTH || hasOnlyFillers(text)) return false;
  return withStepBudget(() => {
    // The reader's own zone doesn't matter to whether words are days.
    const parsed = parsePostFilter(text, { now: new Date(0), zone: 'UTC', locale: undefined });
    return parsed.kind === 'ambiguous' || (parsed.kind === 'parsed' && parsed.filter.search === undefined);
  });
}

/** Maximum length of a line about days, in UTF-16 units. A line may have 80 kB. */
const MAX_DAYS_LENGTH = 100;

const QUESTION = /^\s*(?:what|which)\b/iu;
/** What may stand beside days that aren't in a question. Others, such as "please post" and "we go live", begin a post. */
const WORDS_BESIDE_DAYS = ['for', 'in', 'mine', 'my', 'of', 'on', 'posts', 'the'];
/** Statuses that begin a new post too: "draft friday", "live friday". */
const WORDS_OF_NEW_POSTS = ['draft', 'drafted', 'live'];

/**
 * Whether a line without a command is about the posts of some days: "december", "last week on x", "what goes out on
 * friday?". Not "next week", which the command `next` has, and not what may be meant for a new post: a single time, a
 * text after a colon, "draft friday".
 */
export function isAboutDays(line: string, locale?: string): boolean {
  if (line.length > MAX_DAYS_LENGTH || /:(?:\s|$)/.test(line)) return false;
  const words = withKeywords(line.replace(/(?<![?!.])[?!.]+\s*$/, ''));
  if (/^next\b/i.test(words.trim())) return false;
  return withStepBudget(() => {
    // Nobody is known yet when a line is looked up. The reader's own zone matters only afterwards.
    const reader = { now: new Date(0), zone: 'UTC', locale };
    const days = findDays(words, reader);
    if (days?.rest === undefined) return false;
    if (
      !QUESTION.test(words) &&
      !splitWords(days.rest).every((_word, index, all) => isBesideDays(all, index, locale))
    )
      return false;
    if (days.kind === 'not-understood') return true; // A date that doesn't exist.
    const parsed = parsePostFilter(words, reader);
    if (parsed.kind === 'ambiguous')
      return parsed.candidates.every(({ filter }) => filter.search === undefined);
    if (parsed.kind !== 'parsed') return false;
    const { search, from, to } = parsed.filter;
    return search === undefined && from !== undefined && !(to && to.getTime() - from.getTime() <= HOUR_MS);
  });
}

function isBesideDays(words: readonly string[], index: number, locale: string | undefined): boolean {
  const word = words[index]?.toLowerCase() ?? '';
  if (STATUS_WORDS.includes(word)) return !WORDS_OF_NEW_POSTS.includes(word);
  const isKnown = WORDS_BESIDE_DAYS.includes(word) || parsePlatform(word) !== undefined;
  return isKnown || leadsToPlatform(words, index, locale);
}

/** Creates the filter for the current week in the reader's calendar. */
export function createWeekFilter(reader: Reader): PostFilter {
  // This range has its own step budget, because parsing the typed text may have used up the request's budget.
  const reading = withStepBudget(() => understandRange({ ...reader, text: 'this week' }));
  return reading.kind === 'understood' ? addRange(MATCH_ALL, reading.range) : MATCH_ALL;
}

/** Adds a range of days to a filter. Doesn't change a filter for undated drafts. */
export function addRange(filter: PostFilter, range: Range): PostFilter {
  return filter.isUndatedOnly ? filter : { ...filter, ...range };
}

/** Finds a range of days in the text. "Week", "month", "quarter" and "year" alone mean the current one. */
function findDays(text: string, reader: Reader) {
  const foundRange = findRange({ ...reader, text });
  if (foundRange) return foundRange;
  const textWithThis = text.replace(/\b(?:the )?(week|month|quarter|year)\b/i, 'this $1');
  return textWithThis === text ? undefined : findRange({ ...reader, text: textWithThis });
}

function parseWords(text: string, locale: string | undefined) {
  const filter: PostFilter = { statuses: [], platforms: [] };
  const searchWords: string[] = [];
  let [hasAllWord, isAfterBy, isAfterAuthor] = [false, false, false];
  const words = splitWords(text);
  for (const [index, typedWord] of words.entries()) {
    const searchWord = typedWord.toLowerCase();
    const word = searchWord.replace(/(?<![+#])[+#]+$/, '');
    const hadAuthor: boolean = isAfterAuthor;
    isAfterAuthor = false;
    const statuses = FILTER_STATUSES.filter((status) => WORDS_BY_STATUS[status].split(' ').includes(word));
    const platform = parsePlatform(word);
    if (statuses.length > 0) filter.statuses.push(...statuses);
    else if (ALL_WORDS.includes(word)) hasAllWord = true;
    else if (platform !== undefined && platform !== 'all') filter.platforms.push(platform);
    else if (MINE_WORDS.includes(word)) filter.isMineOnly = true;
    else if (word === 'undated') filter.isUndatedOnly = true;
    else if (!FILLER_WORDS.includes(word)) {
      const isFurtherName: boolean = hadAuthor && /^\p{Lu}/u.test(typedWord);
      isAfterAuthor = isAfterBy || isFurtherName;
      if (isFurtherName) filter.author = `${filter.author} ${word}`;
      else if (isAfterBy) filter.author = word;
      else if (!leadsToPlatform(words, index, locale)) searchWords.push(searchWord);
    }
    isAfterBy = word === 'by' || (isAfterBy && word === 'the');
  }
  filter.statuses = [...new Set(filter.statuses)];
  filter.platforms = [...new Set(filter.platforms)];
  return { filter, hasAllWord, searchWords };
}

/** A word without the punctuation around it. It may be an emoji, and “c++” keeps its signs. */
const WORD =
  /[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}](?:.*[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}])?[+#]*/u;

function splitWords(text: string): string[] {
  return text
    .split(/[\s,;&/|()]+|\+(?=[\p{L}\p{N}])/u)
    .flatMap((word) => WORD.exec(word)?.[0].replace(/['’]s$/i, '') ?? []);
}

/** Whether a text has no words, or only words such as "the post", which restrict nothing. */
export function hasOnlyFillers(text: string): boolean {
  return splitWords(text).every((word) => FILLER_WORDS.includes(word.toLowerCase()));
}

/** Suggests a corrected text, if every word of a text search is similar to a known word. */
function suggestCorrection(text: string, searchWords: readonly string[]): string | undefined {
  const knownWords = [...STATUS_WORDS, ...listPlatformAliases(), 'mine', 'undated', ...DAY_WORDS];
  const findCorrection = (word: string) =>
    word.length > MAX_CORRECTED_LENGTH ? undefined : findNearest(word, knownWords);
  const corrections = new Map(searchWords.map((word) => [word, findCorrection(word)]));
  if ([...corrections.values()].includes(undefined)) return undefined;
  return text
    .split(' ')
    .map((word) => corrections.get(word.toLowerCase()) ?? word)
    .join(' ');
}
