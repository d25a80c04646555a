import { storeDays } from '../../../forms/list.ts';
import { listPlatformAliases, parsePlatform } from '../../../posts/platforms.ts';
import { sanitizeLine } from '../../../slack/blocks.ts';
import { findNearest } from '../../../slack/suggest.ts';
import { findRange, type Range, understandRange } from '../../../when/range.ts';
import { withStepBudget } from '../../../when/when.ts';
import { FILTER_STATUSES, type FilterStatus, isNarrowed, MATCH_ALL, type PostFilter } from './post-filter.ts';

/** The reader's time, zone and locale. */
interface Reader {
  now: Date;
  zone: string;
  locale?: string | undefined;
}

/**
 * The result of parsing a filter. `suggestion`: the corrected text, if each word of the text search may be a typo.
 * 'ambiguous': the days in `phrase` can mean several ranges. 'too-long': the text exceeds the date parser's limits.
 * 'unknown-words': the words are neither a filter nor a text to search for.
 */
type ParsedFilter =
  | { kind: 'parsed'; filter: PostFilter; suggestion?: string }
  | { kind: 'ambiguous'; phrase: string; candidates: readonly { label: string; filter: PostFilter }[] }
  | { kind: 'too-long'; reason: string }
  | { kind: 'unknown-words'; unknownWords: readonly string[] };

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
/** Words for the reader's own posts. */
const MINE_WORDS = ['mine', 'my', 'me', 'myself', 'own'];
const UNDATED_WORDS = ['undated', 'dateless'];
const ALL_WORDS = ['all', 'any', 'every', 'everything', 'everywhere'];
/** Words that a filter ignores. */
const FILLER_WORDS =
  'a an and are as at by due for from going i in is it list of on or out our please post posts show that the their those to under via was we were what which with'.split(
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
  [/\b(?:without|with no|no) (?:a |any )?(?:date|day|time)s?\b/gi, 'undated'],
  [/\b(?:a?waiting (?:for )?(?:a |the )?|in |under )reviews?\b/gi, 'review'],
  [/\b(?:needs?|needing|waiting for) (?:a |my |our )?decisions?\b/gi, 'undecided'],
  [/\btik tok\b/gi, 'tiktok'],
  [/\byou tube\b/gi, 'youtube'],
  [/\blinked in\b/gi, 'linkedin'],
];
/** Maximum length of an unknown word for which a correction is suggested, in characters. */
const MAX_CORRECTED_LENGTH = 80;
/** Maximum length of the text to search for, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 100;

/**
 * Parses a filter such as "scheduled x this week", "my drafts" or "coffee by @ben". Other words are searched for in the
 * posts. An empty filter means this week. Pure.
 */
export function parsePostFilter(text: string, reader: Reader): ParsedFilter {
  const normalizedText = PHRASE_REPLACEMENTS.reduce(
    (currentText, [pattern, keyword]) => currentText.replace(pattern, keyword),
    sanitizeLine(text.normalize('NFKC')).replace(/\s+/g, ' '),
  );
  const [, colleague] = COLLEAGUE_PATTERN.exec(normalizedText) ?? [];
  const otherText = normalizedText.replace(COLLEAGUE_PATTERN, ' ').trim();
  const foundRange = findDays(otherText, reader);
  if (foundRange?.kind === 'not-understood') return { kind: 'too-long', reason: foundRange.reason };
  const { filter, hasAllWord, searchWords } = parseWords(foundRange?.rest ?? otherText);
  if (colleague !== undefined) filter.author = colleague;
  const search = searchWords.join(' ');
  const isSearchable = searchWords.every((word) => ![...NEGATIONS, ...DAY_WORDS].includes(word));
  if (!isSearchable || search.length > MAX_SEARCH_LENGTH)
    return { kind: 'unknown-words', unknownWords: searchWords };
  if (search !== '') filter.search = search;
  const suggestion = search === '' ? undefined : suggestCorrection(normalizedText, searchWords);
  const correction = suggestion === undefined ? {} : { suggestion };
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

/** Creates the filter for the current week in the reader's calendar. */
export function createWeekFilter(reader: Reader): PostFilter {
  // This range has its own step budget, because parsing the typed text may have used up the request's budget.
  const reading = withStepBudget(() => understandRange(createRangeRequest('this week', reader)));
  return reading.kind === 'understood' ? addRange(MATCH_ALL, reading.range) : MATCH_ALL;
}

/** Adds a range of days to a filter. Doesn't change a filter for undated drafts. */
export function addRange(filter: PostFilter, range: Range): PostFilter {
  return filter.isUndatedOnly ? filter : { ...filter, zone: range.zone, ...storeDays(range) };
}

function createRangeRequest(text: string, { now, zone, locale }: Reader) {
  return { text, now, zone, ...(locale !== undefined && { locale }) };
}

/** Finds a range of days in the text. "Week", "month", "quarter" and "year" alone mean the current one. */
function findDays(text: string, reader: Reader) {
  const foundRange = findRange(createRangeRequest(text, reader));
  if (foundRange) return foundRange;
  const textWithThis = text.replace(/\b(?:the )?(week|month|quarter|year)\b/i, 'this $1');
  return textWithThis === text ? undefined : findRange(createRangeRequest(textWithThis, reader));
}

function parseWords(text: string) {
  const filter: PostFilter = { statuses: [], platforms: [] };
  const searchWords: string[] = [];
  let hasAllWord = false;
  let isAfterBy = false;
  for (const word of splitWords(text)) {
    const statuses = FILTER_STATUSES.filter((status) => WORDS_BY_STATUS[status].split(' ').includes(word));
    const platform = parsePlatform(word);
    if (statuses.length > 0) addOnce(filter.statuses, ...statuses);
    else if (ALL_WORDS.includes(word)) hasAllWord = true;
    else if (platform !== undefined && platform !== 'all') addOnce(filter.platforms, platform);
    else if (MINE_WORDS.includes(word)) filter.isMineOnly = true;
    else if (UNDATED_WORDS.includes(word)) filter.isUndatedOnly = true;
    else if (!FILLER_WORDS.includes(word)) {
      if (isAfterBy) filter.author = word;
      else searchWords.push(word);
    }
    isAfterBy = word === 'by' || (isAfterBy && word === 'the');
  }
  return { filter, hasAllWord, searchWords };
}

function splitWords(text: string): string[] {
  return text
    .split(/[\s,;+&/|()]+/)
    .map((word) =>
      word
        .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
        .replace(/['’]s$/i, '')
        .toLowerCase(),
    )
    .filter((word) => word !== '');
}

function addOnce<Item>(items: Item[], ...added: Item[]): void {
  items.push(...added.filter((item) => !items.includes(item)));
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
