import type { Platform } from '../api/platforms.ts';
import { sanitizeLine } from '../slack/blocks.ts';

/** Display names, in the order of menus. */
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

/** Renders a platform's display name. An unknown platform has the service's name, sanitized. */
function renderPlatformName(platform: string): string {
  return isPlatform(platform) ? NAMES[platform] : sanitizeLine(platform);
}

/** Renders where a post goes: "Harbour Coffee · X and LinkedIn". Plain text. */
export function renderDestination(project: string | undefined, platforms: readonly string[]): string {
  const platformNames = platforms.length > 0 ? renderPlatformNames(platforms) : 'No platform';
  return `${project ?? 'No project chosen'} · ${platformNames}`;
}

/** Renders a list of display names, e.g. "X, LinkedIn and Instagram". */
export function renderPlatformNames(platforms: readonly string[]): string {
  const names = platforms.map(renderPlatformName);
  const lastName = names.pop();
  return names.length === 0 ? (lastName ?? '') : `${names.join(', ')} and ${lastName}`;
}

/** Names the platforms of a slot: "X and LinkedIn", or "all platforms". */
export function renderSlotPlatforms(platforms: readonly string[]): string {
  return platforms.length === Object.keys(NAMES).length ? 'all platforms' : renderPlatformNames(platforms);
}

/** Sorts platforms in the order of menus. Unknown ones come last. */
export function sortPlatforms<Name extends string>(platforms: readonly Name[]): Name[] {
  const order: readonly string[] = Object.keys(NAMES);
  const getRank = (platform: string) => (isPlatform(platform) ? order.indexOf(platform) : order.length);
  return platforms.toSorted((one, other) => getRank(one) - getRank(other) || (one < other ? -1 : 1));
}

export function listPlatformChoices(): { platform: Platform; name: string }[] {
  return Object.entries(NAMES).flatMap(([platform, name]) =>
    isPlatform(platform) ? { platform, name } : [],
  );
}

/** Parses API names of platforms, and removes duplicates. Undefined if a name is unknown. */
export function parsePlatforms(names: readonly string[]): Platform[] | undefined {
  const known = names.filter(isPlatform);
  return known.length === names.length ? [...new Set(known)] : undefined;
}

/** Aliases that people type for a platform, in lower case. */
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
  ツイッター: 'X',
  リンクトイン: 'LINKEDIN',
  インスタグラム: 'INSTAGRAM',
  インスタ: 'INSTAGRAM',
  フェイスブック: 'FACEBOOK',
  スレッズ: 'THREADS',
  ユーチューブ: 'YOUTUBE',
};

/** Parses a typed word as a platform or as "all", in upper or lower case. Undefined if the word is neither. */
export function parsePlatform(word: string): Platform | 'all' | undefined {
  const alias = word.toLowerCase();
  if (alias === 'all') return 'all';
  return Object.hasOwn(ALIASES, alias) ? ALIASES[alias] : undefined;
}

/** Lists all aliases of platforms, for suggesting the nearest alias after a typo. */
export function listPlatformAliases(): readonly string[] {
  return Object.keys(ALIASES);
}

/** The words before and between the platforms of a list, in the languages of times. */
export const BEFORE_PLATFORMS = /^(?:on|to|via|auf|sur|su|en|em|no|op)$/i;
export const BETWEEN_PLATFORMS = /^(?:[,，、・]|&|\+|and|plus|und|sowie|et|y|e|en|と)$/i;

/**
 * Whether the word at the index leads to a platform, as "auf" does in "auf x", and "y" in "x y linkedin". "No" is "on" in
 * Portuguese only.
 */
export function leadsToPlatform(words: readonly string[], index: number, locale = 'en'): boolean {
  if (words[index]?.toLowerCase() === 'no' && !locale.startsWith('pt')) return false;
  const next = words.findIndex(
    (word, position) => position >= index && !BEFORE_PLATFORMS.test(word) && !BETWEEN_PLATFORMS.test(word),
  );
  return next > index && parsePlatform(words[next] ?? '') !== undefined;
}
