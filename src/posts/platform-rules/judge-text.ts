import { platformNames } from '../platforms.ts';
import type { TextCount } from './count-text.ts';
import { findLinks } from './find-links.ts';
import { count, type Finding, type Findings } from './finding.ts';
import { PLATFORM_RULES } from './rules.ts';

/** A letter must be in it: "#1" is no hashtag. */
const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&/])[#＃](?=[\p{M}\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu;

/** What one platform says to the text: how long it is, and what is in it. */
export function judgeText(content: string, counted: TextCount, hasMedia: boolean): Findings {
  const { platform } = counted;
  const finding = (words: string): Finding => ({ platforms: [platform], field: 'Content', words });
  const stops = [tooLong(counted, hasMedia), refusedSigns(content, counted), tooManyLinks(content, counted)];
  const warnings = [disputedLength(counted), tooManyHashtags(content, counted)];
  const said = (words: string | undefined) => words !== undefined;
  return { stops: stops.filter(said).map(finding), warnings: warnings.filter(said).map(finding) };
}

function tooLong({ platform, used, limit, unit }: TextCount, hasMedia: boolean): string | undefined {
  if (used <= limit) return undefined;
  const bytes = unit === 'bytes' ? ' bytes' : '';
  const media = hasMedia && PLATFORM_RULES[platform].limitWithMedia !== undefined ? ' with media' : '';
  const why = unit === 'bytes' ? ' An emoji or a letter that is not plain English takes several.' : '';
  const over = `Shorten it by ${count(used - limit)}${bytes}.`;
  return `${platformNames([platform])} counts ${count(used)} of ${count(limit)}${bytes}${media}. ${over}${why}`;
}

function disputedLength({ platform, used, limit }: TextCount): string | undefined {
  const { disputedFrom } = PLATFORM_RULES[platform];
  if (disputedFrom === undefined || used <= disputedFrom || used > limit) return undefined;
  return `${platformNames([platform])} counts ${count(used)}. It may take no more than ${count(disputedFrom)}.`;
}

function refusedSigns(content: string, { platform }: TextCount): string | undefined {
  const { refusedSigns: signs = [] } = PLATFORM_RULES[platform];
  if (!signs.some((sign) => content.includes(sign))) return undefined;
  return `${platformNames([platform])} takes no ${signs.join(' or ')} in the text. Leave them out.`;
}

function tooManyLinks(content: string, { platform }: TextCount): string | undefined {
  const { mostLinks } = PLATFORM_RULES[platform];
  if (mostLinks === undefined) return undefined;
  const links = new Set(findLinks(content).map(({ start, end }) => content.slice(start, end)));
  if (links.size <= mostLinks) return undefined;
  const over = links.size - mostLinks;
  return `${platformNames([platform])} takes ${mostLinks} different links, and this has ${count(links.size)}. Leave out ${count(over)}.`;
}

function tooManyHashtags(content: string, { platform }: TextCount): string | undefined {
  const { disputedHashtags: rule } = PLATFORM_RULES[platform];
  const hashtags = rule === undefined ? 0 : (content.match(HASHTAG)?.length ?? 0);
  if (rule === undefined || hashtags <= rule.most) return undefined;
  return `${platformNames([platform])} may take only ${rule.most} hashtags since ${rule.since}. This has ${count(hashtags)}.`;
}
