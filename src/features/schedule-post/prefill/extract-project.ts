import type { Project } from '../../../api/projects.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { resolveProject } from '../../../posts/resolve-project.ts';
import type { MomentReader } from './moment-reader.ts';

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
export function extractProject(
  head: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): ExtractedProject {
  for (const prefix of [...head.matchAll(/(?<![^\s])for\s+/gi)].slice(0, MAX_PROJECT_CANDIDATES)) {
    const textAfter = head.slice(prefix.index + prefix[0].length);
    const textBefore = head.slice(0, prefix.index);
    const match = findProjectName(textAfter, projects, isMoment);
    if (match)
      return { project: match.project, remainingHead: `${textBefore} ${textAfter.slice(match.length)}` };
  }
  return { remainingHead: head };
}

/** Finds the project that the start of the text names, and the length of the name. */
export function findProjectName(
  text: string,
  projects: ProjectList,
  isMoment: MomentReader['isMoment'],
): { project: Project; length: number } | undefined {
  const quotedName = /^["“„«»]([^"“”„«»]*)["“”«»]/.exec(text);
  const candidates = quotedName
    ? [{ name: quotedName[1] ?? '', length: quotedName[0].length }]
    : listNameCandidates(text);
  for (const { name, length } of candidates) {
    const resolution = resolveProject(projects, [], name);
    if (resolution.kind !== 'one' || resolution.rest !== '') continue;
    // `isMoment` comes last because it uses the step budget.
    if (quotedName || isFullName(projects.items, name) || !isMoment(name))
      return { project: resolution.project, length };
  }
  return undefined;
}

/** Lists the candidates for a project's name at the start of the text, longest first. */
function listNameCandidates(text: string): { name: string; length: number }[] {
  const ends = [...text.matchAll(/\S+/g)].slice(0, MAX_NAME_WORDS).map((word) => word.index + word[0].length);
  return ends.reverse().map((end) => ({ name: text.slice(0, end).replace(/,$/, ''), length: end }));
}

function isFullName(projects: readonly Project[], text: string): boolean {
  const lowerCaseText = text.toLowerCase();
  return projects.some(({ id, name }) => [name.toLowerCase(), id.toLowerCase()].includes(lowerCaseText));
}
