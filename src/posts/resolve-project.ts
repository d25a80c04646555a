import type { Project } from '../api/projects.ts';
import { normalizeName } from './normalize-name.ts';
import { type ProjectList, resolveChannelProject } from './project.ts';

/** The project that the text refers to. `rest` is the text without the project's name. */
type ResolvedProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project; rest: string; isFromChannelName?: boolean }
  | { kind: 'several'; projects: readonly Project[]; rest: string };

/**
 * Resolves the project that the text refers to: the project named in the text, else the only project, else the
 * channel's only bound project. Otherwise the text may be the beginning of a name. This doesn't work in a truncated
 * list, because the name of a missing project could have the same beginning. Last comes the project that the channel is
 * named after.
 */
export function resolveProject(
  list: ProjectList,
  boundIds: readonly string[],
  text: string,
  channelName = '',
): ResolvedProject {
  const { items: projects, isTruncated } = list;
  const [firstProject] = projects;
  if (!firstProject && !isTruncated) return { kind: 'none' };
  const namedResult = findNamedProject(projects, text);
  if (namedResult) return namedResult;
  const rest = text.trim();
  if (firstProject && projects.length === 1 && !isTruncated)
    return { kind: 'one', project: firstProject, rest };
  const boundProjects = boundIds.flatMap((id) => projects.find((project) => project.id === id) ?? []);
  const [boundProject, ...otherBoundProjects] = boundProjects;
  if (boundProject && otherBoundProjects.length === 0) return { kind: 'one', project: boundProject, rest };
  const matches =
    rest === '' || isTruncated
      ? []
      : projects.filter((project) => getNormalizedNames(project)[0].startsWith(normalizeName(rest)));
  const [match] = matches;
  if (match && matches.length === 1) return { kind: 'one', project: match, rest: '' };
  const channelProject = resolveChannelProject(list, boundIds, channelName);
  if (channelProject.kind === 'one') return { ...channelProject, rest };
  return { kind: 'several', projects: boundProjects.length > 0 ? boundProjects : projects, rest };
}

/** Finds a project whose complete name or id is in the text. If there are several, the longest name or id wins. */
function findNamedProject(projects: readonly Project[], text: string): ResolvedProject | undefined {
  const words = normalizeName(text).split(' ');
  const line = ` ${words.join(' ')} `;
  const matches = projects
    .flatMap((project) =>
      getNormalizedNames(project)
        .filter((name) => name !== '' && line.includes(` ${name} `))
        .map((name) => ({ project, name: name.split(' ') })),
    )
    .sort(
      (one, other) =>
        other.name.length - one.name.length || other.name.join().length - one.name.join().length,
    );
  const [longest] = matches;
  if (!longest) return undefined;
  // Projects with the same name are all candidates.
  const sameName = matches.filter(({ name }) => name.join(' ') === longest.name.join(' '));
  const candidates = [...new Set(sameName.map(({ project }) => project))];
  const originalWords = text.trim().split(/\s+/);
  const start = findStart(longest.name, words);
  const rest =
    originalWords.length === words.length
      ? [...originalWords.slice(0, start), ...originalWords.slice(start + longest.name.length)].join(' ')
      : [...words.slice(0, start), ...words.slice(start + longest.name.length)].join(' ');
  return candidates.length === 1
    ? { kind: 'one', project: longest.project, rest }
    : { kind: 'several', projects: candidates, rest };
}

/** Finds the index of the word at which the name starts. */
function findStart(name: readonly string[], words: readonly string[]): number {
  return words.findIndex((_word, start) => name.every((part, index) => words[start + index] === part));
}

const cachedNames = new WeakMap<Project, readonly [name: string, id: string]>();

/**
 * Gets the normalized name and id of a project. Cached, since each typed line is compared with thousands of projects.
 */
function getNormalizedNames(project: Project): readonly [name: string, id: string] {
  const names = cachedNames.get(project) ?? [normalizeName(project.name), normalizeName(project.id)];
  cachedNames.set(project, names);
  return names;
}
