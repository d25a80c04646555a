import type { Project } from '../api/projects.ts';
import { normalizeName } from './normalize-name.ts';
import type { ProjectList } from './project.ts';

/** The project that the text refers to. `rest` is the text without the project's name. */
type ResolvedProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project; rest: string }
  | { kind: 'several'; projects: readonly Project[]; rest: string };

/**
 * Resolves the project that the text refers to: the project named in the text, else the only project, else the
 * channel's only bound project. Otherwise the text may be the beginning of a name. This doesn't work in a truncated
 * list, because the name of a missing project could have the same beginning.
 */
export function resolveProject(
  { items: projects, isTruncated }: ProjectList,
  boundIds: readonly string[],
  text: string,
): ResolvedProject {
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

/**
 * Finds the project that a channel is named after, such as "Harbour Coffee" for #harbour-coffee, #harbourcoffee or
 * #team-harbour-coffee. Undefined if several projects fit equally well, or if the list is truncated.
 */
export function findProjectByChannelName(
  { items, isTruncated }: ProjectList,
  channelName: string,
): Project | undefined {
  if (isTruncated) return undefined;
  const channel = toChannelName(channelName);
  const matches = items
    .map((project) => ({ project, name: toChannelName(project.name) }))
    .filter(({ name }) => containsName(channel, name) || name.replaceAll('-', '') === channel);
  // "Harbour Coffee" fits #harbour-coffee better than "Harbour".
  const [best, ...equals] = matches.filter((match) =>
    matches.every((other) => containsName(match.name, other.name)),
  );
  return equals.length === 0 ? best?.project : undefined;
}

/** Converts "Café du Port" to "cafe-du-port". */
function toChannelName(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}

/** Whether the words of `name` are in `channel`, in the same order and without other words between them. */
function containsName(channel: string, name: string): boolean {
  return name !== '' && `-${channel}-`.includes(`-${name}-`);
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
