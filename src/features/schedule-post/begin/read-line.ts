import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import { listPlatformChoices, parsePlatform } from '../../../posts/platforms.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { resolveProject } from '../../../posts/resolve-project.ts';
import { findText } from './find-text.ts';

/** A post in one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
interface ReadLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  project?: Project;
  /** The remaining words, taken as the moment. */
  when: string;
}

const DRAFT = /(?<![^\s,])(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/i;

/** Parses a line. Words that name no project, no platform and no draft are taken as the moment. Pure. */
export function readLine(
  line: string,
  projects: ProjectList,
  isMoment: (words: string) => boolean,
): ReadLine {
  const { head, text = '' } = findText(line);
  const { project, rest: withoutProject } = takeProject(head, projects, isMoment);
  const withoutDraft = withoutProject.replace(DRAFT, ' ');
  const { platforms, rest: when } = takePlatforms(withoutDraft);
  return {
    text,
    isDraft: withoutDraft !== withoutProject,
    platforms,
    ...(project && { project }),
    when,
  };
}

/** The longest project name to try, in words. Our own limit. */
const MAX_NAME_WORDS = 12;

/** How many occurrences of "for" are tried; each is compared with all projects. Our own limit. */
const MAX_TRIES = 3;

/** The project that a line names, and the line without it. */
interface TakenProject {
  project?: Project;
  rest: string;
}

/**
 * Finds the project in "for Harbour Coffee" or `for "Harbour Coffee"`. The beginning of its name is enough unless it is
 * a moment ("for friday"). Words that name no project stay in the line.
 */
function takeProject(
  head: string,
  projects: ProjectList,
  isMoment: (words: string) => boolean,
): TakenProject {
  for (const match of [...head.matchAll(/(?<![^\s])for\s+/gi)].slice(0, MAX_TRIES)) {
    const after = head.slice(match.index + match[0].length);
    const before = head.slice(0, match.index);
    const quoted = /^["“„«»]([^"“”„«»]*)["“”«»]/.exec(after);
    const tries = quoted ? [{ name: quoted[1] ?? '', length: quoted[0].length }] : beginnings(after);
    for (const { name, length } of tries) {
      const meant = resolveProject(projects, [], name);
      if (meant.kind !== 'one' || meant.rest !== '') continue;
      // `isMoment` comes last because it uses the step budget.
      if (quoted || isWhole(projects.items, name) || !isMoment(name))
        return { project: meant.project, rest: `${before} ${after.slice(length)}` };
    }
  }
  return { rest: head };
}

/** The first words as candidates for a name, longest first. */
function beginnings(words: string): { name: string; length: number }[] {
  const ends = [...words.matchAll(/\S+/g)]
    .slice(0, MAX_NAME_WORDS)
    .map((word) => word.index + word[0].length);
  return ends.reverse().map((end) => ({ name: words.slice(0, end).replace(/,$/, ''), length: end }));
}

function isWhole(projects: readonly Project[], words: string): boolean {
  const plain = words.toLowerCase();
  return projects.some(({ id, name }) => plain === name.toLowerCase() || plain === id.toLowerCase());
}

/** Platform names that people also write as two words. */
const IN_TWO = /\b(linked)\s+(in)\b|\b(tik)\s+(tok)\b|\b(you)\s+(tube)\b|\b(face)\s+(book)\b/gi;

export const ALL: readonly Platform[] = listPlatformChoices().map(({ platform }) => platform);

/** Words before, after and between the platforms of a list. */
const BEFORE = /^(?:on|to|via)$/i;
const AFTER = /^(?:platforms?|channels?|networks?)$/i;
const BETWEEN = /^(?:,|&|\+|and)$/i;

/**
 * Finds the platforms in "on x, linkedin and fb", also without "on", and returns the line without them. "All" means all
 * platforms only in "on all", "all platforms" or within a list.
 */
function takePlatforms(head: string): { platforms: Platform[]; rest: string } {
  const words = head.replace(IN_TWO, (name) => name.replace(/\s+/g, '')).match(/[^\s,]+|,/g) ?? [];
  const found: Platform[] = [];
  const kept: string[] = [];
  let isList = false;
  let between: string[] = [];
  for (const [index, word] of words.entries()) {
    const named = platformsIn(word, words[index - 1], words[index + 1], isList);
    if (named) {
      found.push(...named);
      if (!isList && BEFORE.test(kept.at(-1) ?? '')) kept.pop();
      isList = true;
      between = [];
    } else if (isList && BETWEEN.test(word)) between.push(word);
    else if (isList && AFTER.test(word)) isList = false;
    else {
      kept.push(...between, word);
      between = [];
      isList = false;
    }
  }
  return { platforms: [...new Set(found)], rest: joinWords(kept) };
}

function platformsIn(
  word: string,
  before: string | undefined,
  after: string | undefined,
  isList: boolean,
): Platform[] | undefined {
  const named = word.split(/[/&+]/).map(parsePlatform);
  if (named.length === 0 || named.includes(undefined)) return undefined;
  if (!named.includes('all')) return named.flatMap((name) => (name && name !== 'all' ? [name] : []));
  const isAll = isList || BEFORE.test(before ?? '') || AFTER.test(after ?? '');
  return isAll ? [...ALL] : undefined;
}

/** Joins words, with commas where they were and none at the ends. */
function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}
