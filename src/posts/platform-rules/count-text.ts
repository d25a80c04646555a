import type { Platform } from '../../api/platforms.ts';
import { renderPlatformNames } from '../platforms.ts';
import { findLinks } from './find-links.ts';
import { PLATFORM_RULES } from './rules.ts';

/** The length of a text as the platform counts it, and the platform's limit. */
export interface TextCount {
  platform: Platform;
  used: number;
  limit: number;
  unit: 'characters' | 'bytes';
}

const COUNTERS = {
  weighted: countForX,
  characters: (text: string) => text.length,
  bytes: (text: string) => Buffer.byteLength(text),
} as const;

/** Counts the text as the platform does. */
export function countText(platform: Platform, content: string, hasMedia: boolean): TextCount {
  const { countingUnit, limit, limitWithMedia } = PLATFORM_RULES[platform];
  return {
    platform,
    used: COUNTERS[countingUnit](content),
    limit: hasMedia ? (limitWithMedia ?? limit) : limit,
    unit: countingUnit === 'bytes' ? 'bytes' : 'characters',
  };
}

/** Share of a limit from which people see the count. Below it, the text has room for another sentence. */
const MIN_SHOWN_SHARE = 0.8;

/** Renders the counts near their limits in plain text: "X: 240 of 280 · Threads: 430 of 500". */
export function renderCounts(counts: readonly TextCount[]): string {
  return counts
    .filter(isNearLimit)
    .map((counted) => `${renderPlatformNames([counted.platform])}: ${renderCount(counted)}`)
    .join(' · ');
}

/** Whether people see the count. For a text over the limit, they see a finding instead. */
function isNearLimit({ used, limit }: TextCount): boolean {
  return used >= limit * MIN_SHOWN_SHARE && used <= limit;
}

function renderCount({ used, limit }: TextCount): string {
  return `${formatCount(used)} of ${formatCount(limit)}`;
}

/** How a post looks in the feed of one platform. */
export interface FeedPreview {
  platformName: string;
  /** A count near the limit, and what happens to the text: "240 of 280", "links aren’t clickable". */
  notes: readonly string[];
  /** The text before “…see more”. */
  visibleText: string;
  isCut: boolean;
}

/** Computes how a post looks in the feed of the platform for which its text was counted. */
export function previewFeed(content: string, counted: TextCount): FeedPreview {
  const { countingUnit, hasClickableLinks, fold } = PLATFORM_RULES[counted.platform];
  const text = content.trim();
  const visibleText = fold ? cutText(text, fold.length) : text;
  const isCut = visibleText !== text;
  const hasLinks = findLinks(text).length > 0;
  const notes = [
    ...(isNearLimit(counted) ? [renderCount(counted)] : []),
    ...(isCut && fold ? [`phones show about ${fold.length} characters`] : []),
    ...(hasLinks && countingUnit === 'weighted' ? [`each link counts as ${LINK_WEIGHT}`] : []),
    ...(hasLinks && !hasClickableLinks ? ['links aren’t clickable'] : []),
  ];
  return { platformName: renderPlatformNames([counted.platform]), notes, visibleText, isCut };
}

/** Cuts a text to at most `length` UTF-16 units, after a word if possible, and never within a character. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text.slice(0, length + 1))) {
    if (index + segment.length > length) break;
    end = index + segment.length;
  }
  const lastWordEnd = text.slice(0, end + 1).search(/\s+\S*$/u);
  return text.slice(0, lastWordEnd > 0 ? lastWordEnd : end);
}

/** Formats a number, e.g. "63,206". */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

/** Weights on X, from https://docs.x.com/fundamentals/counting-characters */
const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
/** Ranges of code points with weight 1. All others have weight 2. Source: config/v3.json of twitter-text 3.1.0. */
const WEIGHT_ONE: readonly (readonly [number, number])[] = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

/** Matches text that may contain an emoji. Other text needs no segmentation. */
const MAYBE_EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\uFE0F|\u20E3/u;
/** Matches the start of a grapheme that is an emoji. © and ® are text unless a variation selector follows. */
const EMOJI =
  /^(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|\p{Emoji}\uFE0F|(?![©®])\p{Extended_Pictographic})/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Counts a text as X does, after normalization to NFC. A link counts 23, an emoji sequence 2, other text by code point.
 */
export function countForX(text: string): number {
  const normalized = text.normalize('NFC');
  let [count, position] = [0, 0];
  for (const link of findLinks(normalized)) {
    count += weighText(normalized.slice(position, link.start)) + LINK_WEIGHT;
    position = link.end;
  }
  return count + weighText(normalized.slice(position));
}

function weighText(text: string): number {
  if (!MAYBE_EMOJI.test(text)) return weighCodePoints(text);
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    count += EMOJI.test(segment) ? EMOJI_WEIGHT : weighCodePoints(segment);
  }
  return count;
}

function weighCodePoints(text: string): number {
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    count += WEIGHT_ONE.some(([first, last]) => code >= first && code <= last) ? 1 : 2;
  }
  return count;
}
