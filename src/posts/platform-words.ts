import type { Platform } from '../api/platforms.ts';

/** What people write for a platform, in small letters. */
const WORDS: Readonly<Record<string, Platform>> = {
  x: 'X',
  twitter: 'X',
  tweet: 'X',
  tweets: 'X',
  linkedin: 'LINKEDIN',
  li: 'LINKEDIN',
  instagram: 'INSTAGRAM',
  insta: 'INSTAGRAM',
  ig: 'INSTAGRAM',
  facebook: 'FACEBOOK',
  fb: 'FACEBOOK',
  threads: 'THREADS',
  youtube: 'YOUTUBE',
  yt: 'YOUTUBE',
  tiktok: 'TIKTOK',
  tt: 'TIKTOK',
  pinterest: 'PINTEREST',
  reddit: 'REDDIT',
  telegram: 'TELEGRAM',
  tg: 'TELEGRAM',
};

/** One word as a platform, or as all of them; in any case, `twitter` and `fb` too. */
export function platformNamed(word: string): Platform | 'all' | undefined {
  const plain = word.toLowerCase();
  if (plain === 'all') return 'all';
  return Object.hasOwn(WORDS, plain) ? WORDS[plain] : undefined;
}

/** Every word that names one, for who looks for what was probably meant. */
export function platformWords(): readonly string[] {
  return Object.keys(WORDS);
}
