import type { Platform } from '../../api/platforms.ts';
import {
  findPageSite,
  formatBytes,
  formatBytesAbove,
  formatDuration,
  isEndingLink,
  isPrivateLink,
  lacksScheme,
  MEDIA_TYPES,
  type MediaFacts,
  namesFile,
} from '../media-reference.ts';
import { renderPlatformNames } from '../platforms.ts';
import { type Finding, type Findings, type MediaLimits, PLATFORM_RULES } from './rules.ts';

/** The media of a post, and what else decides whether they are enough. */
export interface CheckedMedia {
  media: string;
  /** What Upnext knows of the file, if it has read it. */
  mediaFacts?: MediaFacts | undefined;
  /** Whether a template or prompt is chosen, which may supply missing content or change the text. */
  hasTemplateOrPrompt?: boolean;
}

const VIDEO = /\.(?:mp4|m4v|mov|webm|avi|mkv|mpe?g|wmv|flv|3gp)$/i;
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|heic|bmp|tiff?|svg)$/i;

/**
 * Checks the media. Of a file that Upnext has read, everything is known. Of a link, it is certain only whether there is
 * one: its type is known only from a file extension.
 */
export function checkMedia(post: CheckedMedia, platforms: readonly Platform[]): Findings {
  const platformsWith = (media: string) => platforms.filter((name) => PLATFORM_RULES[name].media === media);
  const [mediaPlatforms, videoPlatforms] = [platformsWith('required'), platformsWith('one video')];
  if (post.media.trim() !== '' && post.mediaFacts) return checkFile(post.mediaFacts, platforms);
  if (post.media.trim() !== '')
    return {
      stops: [],
      warnings: [
        ...checkVideo(post.media, videoPlatforms),
        ...platforms.flatMap((platform) => checkFormat(post.media, platform)),
        ...(isPrivateLink(post.media.trim()) ? [createPrivateLinkFinding(platforms)] : []),
        ...(isEndingLink(post.media.trim()) ? [createEndingLinkFinding(platforms)] : []),
        ...createPageFindings(findPageSite(post.media.trim()), platforms),
        ...createNameFindings(post.media.trim(), platforms),
      ],
    };
  const missing = [
    ...(mediaPlatforms.length > 0 ? [createMissingMediaFinding(mediaPlatforms, 'media', post)] : []),
    ...(videoPlatforms.length > 0 ? [createMissingMediaFinding(videoPlatforms, 'one video', post)] : []),
  ];
  return post.hasTemplateOrPrompt ? { stops: [], warnings: missing } : { stops: missing, warnings: [] };
}

function createMissingMediaFinding(
  platforms: Platform[],
  neededMedia: string,
  { hasTemplateOrPrompt }: CheckedMedia,
): Finding {
  const names = renderPlatformNames(platforms);
  const problem = `${names} ${platforms.length === 1 ? 'needs' : 'need'} ${neededMedia}.`;
  const advice = hasTemplateOrPrompt ? 'The template or prompt must add it.' : `Add it, or remove ${names}.`;
  return { platforms, field: 'Media', problem, advice };
}

function createPrivateLinkFinding(platforms: readonly Platform[]): Finding {
  const problem = 'Only your own network can open this link, so the service can’t fetch it.';
  return { platforms, field: 'Media', problem, advice: 'Use a public link.' };
}

function createEndingLinkFinding(platforms: readonly Platform[]): Finding {
  const problem = 'This link works for a limited time, and may end before the service fetches the file.';
  return { platforms, field: 'Media', problem, advice: 'Use a link that stays.' };
}

function createNameFindings(media: string, platforms: readonly Platform[]): Finding[] {
  if (media.includes(':') || lacksScheme(media)) return [];
  const isFile = namesFile(media);
  const problem = isFile
    ? 'This looks like the name of a file, and the service can’t open files on a computer.'
    : 'This isn’t a link.';
  const advice = `${isFile ? 'Use' : 'If it isn’t an ID of the service, use'} a link to the picture or video.`;
  return [{ platforms, field: 'Media', problem, advice }];
}

function createPageFindings(site: string | undefined, platforms: readonly Platform[]): Finding[] {
  if (site === undefined) return [];
  const problem = `This link opens a page on ${site}, and not the picture itself.`;
  return [
    { platforms, field: 'Media', problem, advice: 'Use a link to the file, which opens without signing in.' },
  ];
}

/** Files that aren't pictures or videos, or that no browser shows. */
const OTHER_FILE = /\.(?:pdf|psd|eps|ai|heif|jxl|docx?|pptx?|zip)$/i;

