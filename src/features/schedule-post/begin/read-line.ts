import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import { resolveProject } from '../../../posts/meant-project.ts';
import { parsePlatform, platformChoices } from '../../../posts/platforms.ts';
import type { Listed } from '../../../posts/project.ts';
import { findText } from './find-text.ts';

/** A post in one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
interface ReadLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  project?: Project;
  /** The words that are left, which say when. */
  when: string;
}

const DRAFT = /(?<![^\s,])(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/i;

/** Nothing is guessed: what names no project, platform or draft is taken to say when. Pure. */
export function readLine(line: string, projects: Listed, isMoment: (words: string) => boolean): ReadLine {
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

/** No project's name is looked for in more words. */
const MOST_WORDS = 12;

/** "For" is said once, perhaps twice; each is looked at against all projects. */
const MOST_TRIES = 3;

/** A line's words without the project that they name. */
interface TakenProject {
  project?: Project;
  rest: string;
}

/**
 * The project of "for Harbour Coffee" or `for "Harbour Coffee"`; how its name begins is enough where that is no moment
 * ("for friday"). Words that name none stay where they are.
 */
function takeProject(head: string, projects: Listed, isMoment: (words: string) => boolean): TakenProject {
  for (const match of [...head.matchAll(/(?<![^\s])for\s+/gi)].slice(0, MOST_TRIES)) {
    const after = head.slice(match.index + match[0].length);
    const before = head.slice(0, match.index);
    const quoted = /^["“„«»]([^"“”„«»]*)["“”«»]/.exec(after);
    const tries = quoted ? [{ name: quoted[1] ?? '', length: quoted[0].length }] : beginnings(after);
    for (const { name, length } of tries) {
      const meant = resolveProject(projects, [], name);
      if (meant.kind !== 'one' || meant.rest !== '') continue;
      // Asked last: reading takes steps.
      if (quoted || isWhole(projects.items, name) || !isMoment(name))
        return { project: meant.project, rest: `${before} ${after.slice(length)}` };
    }
  }
  return { rest: head };
}

/** The first words, as many as a name can have, then one less each time. */
function beginnings(words: string): { name: string; length: number }[] {
  const ends = [...words.matchAll(/\S+/g)].slice(0, MOST_WORDS).map((word) => word.index + word[0].length);
  return ends.reverse().map((end) => ({ name: words.slice(0, end).replace(/,$/, ''), length: end }));
}

function isWhole(projects: readonly Project[], words: string): boolean {
  const plain = words.toLowerCase();
  return projects.some(({ id, name }) => plain === name.toLowerCase() || plain === id.toLowerCase());
}

/** Names that are written in two words as well. */
const IN_TWO = /\b(linked)\s+(in)\b|\b(tik)\s+(tok)\b|\b(you)\s+(tube)\b|\b(face)\s+(book)\b/gi;

export const ALL: readonly Platform[] = platformChoices().map(({ platform }) => platform);

/** Before a list of platforms, and after it. */
const BEFORE = /^(?:on|to|via)$/i;
const AFTER = /^(?:platforms?|channels?|networks?)$/i;
const BETWEEN = /^(?:,|&|\+|and)$/i;

/**
 * A line's words without the platforms that they name: "on x, linkedin and fb", also without "on". "All" is all of
 * them only where it cannot be anything else: "on all", "all platforms".
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
  return { platforms: [...new Set(found)], rest: joined(kept) };
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

/** With commas where they stood; none at the edges. */
function joined(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}
