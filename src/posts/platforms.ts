import type { Platform } from '../api/platforms.ts';
import { sanitizeLine } from '../slack/escape.ts';

/** The names that people read, in the order in which menus list them. */
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

/** The name that people read. An unknown platform keeps the service's name, sanitized. */
function platformName(platform: string): string {
  return isPlatform(platform) ? NAMES[platform] : sanitizeLine(platform);
}

/** "X, LinkedIn and Instagram". */
export function platformNames(platforms: readonly string[]): string {
  const names = platforms.map(platformName);
  const last = names.pop();
  return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

/** The platforms for a menu, with their names. */
export function platformChoices(): { platform: Platform; name: string }[] {
  return Object.entries(NAMES).flatMap(([platform, name]) =>
    isPlatform(platform) ? { platform, name } : [],
  );
}

/** Removes duplicates. Undefined if one of the names is unknown. */
export function readPlatforms(names: readonly string[]): Platform[] | undefined {
  const known = names.filter(isPlatform);
  return known.length === names.length ? [...new Set(known)] : undefined;
}

/** Words that people type for a platform, in lower case. */
const ALIASES: Readonly<Record<string, Platform>> = {
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

/** Reads one typed word, in upper or lower case, as a platform or as "all". Undefined if it is neither. */
export function parsePlatform(word: string): Platform | 'all' | undefined {
  const plain = word.toLowerCase();
  if (plain === 'all') return 'all';
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
}

/** All words for platforms, to suggest the nearest one for a typo. */
export function platformAliases(): readonly string[] {
  return Object.keys(ALIASES);
}
