import type { Platform } from '../../api/platforms.ts';
import { platformNames } from '../platforms.ts';
import { countForX } from './count-for-x.ts';
import { count } from './finding.ts';
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
