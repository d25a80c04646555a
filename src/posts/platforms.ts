import type { Platform } from '../api/platforms.ts';
import { sanitizeLine } from '../slack/blocks.ts';
import { joinWithAnd } from '../words.ts';

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
  return joinWithAnd(platforms.map(renderPlatformName));
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

/**
 * The words before and between platforms in a language other than English, and those for all of them. Elsewhere they are
 * names, or begin texts.
 */
const OWN_WORDS: Readonly<Record<string, readonly [before: string, between: string, all: string]>> = {
  de: ['auf|bei', 'und|sowie', 'allen? (?:[Pp]lattformen|[Kk]anälen?|[Nn]etzwerken?|[Ss]ocials)'],
  fr: ['sur', 'et', 'tou(?:te)?s les (?:plateformes|réseaux(?: sociaux)?|canaux)'],
  es: ['en|por', 'y|e', 'tod[ao]s l[ao]s (?:plataformas|redes(?: sociales)?|canales)'],
  it: ['su', 'e', 'tutt[ei] (?:le piattaforme|le reti|i (?:canali|social(?: network)?))'],
  pt: ['no|em', 'e', 'tod[ao]s [ao]s (?:plataformas|redes(?: sociais)?|canais)'],
  nl: ['op', 'en', 'alle (?:platform(?:s|en)|kanalen|netwerken|socials)'],
};
const joinOwnWords = (index: 0 | 1 | 2) =>
  Object.values(OWN_WORDS)
    .map((words) => words[index])
    .join('|');

const PREPOSITION = `(?:on|to|via|${joinOwnWords(0)})`;
/** The words before the platforms of a list, in all languages of times. */
export const BEFORE_PLATFORMS = new RegExp(`^${PREPOSITION}$`, 'i');
/** What may stand between them. */
export const BETWEEN_PLATFORMS = new RegExp(`^(?:[,，、・&+]|and|plus|と|${joinOwnWords(1)})$`, 'i');

const NAMES_IN_WORDS =
  '(?:linked\\s+in|tik\\s+tok|you\\s+tube|face\\s+book|google\\s+(?:my\\s+)?business(?:\\s+profile)?)(?!\\p{L})';
const NAME_ANYWHERE = new RegExp(`(?<!\\p{L})${NAMES_IN_WORDS}`, 'giu');
const NAME_AT_START = new RegExp(`(?<=^(?:(?:on|to|via|and)\\s+)?)${NAMES_IN_WORDS}`, 'iu');

/** Writes the name of a network as one word: "linked in", "Google My Business". By default only at the start. */
export function joinNames(text: string, pattern = NAME_AT_START): string {
  return text.replace(pattern, (name) => name.toLowerCase().replace(/\s.*business.*|\s+/s, ''));
}

const ALL_IN_ENGLISH =
  'all(?: of)?(?: (?:the|our|my|your))? (?:(?:social )?(?:platforms|channels|networks)|socials)';
const ALL_PLATFORMS = new RegExp(
  `(?<!\\p{L})(?:${ALL_IN_ENGLISH}|${PREPOSITION} (?:${ALL_IN_ENGLISH}|${joinOwnWords(2)}))(?!\\p{L})`,
  'giu',
);
/** Other words for all platforms, with which texts begin too: "everywhere you look", "alle Kanäle voll". */
const EVERYWHERE = new RegExp(
  `(?<!\\p{L})(?:${PREPOSITION} )?(?:everywhere|überall|partout|(?:en|por) todas partes|en todos lados|ovunque|dappertutto|overal|em (?:todo(?: o)? lugar|todos os lugares|tod[ao] (?:o lado|a parte|parte)|todo o lado)|${joinOwnWords(2)})(?!\\p{L})|(?:全て|すべて|全部|全)(?:の?(?:プラットフォーム|チャンネル|媒体|SNS))?[にで]?(?![\\p{L}])`,
  'u',
);

/** Finds other words for all platforms, with a capital only at the start: "9am Everywhere you look" begins a text. */
export function findEverywhere(text: string): { index: number; end: number } | undefined {
  const match = EVERYWHERE.exec(text.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()));
  return match ? { index: match.index, end: match.index + match[0].length } : undefined;
}

