import type { Platform } from '../../api/platforms.ts';
import { platformNames } from '../platforms.ts';
import { count, countText, type TextCount } from './count-text.ts';
import { findLinks } from './find-links.ts';
import { PLATFORM_RULES } from './rules.ts';

/** What a platform says to a post, for the field that it belongs to. `words` is plain text for people. */
export interface Finding {
  platforms: readonly Platform[];
  field: 'Content' | 'Media' | 'Platforms';
  words: string;
}

interface Findings {
  /** The platform would refuse the post for certain. */
  stops: Finding[];
  /** Sources disagree, or it cannot be judged from here. */
  warnings: Finding[];
}

/** A post, as far as the platforms' rules look at it. */
interface JudgedPost {
  content: string;
  media: string;
  /** A template or prompt is chosen: what is missing here may come from there, and what is here may change. */
  contentFromElsewhere?: boolean;
  /** The same text goes out more than once. */
  repeated?: boolean;
}

/** What the chosen platforms say to a post before it is sent, and how much of what each takes it uses. */
export function checkPlatforms(
  post: JudgedPost & { platforms: readonly Platform[] },
): Findings & { counts: TextCount[] } {
  const platforms = [...new Set(post.platforms)];
  const hasMedia = post.media.trim() !== '';
  const counts = platforms.map((platform) => countText(platform, post.content, hasMedia));
  const text = counts.map((counted) => judgeText(post.content, counted, hasMedia));
  const media = judgeMedia(post, platforms);
  const certain = text.flatMap(({ stops }) => stops);
  const unsure = [
    ...text.flatMap(({ warnings }) => warnings),
    ...media.warnings,
    ...platforms.flatMap(notCarried),
    ...(post.repeated ? repeats(platforms) : []),
  ];
  // A template or prompt may make another text of it.
  return post.contentFromElsewhere
    ? { stops: media.stops, warnings: [...certain.map(perhaps), ...unsure], counts }
    : { stops: [...certain, ...media.stops], warnings: unsure, counts };
}

function perhaps(finding: Finding): Finding {
  return { ...finding, words: `${finding.words} The template or prompt may change that.` };
}

function notCarried(platform: Platform): Finding[] {
  const { alsoNeeds } = PLATFORM_RULES[platform];
  if (alsoNeeds === undefined) return [];
  const words = `${platformNames([platform])} needs ${alsoNeeds}, which cannot be sent from here.`;
  return [{ platforms: [platform], field: 'Platforms', words }];
}

function repeats(platforms: readonly Platform[]): Finding[] {
  const refusing = platforms.filter((platform) => PLATFORM_RULES[platform].refusesRepeats);
  if (refusing.length === 0) return [];
  const words = `${platformNames(refusing)} refuses the same text twice. Change it a little for each post.`;
  return [{ platforms: refusing, field: 'Content', words }];
}

/** A letter must be in it: "#1" is no hashtag. */
const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&/])[#＃](?=[\p{M}\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu;

/** What one platform says to the text: how long it is, and what is in it. */
function judgeText(content: string, counted: TextCount, hasMedia: boolean): Findings {
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

const VIDEO = /\.(?:mp4|m4v|mov|webm|avi|mkv|mpe?g|wmv|flv|3gp)$/i;
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|heic|bmp|tiff?|svg)$/i;

/**
 * What the platforms say to the media. The service takes one reference as text: whether there is one can be judged,
 * how many files it stands for cannot, and of what kind they are only by the ending of an address.
 */
function judgeMedia(post: JudgedPost, platforms: readonly Platform[]): Findings {
  const wanting = (media: string) => platforms.filter((name) => PLATFORM_RULES[name].media === media);
  const [any, video] = [wanting('required'), wanting('one video')];
  if (post.media.trim() !== '') return { stops: [], warnings: notOneVideo(post.media, video) };
  const missing = [
    ...(any.length > 0 ? [missingMedia(any, 'media', post)] : []),
    ...(video.length > 0 ? [missingMedia(video, 'one video', post)] : []),
  ];
  return post.contentFromElsewhere ? { stops: [], warnings: missing } : { stops: missing, warnings: [] };
}

function missingMedia(platforms: Platform[], what: string, { contentFromElsewhere }: JudgedPost): Finding {
  const names = platformNames(platforms);
  const needs = `${names} ${platforms.length === 1 ? 'needs' : 'need'} ${what}.`;
  const then = contentFromElsewhere
    ? 'The template or prompt has to bring it.'
    : `Add it, or leave out ${names}.`;
  return { platforms, field: 'Media', words: `${needs} ${then}` };
}

function notOneVideo(media: string, platforms: Platform[]): Finding[] {
  const path = media.trim().replace(/[?#].*$/, '');
  if (platforms.length === 0 || VIDEO.test(path)) return [];
  const what = PICTURE.test(path)
    ? 'This looks like a picture.'
    : 'Whether this is one cannot be seen from here.';
  const words = `${platformNames(platforms)} takes exactly one video. ${what}`;
  return [{ platforms, field: 'Media', words }];
}
