import type { Platform } from '../../api/platforms.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import { clip, findGraphemeEnd, graphemes, renderCount } from '../../words.ts';
import { MEDIA_TYPES } from '../media-reference.ts';
import { parsePlatforms, renderPlatformNames } from '../platforms.ts';
import { type CheckedMedia, checkMedia } from './check-media.ts';
import { findLinks } from './find-links.ts';
import {
  type CountingUnit,
  type DisputedTextRules,
  type Finding,
  type Findings,
  PLATFORM_RULES,
  type TextRules,
} from './rules.ts';

/** The length of a text as the platform counts it, and the platform's limit. */
interface TextCount {
  platform: Platform;
  used: number;
  limit: number;
  unit: 'characters' | 'bytes';
}

const COUNTERS = {
  weighted: countForX,
  characters: (text: string) => text.length,
  bytes: (text: string) => Buffer.byteLength(text),
  'emoji-bytes': (text: string) =>
    weighText(
      text,
      (emoji) => Buffer.byteLength(emoji),
      (rest) => rest.length,
    ),
} as const satisfies Record<CountingUnit, (text: string) => number>;

/** The media of a post, as far as a limit of its text depends on them. */
type MediaKind = 'none' | 'video' | 'other';

/** What the limit of a text depends on besides its platform. */
interface TextContext {
  mediaKind: MediaKind;
  paidPlatforms: readonly Platform[];
}

function getMediaKind({ media, mediaFacts }: CheckedMedia): MediaKind {
  if (media.trim() === '') return 'none';
  return mediaFacts && MEDIA_TYPES[mediaFacts.type].kind === 'video' ? 'video' : 'other';
}

/** The limit of a text, and what it depends on, as a sentence goes on with it. */
function findLimit(
  platform: Platform,
  { mediaKind, paidPlatforms }: TextContext,
): { limit: number; condition: string } {
  const { limit, limitOfPaidAccount, limitWithMedia, limitWithVideo } = PLATFORM_RULES[platform];
  if (paidPlatforms.includes(platform) && limitOfPaidAccount !== undefined)
    return { limit: limitOfPaidAccount, condition: '' };
  if (mediaKind === 'video' && limitWithVideo !== undefined)
    return { limit: limitWithVideo, condition: ' with a video' };
  if (mediaKind !== 'none' && limitWithMedia !== undefined)
    return { limit: limitWithMedia, condition: ' with media' };
  return { limit, condition: '' };
}

function countText(platform: Platform, content: string, textContext: TextContext): TextCount {
  const { countingUnit } = PLATFORM_RULES[platform];
  return {
    platform,
    used: COUNTERS[countingUnit](content),
    limit: findLimit(platform, textContext).limit,
    unit: countingUnit === 'bytes' ? 'bytes' : 'characters',
  };
}

/** Share of a limit from which people see the count. Below it, the text has room for another sentence. */
const MIN_SHOWN_SHARE = 0.8;

/** Renders the counts near their limits in plain text: "X: 240 of 280 · Threads: 430 of 500". */
export function renderCounts(counts: readonly TextCount[]): string {
  return counts
    .filter(isNearLimit)
    .map((counted) => `${renderPlatformNames([counted.platform])}: ${renderUse(counted)}`)
    .join(' · ');
}

/** Whether people see the count. For a text over the limit, they see a finding instead. */
function isNearLimit({ used, limit }: TextCount): boolean {
  return used >= limit * MIN_SHOWN_SHARE && used <= limit;
}

function renderUse({ used, limit }: TextCount): string {
  return `${formatCount(used)} of ${formatCount(limit)}`;
}

export interface FeedPreview {
  platformName: string;
  /** The count and the limit: "240 of 280". */
  count: string;
  /** The text, if it isn't the main text. */
  ownText?: string;
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
    ...(isNearLimit(counted) ? [renderUse(counted)] : []),
    ...(isCut && fold ? [`phones show about ${fold.length} characters`] : []),
    ...(hasLinks && countingUnit === 'weighted' ? [`each link counts as ${LINK_WEIGHT}`] : []),
    ...(hasLinks && !hasClickableLinks ? ['links aren’t clickable'] : []),
  ];
  return {
    platformName: renderPlatformNames([counted.platform]),
    count: renderUse(counted),
    notes,
    visibleText,
    isCut,
  };
}

