import type { PostStatus } from '../../../api/platforms.ts';
import { listPlatformAliases, parsePlatform } from '../../../posts/platforms.ts';
import { sanitizeLine } from '../../../slack/escape.ts';
import { findNearest } from '../../../slack/suggest.ts';
import { findRange, type Range, understandRange, withStepBudget } from '../../../when/when.ts';
import { EVERYTHING, isNarrowed, type PostFilter } from './post-filter.ts';

/** The reader's time, zone and locale. */
interface Reader {
  now: Date;
  zone: string;
  locale?: string | undefined;
}

/**
 * The result of parsing a filter. `ambiguous`: the days in `phrase` can mean several ranges. `unclear`: some words are
 * unknown, and `suggestion` is the corrected text.
 */
type ParsedFilter =
  | { kind: 'read'; filter: PostFilter }
  | { kind: 'ambiguous'; phrase: string; candidates: readonly { said: string; filter: PostFilter }[] }
  | { kind: 'too-long'; reason: string }
  | { kind: 'unclear'; unknown: readonly string[]; suggestion?: string };

const STATUSES: Readonly<Record<string, PostStatus>> = {
  draft: 'DRAFT',
  drafts: 'DRAFT',
  drafted: 'DRAFT',
  unscheduled: 'DRAFT',
  scheduled: 'SCHEDULED',
  planned: 'SCHEDULED',
  queued: 'SCHEDULED',
  upcoming: 'SCHEDULED',
  coming: 'SCHEDULED',
  next: 'SCHEDULED',
  published: 'PUBLISHED',
  posted: 'PUBLISHED',
  sent: 'PUBLISHED',
  live: 'PUBLISHED',
};
const MINE = ['mine', 'my', 'me', 'myself', 'own'];
const UNDATED = ['undated', 'dateless'];
const EVERY = ['all', 'any', 'every', 'everything', 'everywhere'];
/** Ignored words. */
const FILLERS =
  'a an and are as at by due for from going i in is it list of on or out our please post posts show that the their those to under via was we were what which with'.split(
    ' ',
  );
/** Phrases, each with the keyword that replaces it. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:without|with no|no) (?:a |any )?(?:date|day|time)s?\b/gi, 'undated'],
  [/\btik tok\b/gi, 'tiktok'],
  [/\byou tube\b/gi, 'youtube'],
  [/\blinked in\b/gi, 'linkedin'],
];
/** Maximum length of an unknown word that gets a suggestion. */
const MAX_WORD_LENGTH = 80;

/** Parses a filter such as "scheduled x this week" or "my drafts". An empty filter means this week. Pure. */
export function parsePostFilter(text: string, reader: Reader): ParsedFilter {
  const normalizedText = PHRASES.reduce(
    (words, [phrase, word]) => words.replace(phrase, word),
    sanitizeLine(text.normalize('NFKC')).replace(/\s+/g, ' '),
  );
  const days = findDays(normalizedText, reader);
  if (days?.kind === 'not-understood') return { kind: 'too-long', reason: days.reason };
  const parsed = parseWords(days?.rest ?? normalizedText);
  if (parsed.unknown.length > 0) return suggestCorrection(normalizedText, parsed.unknown);
  const { filter, isAll } = parsed;
  if (!days) return { kind: 'read', filter: isAll || isNarrowed(filter) ? filter : createWeekFilter(reader) };
  const { reading } = days;
  if (reading.kind === 'understood') return { kind: 'read', filter: withDays(filter, reading.range) };
  const candidates = reading.candidates.map(({ said, range }) => ({ said, filter: withDays(filter, range) }));
  return { kind: 'ambiguous', phrase: days.words, candidates };
}

/** Creates the filter for the current week in the reader's calendar. */
export function createWeekFilter(reader: Reader): PostFilter {
  // This range has a separate step budget, because parsing the typed text may have used up the other budget.
  const reading = withStepBudget(() => understandRange(createRangeRequest('this week', reader)));
  return reading.kind === 'understood' ? withDays(EVERYTHING, reading.range) : EVERYTHING;
}

/** Adds days to a filter. Doesn't change a filter for undated drafts. */
export function withDays(filter: PostFilter, { from, to, zone }: Range): PostFilter {
  if (filter.isUndatedOnly) return filter;
  return {
    ...filter,
    zone,
    ...(from && { from: from.getTime() }),
    ...(to && { to: to.getTime() }),
  };
}

function createRangeRequest(text: string, { now, zone, locale }: Reader) {
  return { text, now, zone, ...(locale !== undefined && { locale }) };
}

/** Finds days in the text. "Week" alone means this week. */
function findDays(text: string, reader: Reader) {
  const found = findRange(createRangeRequest(text, reader));
  if (found) return found;
  const withThis = text.replace(/\b(?:the )?(week|month|quarter|year)\b/i, 'this $1');
  return withThis === text ? undefined : findRange(createRangeRequest(withThis, reader));
}

function parseWords(text: string) {
  const filter: PostFilter = { statuses: [], platforms: [] };
  const unknown: string[] = [];
  let isAll = false;
  for (const word of splitWords(text)) {
    const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
    const platform = parsePlatform(word);
    if (status !== undefined) addOnce(filter.statuses, status);
    else if (EVERY.includes(word)) isAll = true;
    else if (platform !== undefined && platform !== 'all') addOnce(filter.platforms, platform);
    else if (MINE.includes(word)) filter.isMineOnly = true;
    else if (UNDATED.includes(word)) filter.isUndatedOnly = true;
    else if (!FILLERS.includes(word)) unknown.push(word);
  }
  return { filter, isAll, unknown };
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

function addOnce<Item>(items: Item[], item: Item): void {
  if (!items.includes(item)) items.push(item);
}

/** Suggests a corrected text, if every unknown word is similar to a known word. */
function suggestCorrection(text: string, unknown: readonly string[]): ParsedFilter {
  const known = [
    ...Object.keys(STATUSES),
    ...listPlatformAliases(),
    'mine',
    'undated',
    'today',
    'tomorrow',
    'week',
  ];
  // `unknown` contains a known word only if the text has a second range of days. No correction can fix that.
  const findCorrection = (word: string) =>
    word.length > MAX_WORD_LENGTH || known.includes(word) ? undefined : findNearest(word, known);
  const corrections = new Map(unknown.map((word) => [word, findCorrection(word)]));
  const isComplete = [...corrections.values()].every((word) => word !== undefined);
  if (!isComplete) return { kind: 'unclear', unknown };
  const words = text.split(' ').map((word) => corrections.get(word.toLowerCase()) ?? word);
  return { kind: 'unclear', unknown, suggestion: words.join(' ') };
}
