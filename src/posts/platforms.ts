import type { Platform } from '../api/platforms.ts';
import { sanitizeLine } from '../slack/escape.ts';

/** What people call the platforms. */
const NAMES: Readonly<Record<Platform, string>> = {
  X: 'X',
  LINKEDIN: 'LinkedIn',
  INSTAGRAM: 'Instagram',
  FACEBOOK: 'Facebook',
  THREADS: 'Threads',
  YOUTUBE: 'YouTube',
  TIKTOK: 'TikTok',
  PINTEREST: 'Pinterest',
  REDDIT: 'Reddit',
  TELEGRAM: 'Telegram',
};

function isPlatform(name: string): name is Platform {
  return Object.hasOwn(NAMES, name);
}

/** The service's name in people's words; an unknown name stays as it is, on one line and without invisible characters. */
function platformName(platform: string): string {
  return isPlatform(platform) ? NAMES[platform] : sanitizeLine(platform);
}

/** "X, LinkedIn and Instagram". */
export function platformNames(platforms: readonly string[]): string {
  const names = platforms.map(platformName);
  const last = names.pop();
  return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

/** Those that can be chosen, as people look for them. */
export function platformChoices(): { platform: Platform; name: string }[] {
  return Object.entries(NAMES).flatMap(([platform, name]) =>
    isPlatform(platform) ? { platform, name } : [],
  );
}

/** Only the platforms that there are, each once; undefined where one is unknown. */
export function readPlatforms(names: readonly string[]): Platform[] | undefined {
  const known = names.filter(isPlatform);
  return known.length === names.length ? [...new Set(known)] : undefined;
}

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