/** Cuts a text to at most `length` UTF-16 units, after a word if possible, and never within a character. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = findGraphemeEnd(text, length);
  const lastWordEnd = text.slice(0, end + 1).search(/\s+\S*$/u);
  return text.slice(0, lastWordEnd > 0 ? lastWordEnd : end);
}

const { format: formatCount } = new Intl.NumberFormat('en-US');

/** Weights on X, from https://docs.x.com/fundamentals/counting-characters */
const LINK_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
/**
 * The characters of 16 bits with weight 2. Those with 32 bits have weight 2, and all others weight 1. Source: config/v3.json
 * of twitter-text 3.1.0, which lists the others (0–10FF, 2000–200D, 2010–201F and 2032–2037).
 */
const WEIGHT_TWO = /[\u1100-\u1FFF\u200E\u200F\u2020-\u2031\u2038-\uFFFF]/gu;

/** Matches text that may contain an emoji. Other text needs no segmentation. */
const MAYBE_EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\uFE0F|\u20E3/u;
/** Matches the start of a grapheme that is an emoji. © and ® are text unless a variation selector follows. */
const EMOJI =
  /^(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|\p{Emoji}\uFE0F|(?![©®])\p{Extended_Pictographic})/u;

/** Counts a text as X does, after normalization to NFC: a link as 23, an emoji as 2, other text by code point. */
export function countForX(text: string): number {
  const normalized = normalizeUnicode(text, 'NFC');
  let [count, position] = [0, 0];
  for (const link of findLinks(normalized)) {
    count += weighForX(normalized.slice(position, link.start)) + LINK_WEIGHT;
    position = link.end;
  }
  return count + weighForX(normalized.slice(position));
}

const weighForX = (text: string) => weighText(text, () => EMOJI_WEIGHT, weighCodePoints);

/** Adds up the weights of a text: of each emoji, and of what is between them. */
function weighText(
  text: string,
  weighEmoji: (emoji: string) => number,
  weighRest: (rest: string) => number,
): number {
  if (!MAYBE_EMOJI.test(text)) return weighRest(text);
  let count = 0;
  for (const { segment } of graphemes.segment(text))
    count += EMOJI.test(segment) ? weighEmoji(segment) : weighRest(segment);
  return count;
}

function weighCodePoints(text: string): number {
  return text.length + (text.match(WEIGHT_TWO)?.length ?? 0);
}

/** Renders the problem and the advice in plain text. */
export function renderFinding({ problem, advice }: Finding): string {
  return advice === undefined ? problem : `${problem} ${advice}`;
}

interface CheckedPost extends CheckedMedia {
  content: string;
  /** The platforms whose accounts pay for longer texts. Absent if nobody has said so. */
  paidPlatforms?: readonly Platform[] | undefined;
  /** How soon the same text is published again, ms. Absent if it is published once. */
  repeatedAfterMs?: number | undefined;
}

export function checkPlatforms(
  post: CheckedPost & { platforms: readonly Platform[] },
): Findings & { counts: TextCount[] } {
  const platforms = [...new Set(post.platforms)];
  const textContext = { mediaKind: getMediaKind(post), paidPlatforms: post.paidPlatforms ?? [] };
  const counts = platforms.map((platform) => countText(platform, post.content, textContext));
  const textFindings = counts.map((counted) => checkText(post.content, counted, textContext));
  const mediaFindings = checkMedia(post, platforms);
  const textStops = textFindings.flatMap(({ stops }) => stops);
  const warnings = [
    ...textFindings.flatMap(({ warnings }) => warnings),
    ...mediaFindings.warnings,
    ...platforms.flatMap(checkUnmetRequirement),
    ...checkRepeats(platforms, post.repeatedAfterMs),
  ];
  // A template or prompt may change the text, so nothing about the text is certain.
  if (!post.hasTemplateOrPrompt) return { stops: [...textStops, ...mediaFindings.stops], warnings, counts };
  const advice = 'The template or prompt may change that.';
  const textWarnings = textStops.map((finding) => ({ ...finding, advice }));
  return { stops: mediaFindings.stops, warnings: [...textWarnings, ...warnings], counts };
}

function checkUnmetRequirement(platform: Platform): Finding[] {
  const { unmetRequirement } = PLATFORM_RULES[platform];
  if (unmetRequirement === undefined) return [];
  const problem = `${renderPlatformNames([platform])} needs ${unmetRequirement}, which Slack can’t send.`;
  return [{ platforms: [platform], field: 'Platforms', problem }];
}