/** Checks the type of a file, as far as the reference has a file extension. */
function checkFormat(media: string, platform: Platform): Finding[] {
  const { formats } = PLATFORM_RULES[platform];
  const path = media.trim().replace(/[?#].*$/, '');
  if (!formats || ![VIDEO, PICTURE, OTHER_FILE].some((files) => files.test(path))) return [];
  const extension = path.split('.').at(-1)?.toLowerCase() ?? '';
  if (formats.extensions.includes(extension)) return [];
  const problem = `${renderPlatformNames([platform])} takes ${formats.text}.`;
  return [
    { platforms: [platform], field: 'Media', problem, advice: `This looks like ${extension.toUpperCase()}.` },
  ];
}

function checkVideo(media: string, platforms: Platform[]): Finding[] {
  const path = media.trim().replace(/[?#].*$/, '');
  if (platforms.length === 0 || VIDEO.test(path)) return [];
  const problem = `${renderPlatformNames(platforms)} takes exactly one video.`;
  const advice = PICTURE.test(path) ? 'This looks like a picture.' : 'I can’t check this link.';
  return [{ platforms, field: 'Media', problem, advice }];
}

/**
 * Checks a file that Upnext has read. A picture where a platform takes only videos is certainly refused. All other limits
 * are warnings, because the service may convert the file before it publishes it.
 */
function checkFile(facts: MediaFacts, platforms: readonly Platform[]): Findings {
  const { kind } = MEDIA_TYPES[facts.type];
  const stops = platforms.flatMap((platform) =>
    PLATFORM_RULES[platform].media === 'one video' && kind !== 'video'
      ? [createFinding(platform, 'takes exactly one video, and this is a picture', 'Choose a video')]
      : [],
  );
  const warnings = platforms.flatMap((platform) => {
    const limits = PLATFORM_RULES[platform].files?.[kind];
    return limits
      ? Object.values(MEDIA_CHECKS)
          .flatMap((check) => check(limits, facts) ?? [])
          .map((problem) => createFinding(platform, problem))
      : [];
  });
  return { stops, warnings };
}

function createFinding(platform: Platform, problem: string, advice?: string): Finding {
  return {
    platforms: [platform],
    field: 'Media',
    problem: `${renderPlatformNames([platform])} ${problem}.`,
    ...(advice !== undefined && { advice: `${advice}, or remove ${renderPlatformNames([platform])}.` }),
  };
}

/** Returns what is wrong with the file, after the platform's name. */
type MediaCheck = (limits: MediaLimits, facts: MediaFacts) => string | undefined;

const MEDIA_CHECKS: Readonly<Record<Exclude<keyof MediaLimits, 'text' | 'maxAnimatedBytes'>, MediaCheck>> = {
  types: ({ types, text }, { type }) =>
    types.includes(type) ? undefined : `takes ${text}, and this is ${MEDIA_TYPES[type].name}`,
  maxBytes({ maxBytes, maxAnimatedBytes }, { bytes, isAnimated }) {
    const max = (isAnimated ? maxAnimatedBytes : undefined) ?? maxBytes;
    return max !== undefined && bytes > max
      ? `takes ${formatBytes(max)}, and this has ${formatBytesAbove(max, bytes)}`
      : undefined;
  },
  maxPixels: ({ maxPixels: max }, { width = 0, height = 0 }) =>
    max !== undefined && width * height > max
      ? `takes ${formatPixels(max)}, and this has ${formatPixels(width * height)}`
      : undefined,
  maxDurationMs: ({ maxDurationMs: max }, { durationMs = 0 }) =>
    max !== undefined && durationMs > max
      ? `takes ${formatDuration(max)}, and this has ${formatDuration(durationMs)}`
      : undefined,
  minDurationMs: ({ minDurationMs: min }, { durationMs }) =>
    min !== undefined && durationMs !== undefined && durationMs < min
      ? `needs at least ${formatDuration(min)}, and this has ${formatDuration(durationMs)}`
      : undefined,
  aspect({ aspect }, { width = 0, height = 0 }) {
    const ratio = width / height;
    // A pixel more or less isn't refused.
    if (!aspect || height === 0 || (ratio >= aspect.min * 0.99 && ratio <= aspect.max * 1.01))
      return undefined;
    const size = `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')}`;
    const { disputedMin = Number.POSITIVE_INFINITY } = aspect;
    const isDisputed = ratio < 1 && ratio >= disputedMin * 0.99;
    return `${isDisputed ? 'may take only' : 'takes'} shapes from ${aspect.text}, and this has ${size}`;
  },
};

const formatPixels = (pixels: number) =>
  `${(pixels / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} megapixels`;
