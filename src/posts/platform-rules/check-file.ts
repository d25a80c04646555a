import type { Platform } from '../../api/platforms.ts';
import { formatBytes, formatDuration, MEDIA_TYPES, type MediaFacts } from '../media-reference.ts';
import { renderPlatformNames } from '../platforms.ts';
import { type Finding, type Findings, type MediaLimits, PLATFORM_RULES } from './rules.ts';

/**
 * Checks a file that Upnext has read. A picture where a platform takes only videos is certainly refused. All other limits
 * are warnings, because the service may convert the file before it publishes it.
 */
export function checkFile(facts: MediaFacts, platforms: readonly Platform[]): Findings {
  const { kind } = MEDIA_TYPES[facts.type];
  const stops = platforms.flatMap((platform) =>
    PLATFORM_RULES[platform].media === 'one video' && kind !== 'video'
      ? [createFinding(platform, 'takes exactly one video, and this is a picture', 'Choose a video')]
      : [],
  );
  const warnings = platforms.flatMap((platform) => {
    const limits = PLATFORM_RULES[platform].files?.[kind];
    return limits ? listProblems(facts, limits).map((problem) => createFinding(platform, problem)) : [];
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

function listProblems(facts: MediaFacts, limits: MediaLimits): string[] {
  return Object.values(MEDIA_CHECKS).flatMap((check) => check(limits, facts) ?? []);
}

/** Returns what is wrong with the file, after the platform's name. */
type MediaCheck = (limits: MediaLimits, facts: MediaFacts) => string | undefined;

const MEDIA_CHECKS: Readonly<Record<Exclude<keyof MediaLimits, 'text' | 'maxAnimatedBytes'>, MediaCheck>> = {
  types: ({ types, text }, { type }) =>
    types.includes(type) ? undefined : `takes ${text}, and this is ${MEDIA_TYPES[type].name}`,
  maxBytes({ maxBytes, maxAnimatedBytes }, { bytes, isAnimated }) {
    const max = (isAnimated ? maxAnimatedBytes : undefined) ?? maxBytes;
    return max !== undefined && bytes > max
      ? `takes ${formatBytes(max)}, and this has ${formatBytes(bytes)}`
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
    return `takes shapes from ${aspect.text}, and this has ${size}`;
  },
};

const formatPixels = (pixels: number) =>
  `${(pixels / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} megapixels`;