function checkRepeats(platforms: readonly Platform[], repeatedAfterMs: number | undefined): Finding[] {
  if (repeatedAfterMs === undefined) return [];
  return platforms.flatMap((platform) => {
    const { refusesRepeats: rule } = PLATFORM_RULES[platform];
    if (!rule || repeatedAfterMs > rule.withinMs) return [];
    const name = renderPlatformNames([platform]);
    const problem = rule.isCertain
      ? `${name} refuses the same text twice.`
      : `${name} may refuse the same text within about a day.`;
    return [{ platforms: [platform], field: 'Content' as const, problem, advice: 'Vary it for each post.' }];
  });
}

/** How soon a platform may refuse the same text again, ms. Undefined if it takes it. */
export function findRepeatWindow(platform: string): number | undefined {
  const [known] = parsePlatforms([platform]) ?? [];
  return known && PLATFORM_RULES[known].refusesRepeats?.withinMs;
}

/** Whether a post with media can go out on all these platforms without a text. */
export function mayOmitText(media: string, platforms: readonly string[]): boolean {
  const known = parsePlatforms(platforms) ?? [];
  return media.trim() !== '' && !known.some((platform) => PLATFORM_RULES[platform].needsText);
}

/** Whether people can click a link in a text on the platform. */
export function makesLinksClickable(platform: Platform): boolean {
  return PLATFORM_RULES[platform].hasClickableLinks;
}

/** Whether one of these platforms describes pictures to people who can't see them. */
export function showsAltText(platforms: readonly string[]): boolean {
  return (parsePlatforms(platforms) ?? []).some((platform) => PLATFORM_RULES[platform].showsAltText);
}

