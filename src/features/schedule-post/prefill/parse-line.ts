import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import { listPlatformChoices, parsePlatform } from '../../../posts/platforms.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { resolveProject } from '../../../posts/resolve-project.ts';
import { splitLine } from './split-line.ts';

/** A post parsed from one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
interface ParsedLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  project?: Project;
  /** The words of the head that name no project, platform or draft. They should name the moment. */
  when: string;
}

const DRAFT_PATTERN = /(?<![^\s,])(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/i;

/** Whether the head of the line asks for a draft. Pure. */
export function isDraftLine(line: string): boolean {
  return DRAFT_PATTERN.test(splitLine(line).head);
}

/** Parses a line. Words that don't name a project, a platform or a draft become the moment. Pure. */
export function parseLine(
  line: string,
  projects: ProjectList,
  isMoment: (text: string) => boolean,
): ParsedLine {
  const { head, text = '' } = splitLine(line);
  const { project, remainingHead: headWithoutProject } = extractProject(head, projects, isMoment);
  const headWithoutDraft = headWithoutProject.replace(DRAFT_PATTERN, ' ');
  const { platforms, remainingHead: when } = extractPlatforms(headWithoutDraft);
  return {
    text,
    isDraft: headWithoutDraft !== headWithoutProject,
    platforms,
    ...(project && { project }),
    when,
  };
}

/** Maximum length of a project's name, in words. */
const MAX_NAME_WORDS = 12;

/** Maximum occurrences of "for" to try, because the words after each one are compared with all projects. */
const MAX_PROJECT_CANDIDATES = 3;

/** The project that the head names, and the head without this project. */
interface ExtractedProject {
  project?: Project;
  remainingHead: string;
}

/**
 * Finds the project in "for Harbour Coffee" or `for "Harbour Coffee"`, and removes it from the head. The start of a
 * name is enough, unless the start is a moment ("for friday"). Words that name no project stay in the head.
 */
function extractProject(
  head: string,
  projects: ProjectList,
  isMoment: (text: string) => boolean,
): ExtractedProject {
  for (const match of [...head.matchAll(/(?<![^\s])for\s+/gi)].slice(0, MAX_PROJECT_CANDIDATES)) {
    const textAfter = head.slice(match.index + match[0].length);
    const textBefore = head.slice(0, match.index);
    const quotedName = /^["“„«»]([^"“”„«»]*)["“”«»]/.exec(textAfter);
    const candidates = quotedName
      ? [{ name: quotedName[1] ?? '', length: quotedName[0].length }]
      : listNameCandidates(textAfter);
    for (const { name, length } of candidates) {
      const resolution = resolveProject(projects, [], name);
      if (resolution.kind !== 'one' || resolution.rest !== '') continue;
      // `isMoment` comes last because it uses the step budget.
      if (quotedName || isFullName(projects.items, name) || !isMoment(name))
        return { project: resolution.project, remainingHead: `${textBefore} ${textAfter.slice(length)}` };
    }
  }
  return { remainingHead: head };
}

/** Lists the candidates for a project's name at the start of the text, longest first. */
function listNameCandidates(text: string): { name: string; length: number }[] {
  const ends = [...text.matchAll(/\S+/g)]
    .slice(0, MAX_NAME_WORDS)
    .map((match) => match.index + match[0].length);
  return ends.reverse().map((end) => ({ name: text.slice(0, end).replace(/,$/, ''), length: end }));
}

function isFullName(projects: readonly Project[], text: string): boolean {
  const lowerCaseText = text.toLowerCase();
  return projects.some(({ id, name }) => [name.toLowerCase(), id.toLowerCase()].includes(lowerCaseText));
}

/** Matches platform names that are written as two words. */
const SPLIT_NAMES = /\b(linked)\s+(in)\b|\b(tik)\s+(tok)\b|\b(you)\s+(tube)\b|\b(face)\s+(book)\b/gi;

export const ALL_PLATFORMS: readonly Platform[] = listPlatformChoices().map(({ platform }) => platform);

// The words before, after and between the platforms of a list.
const LIST_PREFIX = /^(?:on|to|via)$/i;
const LIST_SUFFIX = /^(?:platforms?|channels?|networks?)$/i;
const LIST_SEPARATOR = /^(?:,|&|\+|and)$/i;

/**
 * Finds the platforms in "on x, linkedin and fb", with or without "on", and removes them from the head. "All" means all
 * platforms only in "on all", in "all platforms" or within a list.
 */
function extractPlatforms(head: string): { platforms: Platform[]; remainingHead: string } {
  const words = head.replace(SPLIT_NAMES, (name) => name.replace(/\s+/g, '')).match(/[^\s,]+|,/g) ?? [];
  const foundPlatforms: Platform[] = [];
  const otherWords: string[] = [];
  let isInList = false;
  let separators: string[] = [];
  for (const [index, word] of words.entries()) {
    const platforms = parsePlatformWord(word, words[index - 1], words[index + 1], isInList);
    if (platforms) {
      foundPlatforms.push(...platforms);
      if (!isInList && LIST_PREFIX.test(otherWords.at(-1) ?? '')) otherWords.pop();
      isInList = true;
      separators = [];
    } else if (isInList && LIST_SEPARATOR.test(word)) separators.push(word);
    else if (isInList && LIST_SUFFIX.test(word)) isInList = false;
    else {
      otherWords.push(...separators, word);
      separators = [];
      isInList = false;
    }
  }
  return { platforms: [...new Set(foundPlatforms)], remainingHead: joinWords(otherWords) };
}

/** Parses "x" or "x/linkedin". Undefined if the word isn't only platforms, or if "all" doesn't mean platforms here. */
function parsePlatformWord(
  word: string,
  previousWord: string | undefined,
  nextWord: string | undefined,
  isInList: boolean,
): Platform[] | undefined {
  const platforms = word.split(/[/&+]/).map(parsePlatform);
  if (platforms.length === 0 || platforms.includes(undefined)) return undefined;
  if (!platforms.includes('all')) return platforms.flatMap((name) => (name && name !== 'all' ? [name] : []));
  const meansAllPlatforms =
    isInList || LIST_PREFIX.test(previousWord ?? '') || LIST_SUFFIX.test(nextWord ?? '');
  return meansAllPlatforms ? [...ALL_PLATFORMS] : undefined;
}

/** Joins words and commas, without commas at the ends. */
function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}
