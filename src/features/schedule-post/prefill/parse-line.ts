import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { extractPlatforms } from './extract-platforms.ts';
import { extractProject } from './extract-project.ts';
import type { MomentReader } from './moment-reader.ts';
import { splitAfterHead } from './split-after-head.ts';

/** Opening quotes, each with the quotes that can close it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«' };

/** Matches the text before a quoted project name: `for "Harbour Coffee"`. Other quotes contain the text of the post. */
const PROJECT_PREFIX = /(?:^|\s)for\s*$/i;

/** Maximum length of the head, in UTF-16 units. A longer line without a colon or quotes contains only the text. */
const MAX_HEAD_LENGTH = 400;

/** A line, split into the head and the text of the post. The head names the moment, the platforms and the project. */
interface LineParts {
  head: string;
  /** Undefined if the line has no text. */
  text?: string;
}

/**
 * Splits a line into the head and the text of the post. The text is in quotes, or follows the first colon with
 * whitespace after it (unlike the colon in "12:30"). If a quote isn't closed, the text ends with the line.
 */
export function splitLine(line: string): LineParts {
  for (let index = 0; index < Math.min(line.length, MAX_HEAD_LENGTH); index += 1) {
    const character = line.charAt(index);
    if (character === ':' && /^(?:\s|$)/.test(line.slice(index + 1, index + 2))) {
      const text = line.slice(index + 1).trim();
      return { head: line.slice(0, index), ...(text !== '' && { text }) };
    }
    const closingQuotes = QUOTES[character];
    if (closingQuotes === undefined) continue;
    const end = findClosingQuote(line, index, closingQuotes);
    if (end !== undefined && PROJECT_PREFIX.test(line.slice(0, index))) {
      index = end;
      continue;
    }
    const text = line.slice(index + 1, end).trim();
    const remainder = end === undefined ? '' : line.slice(end + 1);
    // The part after the quotes is too long for a head, so the text includes the quotes and the part after them.
    if (remainder.length > MAX_HEAD_LENGTH) return { head: line.slice(0, index), text: line.slice(index) };
    const head = `${line.slice(0, index)} ${remainder}`;
    return { head, ...(text !== '' && { text }) };
  }
  return line.length > MAX_HEAD_LENGTH ? { head: '', text: line } : { head: line };
}

/**
 * Finds the index of the quote that closes the quote at `openingIndex`. Skips nested quotes, which can be recognized if
 * opening and closing quotes differ.
 */
function findClosingQuote(line: string, openingIndex: number, closingQuotes: string): number | undefined {
  const opening = line.charAt(openingIndex);
  let depth = 0;
  for (let index = openingIndex + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (closingQuotes.includes(character)) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (character === opening) depth += 1;
  }
  return undefined;
}

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
export function parseLine(line: string, projects: ProjectList, momentReader: MomentReader): ParsedLine {
  const lineParts = splitLine(line);
  const { head, text } =
    lineParts.text === undefined ? splitAfterHead(lineParts.head, projects, momentReader) : lineParts;
  const { project, remainingHead: headWithoutProject } = extractProject(
    head,
    projects,
    momentReader.isMoment,
  );
  const headWithoutDraft = headWithoutProject.replace(DRAFT_PATTERN, ' ');
  const { platforms, unknownPlatforms, remainingHead } = extractPlatforms(headWithoutDraft, momentReader);
  const { when, unreadWords } = readMomentWords(remainingHead, momentReader);
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

/** Splits off the words that name no moment. Words that repeat stay, because the form explains them. */
function readMomentWords(head: string, { isMoment, isRepeating, findLeadingMoments }: MomentReader) {
  if (head === '' || isMoment(head) || isRepeating(head)) return { when: head, unreadWords: '' };
  const leading = findLeadingMoments(head);
  return { when: leading?.words ?? '', unreadWords: leading?.rest ?? head };
}
