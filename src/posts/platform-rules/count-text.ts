import type { Platform } from '../../api/platforms.ts';
import { platformNames } from '../platforms.ts';
import { findLinks } from './find-links.ts';
import { PLATFORM_RULES } from './rules.ts';

/** How much of what a platform takes a text uses, counted as that platform counts. */
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

export function countText(platform: Platform, content: string, hasMedia: boolean): TextCount {
  const { counted, limit, limitWithMedia } = PLATFORM_RULES[platform];
  return {
    platform,
    used: COUNTERS[counted](content),
    limit: hasMedia ? (limitWithMedia ?? limit) : limit,
    unit: counted === 'bytes' ? 'bytes' : 'characters',
  };
}

/** "X 212 of 280 · Threads 214 of 500 bytes"; plain text. */
export function sayCounts(counts: readonly TextCount[]): string {
  return counts
    .map(({ platform, used, limit, unit }) => {
      const bytes = unit === 'bytes' ? ' bytes' : '';
      return `${platformNames([platform])} ${count(used)} of ${count(limit)}${bytes}`;
    })
    .join(' · ');
}

/** "63,206". */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** https://docs.x.com/fundamentals/counting-characters */
const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
/** Version 3 of the weights: these code points count 1, every other 2. twitter-text 3.1.0, config/v3.json. */
const LIGHT: readonly (readonly [number, number])[] = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

const MAYBE_EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\uFE0F|\u20E3/u;
/** The beginning of a grapheme that is an emoji; © and ® are text until a variation selector makes them emoji. */
const EMOJI =
  /^(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|\p{Emoji}\uFE0F|(?![©®])\p{Extended_Pictographic})/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How long X takes a text to be: NFC, a link 23, an emoji 2 whatever it is joined of, the rest by code point. */
export function countForX(text: string): number {
  const composed = text.normalize('NFC');
  let [count, at] = [0, 0];
  for (const link of findLinks(composed)) {
    count += wordsWeight(composed.slice(at, link.start)) + LINK_WEIGHT;
    at = link.end;
  }
  return count + wordsWeight(composed.slice(at));
}

function wordsWeight(words: string): number {
  if (!MAYBE_EMOJI.test(words)) return codePointsWeight(words);
  let count = 0;
  for (const { segment } of graphemes.segment(words)) {
    count += EMOJI.test(segment) ? EMOJI_WEIGHT : codePointsWeight(segment);
  }
  return count;
}

function codePointsWeight(words: string): number {
  let count = 0;
  for (const sign of words) {
    const code = sign.codePointAt(0) ?? 0;
    count += LIGHT.some(([first, last]) => code >= first && code <= last) ? 1 : 2;
  }
  return count;
}
