import type { PostStatus } from '../../../api/platforms.ts';
import { parsePlatform, platformAliases } from '../../../posts/platforms.ts';
import { sanitizeLine } from '../../../slack/escape.ts';
import { nearest } from '../../../slack/suggest.ts';
import { findRange, type Range, understandRange, withStepBudget } from '../../../when/when.ts';
import { EVERYTHING, isNarrowed, type PostFilter } from './post-filter.ts';

/** Who reads, and when. */
interface Reader {
  now: Date;
  zone: string;
  locale?: string | undefined;
}

/** What words were read as: a filter, several that are meant by the same days, or words that say nothing here. */
type PostWords =
  | { kind: 'read'; filter: PostFilter }
  | { kind: 'ask'; asked: string; candidates: readonly { said: string; filter: PostFilter }[] }
  | { kind: 'too-long'; reason: string }
  | { kind: 'unclear'; unknown: readonly string[]; meant?: string };

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
/** Words that change nothing. */
const FILLERS =
  'a an and are as at by due for from going i in is it list of on or out our please post posts show that the their those to under via was we were what which with'.split(
    ' ',
  );
/** Said with several words. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:without|with no|no) (?:a |any )?(?:date|day|time)s?\b/gi, 'undated'],
  [/\btik tok\b/gi, 'tiktok'],
  [/\byou tube\b/gi, 'youtube'],
  [/\blinked in\b/gi, 'linkedin'],
];
/** Longer words name nothing of ours. */
const LONGEST_WORD = 80;

/** "scheduled x this week", "my drafts", "linkedin next week"; this week's where nothing is said. Pure. */
export function readPostWords(text: string, reader: Reader): PostWords {
  const plain = PHRASES.reduce(
    (words, [phrase, word]) => words.replace(phrase, word),
    sanitizeLine(text.normalize('NFKC')).replace(/\s+/g, ' '),
  );
  const days = daysIn(plain, reader);
  if (days?.kind === 'not-understood') return { kind: 'too-long', reason: days.reason };
  const read = readSubcommand(days?.rest ?? plain);
  if (read.unknown.length > 0) return unclear(plain, read.unknown);
  const { filter, isAll } = read;
  if (!days) return { kind: 'read', filter: isAll || isNarrowed(filter) ? filter : thisWeek(reader) };
  const { reading } = days;
  if (reading.kind === 'understood') return { kind: 'read', filter: within(filter, reading.range) };
  const candidates = reading.candidates.map(({ said, range }) => ({ said, filter: within(filter, range) }));
  return { kind: 'ask', asked: days.words, candidates };
}

/** The week in which it is now, as the reader's calendar has it. */
export function thisWeek(reader: Reader): PostFilter {
  // The words are ours, whatever the person's have cost.
  const reading = withStepBudget(() => understandRange(questionOf('this week', reader)));
  return reading.kind === 'understood' ? within(EVERYTHING, reading.range) : EVERYTHING;
}

/** The filter with these days; what has no date is in none. */
export function within(filter: PostFilter, { from, to, zone }: Range): PostFilter {
  if (filter.undated) return filter;
  return {
    ...filter,
    zone,
    ...(from && { from: from.getTime() }),
    ...(to && { to: to.getTime() }),
  };
}

function questionOf(text: string, { now, zone, locale }: Reader) {
  return { text, now, zone, ...(locale !== undefined && { locale }) };
}

/** "week" alone is this one. */
function daysIn(text: string, reader: Reader) {
  const found = findRange(questionOf(text, reader));
  if (found) return found;
  const named = text.replace(/\b(?:the )?(week|month|quarter|year)\b/i, 'this $1');
  return named === text ? undefined : findRange(questionOf(named, reader));
}

function readSubcommand(text: string) {
  const filter: PostFilter = { statuses: [], platforms: [] };
  const unknown: string[] = [];
  let isAll = false;
  for (const word of wordsOf(text)) {
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

function wordsOf(text: string): string[] {
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

/** The same words with the slips put right, where each unknown one is near to one that is known. */
function unclear(text: string, unknown: readonly string[]): PostWords {
  const known = [
    ...Object.keys(STATUSES),
    ...platformAliases(),
    'mine',
    'undated',
    'today',
    'tomorrow',
    'week',
  ];
  // A second stretch of days is known, and still in the way.
  const near = (word: string) =>
    word.length > LONGEST_WORD || known.includes(word) ? undefined : nearest(word, known);
  const meant = new Map(unknown.map((word) => [word, near(word)]));
  const isAll = [...meant.values()].every((word) => word !== undefined);
  if (!isAll) return { kind: 'unclear', unknown };
  const words = text.split(' ').map((word) => meant.get(word.toLowerCase()) ?? word);
  return { kind: 'unclear', unknown, meant: words.join(' ') };
}
