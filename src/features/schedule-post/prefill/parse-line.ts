import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { extractPlatforms } from './extract-platforms.ts';
import { extractProject } from './extract-project.ts';
import type { MomentWords } from './moment-words.ts';
import { splitAfterHead } from './split-after-head.ts';
import { splitLine } from './split-line.ts';

/** A post parsed from one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
interface ParsedLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  /** Names after "on" that are no platforms. */
  unknownPlatforms: readonly string[];
  project?: Project;
  /** The words of the head that name the moment. */
  when: string;
  /** The words of the head that aren't understood. */
  unreadWords: string;
}

const DRAFT_PATTERN = /(?<![^\s,])(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/i;

/** Whether the head of the line asks for a draft. Pure. */
export function isDraftLine(line: string): boolean {
  return DRAFT_PATTERN.test(splitLine(line).head);
}

/**
 * Parses a line. Without a colon or quotes, the text begins after the last word that names a moment, a platform, a
 * project or a draft. Pure.
 */
export function parseLine(line: string, projects: ProjectList, moments: MomentWords): ParsedLine {
  const lineParts = splitLine(line);
  const { head, text } =
    lineParts.text === undefined ? splitAfterHead(lineParts.head, projects, moments) : lineParts;
  const { project, remainingHead: headWithoutProject } = extractProject(head, projects, moments.isMoment);
  const headWithoutDraft = headWithoutProject.replace(DRAFT_PATTERN, ' ');
  const { platforms, unknownPlatforms, remainingHead } = extractPlatforms(headWithoutDraft, moments);
  const { when, unreadWords } = readMomentWords(remainingHead, moments);
  return {
    text: text ?? '',
    isDraft: headWithoutDraft !== headWithoutProject,
    platforms,
    unknownPlatforms,
    ...(project && { project }),
    when,
    unreadWords,
  };
}

/** Splits off the words that name no moment. */
function readMomentWords(head: string, { isMoment, findLeading }: MomentWords) {
  if (head === '' || isMoment(head)) return { when: head, unreadWords: '' };
  const leading = findLeading(head);
  return { when: leading?.words ?? '', unreadWords: leading?.rest ?? head };
}
