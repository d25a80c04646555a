import type { PostStatus } from '../../../api/platforms.ts';
import { listPlatformAliases, parsePlatform } from '../../../posts/platforms.ts';
import { sanitizeLine } from '../../../slack/escape.ts';
import { nearest } from '../../../slack/suggest.ts';
import { findRange, type Range, understandRange, withStepBudget } from '../../../when/when.ts';
import { EVERYTHING, isNarrowed, type PostFilter } from './post-filter.ts';

/** The reader's time, zone and locale. */
interface Reader {
  now: Date;
  zone: string;
  locale?: string | undefined;
}

/** `ask`: the days (`phrase`) are ambiguous. `unclear`: some words are unknown; `suggestion`: the corrected text. */
type ParsedFilter =
  | { kind: 'read'; filter: PostFilter }
  | { kind: 'ask'; phrase: string; candidates: readonly { said: string; filter: PostFilter }[] }
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
/** Words that are ignored. */
const FILLERS =
  'a an and are as at by due for from going i in is it list of on or out our please post posts show that the their those to under via was we were what which with'.split(
    ' ',
  );
/** Phrases that stand for a keyword. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:without|with no|no) (?:a |any )?(?:date|day|time)s?\b/gi, 'undated'],
  [/\btik tok\b/gi, 'tiktok'],
  [/\byou tube\b/gi, 'youtube'],
  [/\blinked in\b/gi, 'linkedin'],
];
/** Longer words get no suggestion. */
const MAX_WORD_LENGTH = 80;

/** Parses "scheduled x this week", "my drafts" or "linkedin next week". Defaults to this week. Pure. */
export function parsePostFilter(text: string, reader: Reader): ParsedFilter {
  const plain = PHRASES.reduce(
    (words, [phrase, word]) => words.replace(phrase, word),
    sanitizeLine(text.normalize('NFKC')).replace(/\s+/g, ' '),
  );
  const days = findDays(plain, reader);
  if (days?.kind === 'not-understood') return { kind: 'too-long', reason: days.reason };
  const read = parseWords(days?.rest ?? plain);
  if (read.unknown.length > 0) return suggestCorrection(plain, read.unknown);
  const { filter, isAll } = read;
  if (!days) return { kind: 'read', filter: isAll || isNarrowed(filter) ? filter : thisWeek(reader) };
  const { reading } = days;
  if (reading.kind === 'understood') return { kind: 'read', filter: withDays(filter, reading.range) };
  const candidates = reading.candidates.map(({ said, range }) => ({ said, filter: withDays(filter, range) }));
  return { kind: 'ask', phrase: days.words, candidates };
}

/** The current week in the reader's calendar. */
export function thisWeek(reader: Reader): PostFilter {
  // A separate budget, because the user's words may have used up the other one.
  const reading = withStepBudget(() => understandRange(rangeRequest('this week', reader)));
  return reading.kind === 'understood' ? withDays(EVERYTHING, reading.range) : EVERYTHING;
}

/** Adds days to a filter. A filter for undated drafts stays as it is. */
export function withDays(filter: PostFilter, { from, to, zone }: Range): PostFilter {
  if (filter.undated) return filter;
  return {
    ...filter,
    zone,
    ...(from && { from: from.getTime() }),
    ...(to && { to: to.getTime() }),
  };
}

function rangeRequest(text: string, { now, zone, locale }: Reader) {
  return { text, now, zone, ...(locale !== undefined && { locale }) };
}

/** Finds days in the text. A single "week" means this week. */
function findDays(text: string, reader: Reader) {
  const found = findRange(rangeRequest(text, reader));
  if (found) return found;
  const named = text.replace(/\b(?:the )?(week|month|quarter|year)\b/i, 'this $1');
  return named === text ? undefined : findRange(rangeRequest(named, reader));
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
    else if (MINE.includes(word)) filter.mine = true;
    else if (UNDATED.includes(word)) filter.undated = true;
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

/** Suggests a corrected text, if every unknown word resembles a known one. */
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
  // A known word is unknown here only as a second range of days, which no correction can fix.
  const near = (word: string) =>
    word.length > MAX_WORD_LENGTH || known.includes(word) ? undefined : nearest(word, known);
  const corrections = new Map(unknown.map((word) => [word, near(word)]));
  const isComplete = [...corrections.values()].every((word) => word !== undefined);
  if (!isComplete) return { kind: 'unclear', unknown };
  const words = text.split(' ').map((word) => corrections.get(word.toLowerCase()) ?? word);
  return { kind: 'unclear', unknown, suggestion: words.join(' ') };
}