/** Matches hashtags. A hashtag needs a letter, so "#1" isn't a hashtag. */
const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&/])[#＃](?=[\p{M}\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu;

type FindingTexts = Pick<Finding, 'problem' | 'advice'>;

function checkText(content: string, counted: TextCount, textContext: TextContext): Findings {
  const findAll = (checks: readonly TextCheck[]) =>
    checks.flatMap((check): Finding[] => {
      const texts = check(content, counted);
      return texts ? [{ platforms: [counted.platform], field: 'Content', ...texts }] : [];
    });
  return {
    stops: findAll([() => checkLength(counted, textContext), ...Object.values(TEXT_CHECKS)]),
    warnings: findAll(Object.values(DISPUTED_TEXT_CHECKS)),
  };
}

type TextCheck = (content: string, counted: TextCount) => FindingTexts | undefined;

const TEXT_CHECKS: Readonly<Record<keyof TextRules, TextCheck>> = {
  refusedCharacters: checkCharacters,
  maxLinks: checkLinks,
  maxHashtags: checkMaxHashtags,
  maxMentions: checkMentions,
};
const DISPUTED_TEXT_CHECKS: Readonly<Record<keyof DisputedTextRules, TextCheck>> = {
  disputedLimit: checkDisputedLength,
  disputedLinks: checkDisputedLinks,
  disputedHashtags: checkHashtags,
};

/** What makes a text longer than it looks. */
const LENGTH_HINTS: Partial<Record<CountingUnit, string>> = {
  bytes: ' (an emoji takes several bytes)',
  'emoji-bytes': ' (an emoji counts as several)',
};

function checkLength(
  { platform, used, limit, unit }: TextCount,
  textContext: TextContext,
): FindingTexts | undefined {
  if (used <= limit) return undefined;
  const excess = used - limit;
  const name = renderPlatformNames([platform]);
  const { condition } = findLimit(platform, textContext);
  return {
    problem: `${name}: ${renderCount(excess, unit === 'bytes' ? 'byte' : 'character')} too long${condition}.`,
    advice: `Shorten the text${LENGTH_HINTS[PLATFORM_RULES[platform].countingUnit] ?? ''} or remove ${name}.`,
  };
}

function checkDisputedLength(
  content: string,
  { platform, used, limit }: TextCount,
): FindingTexts | undefined {
  const { disputedLimit, countingUnit } = PLATFORM_RULES[platform];
  if (disputedLimit === undefined || used > limit) return undefined;
  const { max, unit = countingUnit } = disputedLimit;
  const disputedUse = COUNTERS[unit](content);
  if (disputedUse <= max) return undefined;
  const count = `${formatCount(disputedUse)} of ${formatCount(max)}${unit === 'bytes' ? ' bytes' : ''}`;
  return { problem: `${renderPlatformNames([platform])}: ${count}.`, advice: 'It may refuse this length.' };
}

function checkCharacters(content: string, { platform }: TextCount): FindingTexts | undefined {
  const { refusedCharacters: characters = [] } = PLATFORM_RULES[platform];
  if (!characters.some((character) => content.includes(character))) return undefined;
  return {
    problem: `${renderPlatformNames([platform])} takes no ${characters.join(' or ')} in the text.`,
    advice: 'Remove them.',
  };
}

/** UTF-16 units of a link that a sentence quotes. */
const MAX_SHOWN_LINK = 60;
/** The beginning of what is a link for everybody. */
const CERTAIN_LINK = /^(?:https?:\/\/|www\.)/i;

function listDifferentLinks(content: string): string[] {
  return [...new Set(findLinks(content).map(({ start, end }) => content.slice(start, end)))];
}

function checkLinks(content: string, { platform }: TextCount): FindingTexts | undefined {
  const { maxLinks } = PLATFORM_RULES[platform];
  if (maxLinks === undefined) return undefined;
  const count = listDifferentLinks(content).filter((link) => CERTAIN_LINK.test(link)).length;
  if (count <= maxLinks) return undefined;
  return {
    problem: `${renderPlatformNames([platform])} takes ${maxLinks} different links, and this has ${formatCount(count)}.`,
    advice: `Leave out ${formatCount(count - maxLinks)}.`,
  };
}

function checkDisputedLinks(content: string, counted: TextCount): FindingTexts | undefined {
  const { disputedLinks: max } = PLATFORM_RULES[counted.platform];
  const links = max === undefined ? [] : listDifferentLinks(content);
  const unsure = links.find((link) => !CERTAIN_LINK.test(link));
  if (max === undefined || unsure === undefined || links.length <= max || checkLinks(content, counted))
    return undefined;
  const name = renderPlatformNames([counted.platform]);
  return {
    problem: `${name} takes ${max} different links, and may count ${formatCount(links.length)}.`,
    advice: `It may take “${clip(unsure, MAX_SHOWN_LINK)}” for one.`,
  };
}

/** Matches names of accounts. An address has text before its "@". */
const MENTION = /(?<![\p{L}\p{M}\p{N}_.@/+-])@[\p{L}\p{N}_][\p{L}\p{N}_.]*/gu;

/** The same account twice is one, so that a refusal is certain. */
function checkMentions(content: string, { platform }: TextCount): FindingTexts | undefined {
  const { maxMentions: max } = PLATFORM_RULES[platform];
  if (max === undefined) return undefined;
  const count = new Set(content.match(MENTION)?.map((mention) => mention.toLowerCase())).size;
  if (count <= max) return undefined;
  return {
    problem: `${renderPlatformNames([platform])} takes ${max} mentions, and this has ${formatCount(count)}.`,
    advice: `Leave out ${formatCount(count - max)}.`,
  };
}

/** The same hashtag twice is one, so that a refusal is certain. */
function checkMaxHashtags(content: string, { platform }: TextCount): FindingTexts | undefined {
  const { maxHashtags: max } = PLATFORM_RULES[platform];
  const count = new Set(content.match(HASHTAG)?.map((hashtag) => hashtag.toLowerCase())).size;
  if (max === undefined || count <= max) return undefined;
  return {
    problem: `${renderPlatformNames([platform])} takes ${max} hashtags, and this has ${formatCount(count)}.`,
    advice: `Leave out ${formatCount(count - max)}.`,
  };
}

function checkHashtags(content: string, { platform }: TextCount): FindingTexts | undefined {
  const { disputedHashtags: rule } = PLATFORM_RULES[platform];
  const hashtags = rule === undefined ? 0 : (content.match(HASHTAG)?.length ?? 0);
  if (rule === undefined || hashtags <= rule.max) return undefined;
  return {
    problem: `${renderPlatformNames([platform])} may allow only ${rule.max} hashtags since ${rule.since}.`,
    advice: `You have ${formatCount(hashtags)}.`,
  };
}

// What other modules use of this folder, besides what this file declares.
export { findLinks } from './find-links.ts';
export { type Finding, MIN_POST_GAP_MS, REPEAT_SEARCH_MS } from './rules.ts';