const ALL_AT_START = new RegExp(`^(?:on|to|via) ${ALL_IN_ENGLISH}(?!\\p{L})`, 'iu');
const ALIAS = `(?:${Object.keys(ALIASES).join('|')})`;
/** The platforms in "今週のxとlinkedin", "9時にxで" and "xの投稿", unlike in "新作のX", "xの使い方" and "Xとのコラボ". */
const JAPANESE_LIST = new RegExp(
  `(?<=^|[、\\s]|[週月年日]の|[時分半後曜日]に?|${ALIAS}と)(${ALIAS})(?:\\s?と(?=\\s?${ALIAS})|(?:[のにで]投稿(?:して)?|に?て|[にで])?(?=$|[、「『\\s]|(?<=[にで])(?:[\\d今明来毎]|[月火水木金土日]曜)))`,
  'gi',
);

const JAPANESE_COMMA = new RegExp(
  `、(?=${ALIAS}(?:と${ALIAS})*(?:[、。\\s]|$))|(?<=(?:^|[、\\s]|${ALIAS}と)${ALIAS}[でに]?)、|(?<=^(?:${ALIAS}[でに]?[と、\\s]){1,4}[^、\\s]*[時分半])、|(?<=\\d:\\d\\d)、(?!\\d{1,2}(?:[:/時]|月\\d))`,
  'gi',
);

/** The particles in "9時にxで「新作」". */
const JAPANESE_PARTICLE = new RegExp(
  `(?<=[時分半後日])に(?=(?:${ALIAS}と?)+[でに]?[「『])|(?<=[時分半後日に、\\s](?:${ALIAS}と?)+)[でに](?=[「『])`,
  'gi',
);

/**
 * Writes a blank for the comma before and after a platform: "明日9時、x、優勝", and after the hour of a line that begins
 * with one: "x、明日9時、優勝". Keeps the length.
 */
export function spaceJapaneseCommas(line: string): string {
  return line.replace(JAPANESE_COMMA, ' ').replace(JAPANESE_PARTICLE, ' ');
}

/**
 * Writes platforms as single words: "linked in" as "linkedin", "auf allen Plattformen" as "on all", "xとインスタ" as
 * "x インスタ". White space is collapsed.
 */
export function separatePlatforms(text: string): string {
  return joinNames(text.replace(/\s+/g, ' '), NAME_ANYWHERE)
    .replace(ALL_PLATFORMS, 'on all')
    .replace(JAPANESE_LIST, ' $1 ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Replaces the words before a platform in the locale's language, in lower case only: "auf x" by "on x". `isFurther`:
 * whether it follows another platform, so that a conjunction may come first: "und auf x" by "and on x".
 */
export function translatePlatformWords(text: string, locale: string | undefined, isFurther: boolean): string {
  const [before, between, all] = OWN_WORDS[locale?.slice(0, 2) ?? ''] ?? [];
  const english = text.replace(ALL_AT_START, 'on all platforms');
  if (before === undefined) return english;
  return english
    .replace(new RegExp(`^(?:${before}) (?:${all})(?!\\p{L})`, 'u'), 'on all')
    .replace(new RegExp(`^(?:${between})(?=\\s)`), isFurther ? 'and' : '$&')
    .replace(new RegExp(`^(and\\s+)?(?:${before})(?=\\s)`), '$1on');
}

/** Whether the word joins platforms in the locale's language or in English, in which "y" is a word like any other. */
export function isConjunction(word: string, locale: string | undefined): boolean {
  return /^(?:and|plus|\P{L}|と)$/iu.test(translatePlatformWords(`${word} `, locale, true).trim());
}

/** Whether the word at the index leads to a platform in the locale's language: "auf" in "auf x", "e" in "x e no linkedin". */
export function leadsToPlatform(
  words: readonly string[],
  index: number,
  locale: string | undefined,
): boolean {
  const [before, between] = OWN_WORDS[locale?.slice(0, 2) ?? ''] ?? [];
  if (before === undefined) return false;
  const pattern = new RegExp(`^(?:${before}|${between})$`, 'i');
  const next = words.findIndex((word, position) => position >= index && !pattern.test(word));
  return next > index && parsePlatform(words[next] ?? '') !== undefined;
}
