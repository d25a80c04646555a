import type { Platform } from '../../api/platforms.ts';
import { platformNames } from '../platforms.ts';
import { countText, type TextCount } from './count-text.ts';
import type { Finding, Findings, JudgedPost } from './finding.ts';
import { judgeMedia } from './judge-media.ts';
import { judgeText } from './judge-text.ts';
import { PLATFORM_RULES } from './rules.ts';

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
