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
  const { type, bytes, width = 0, height = 0, durationMs, isAnimated } = facts;
  const { maxAnimatedBytes, minDurationMs = 0, maxDurationMs = Number.POSITIVE_INFINITY, aspect } = limits;
  const maxBytes = (isAnimated ? maxAnimatedBytes : undefined) ?? limits.maxBytes;
  const ratio = height > 0 ? width / height : undefined;
  const problems = [
    !limits.types.includes(type) && `takes ${limits.text}, and this is ${MEDIA_TYPES[type].name}`,
    maxBytes !== undefined &&
      bytes > maxBytes &&
      `takes ${formatBytes(maxBytes)}, and this has ${formatBytes(bytes)}`,
    limits.maxPixels !== undefined &&
      width * height > limits.maxPixels &&
      `takes ${formatPixels(limits.maxPixels)}, and this has ${formatPixels(width * height)}`,
    durationMs !== undefined &&
      durationMs > maxDurationMs &&
      `takes ${formatDuration(maxDurationMs)}, and this has ${formatDuration(durationMs)}`,
    durationMs !== undefined &&
      durationMs < minDurationMs &&
      `needs at least ${formatDuration(minDurationMs)}, and this has ${formatDuration(durationMs)}`,
    aspect !== undefined &&
      ratio !== undefined &&
      // A pixel more or less isn't refused.
      (ratio < aspect.min * 0.99 || ratio > aspect.max * 1.01) &&
      `takes shapes from ${aspect.text}, and this has ${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')}`,
  ];
  return problems.filter((problem) => problem !== false);
}

const formatPixels = (pixels: number) =>
  `${(pixels / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} megapixels`;
