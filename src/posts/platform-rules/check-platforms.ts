import type { Platform } from '../../api/platforms.ts';
import { platformNames } from '../platforms.ts';
import { count, countText, type TextCount } from './count-text.ts';
import { findLinks } from './find-links.ts';
import { PLATFORM_RULES } from './rules.ts';

/** A problem of a post on some platforms, and the field it is about. `words`: plain text for people. */
export interface Finding {
  platforms: readonly Platform[];
  field: 'Content' | 'Media' | 'Platforms';
  words: string;
}

interface Findings {
  /** The platform would certainly refuse the post. */
  stops: Finding[];
  /** Sources disagree, or there isn't enough information. */
  warnings: Finding[];
}

/** The fields of a post that the rules check. */
interface CheckedPost {
  content: string;
  media: string;
  /** A template or prompt is chosen, which may supply missing content or change the text. */
  contentFromElsewhere?: boolean;
  /** The same text will be published more than once. */
  repeated?: boolean;
}

/** Checks a post against the rules of its platforms, and counts its text as each platform does. */
export function checkPlatforms(
  post: CheckedPost & { platforms: readonly Platform[] },
): Findings & { counts: TextCount[] } {
  const platforms = [...new Set(post.platforms)];
  const hasMedia = post.media.trim() !== '';
  const counts = platforms.map((platform) => countText(platform, post.content, hasMedia));
  const text = counts.map((counted) => checkText(post.content, counted, hasMedia));
  const media = checkMedia(post, platforms);
  const certain = text.flatMap(({ stops }) => stops);
  const unsure = [
    ...text.flatMap(({ warnings }) => warnings),
    ...media.warnings,
    ...platforms.flatMap(unsupportedFields),
    ...(post.repeated ? repeats(platforms) : []),
  ];
  // A template or prompt may change the text, so nothing about the text is certain.
  return post.contentFromElsewhere
    ? { stops: media.stops, warnings: [...certain.map(addTemplateNote), ...unsure], counts }
    : { stops: [...certain, ...media.stops], warnings: unsure, counts };
}

function addTemplateNote(finding: Finding): Finding {
  return { ...finding, words: `${finding.words} The template or prompt may change that.` };
}

function unsupportedFields(platform: Platform): Finding[] {
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

/** A hashtag needs a letter: "#1" isn't one. */
const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&/])[#＃](?=[\p{M}\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu;

/** Checks the length and the content of the text for one platform. */
function checkText(content: string, counted: TextCount, hasMedia: boolean): Findings {
  const { platform } = counted;
  const finding = (words: string): Finding => ({ platforms: [platform], field: 'Content', words });
  const stops = [
    tooLong(counted, hasMedia),
    refusedCharacters(content, counted),
    tooManyLinks(content, counted),
  ];
  const warnings = [disputedLength(counted), tooManyHashtags(content, counted)];
  const isFound = (words: string | undefined) => words !== undefined;
  return { stops: stops.filter(isFound).map(finding), warnings: warnings.filter(isFound).map(finding) };
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

function refusedCharacters(content: string, { platform }: TextCount): string | undefined {
  const { refusedCharacters: characters = [] } = PLATFORM_RULES[platform];
  if (!characters.some((character) => content.includes(character))) return undefined;
  return `${platformNames([platform])} takes no ${characters.join(' or ')} in the text. Leave them out.`;
}

function tooManyLinks(content: string, { platform }: TextCount): string | undefined {
  const { maxLinks } = PLATFORM_RULES[platform];
  if (maxLinks === undefined) return undefined;
  const links = new Set(findLinks(content).map(({ start, end }) => content.slice(start, end)));
  if (links.size <= maxLinks) return undefined;
  const over = links.size - maxLinks;
  return `${platformNames([platform])} takes ${maxLinks} different links, and this has ${count(links.size)}. Leave out ${count(over)}.`;
}

function tooManyHashtags(content: string, { platform }: TextCount): string | undefined {
  const { disputedHashtags: rule } = PLATFORM_RULES[platform];
  const hashtags = rule === undefined ? 0 : (content.match(HASHTAG)?.length ?? 0);
  if (rule === undefined || hashtags <= rule.max) return undefined;
  return `${platformNames([platform])} may take only ${rule.max} hashtags since ${rule.since}. This has ${count(hashtags)}.`;
}

const VIDEO = /\.(?:mp4|m4v|mov|webm|avi|mkv|mpe?g|wmv|flv|3gp)$/i;
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|heic|bmp|tiff?|svg)$/i;

/**
 * Checks the media. The service takes one reference as text, so it is certain only whether there is one. The number of
 * files is unknown, and their kind is only known from a file extension in the reference.
 */
function checkMedia(post: CheckedPost, platforms: readonly Platform[]): Findings {
  const platformsWith = (media: string) => platforms.filter((name) => PLATFORM_RULES[name].media === media);
  const [any, video] = [platformsWith('required'), platformsWith('one video')];
  if (post.media.trim() !== '') return { stops: [], warnings: notOneVideo(post.media, video) };
  const missing = [
    ...(any.length > 0 ? [missingMedia(any, 'media', post)] : []),
    ...(video.length > 0 ? [missingMedia(video, 'one video', post)] : []),
  ];
  return post.contentFromElsewhere ? { stops: [], warnings: missing } : { stops: missing, warnings: [] };
}

function missingMedia(platforms: Platform[], what: string, { contentFromElsewhere }: CheckedPost): Finding {
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
