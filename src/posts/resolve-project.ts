import type { Project } from '../api/projects.ts';
import { normalizeName } from './normalize-name.ts';
import type { Listed } from './project.ts';

/** The project that the typed words are about. `rest`: the words without its name. */
type ResolvedProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project; rest: string }
  | { kind: 'several'; projects: readonly Project[]; rest: string };

/**
 * Finds the project that the words are about: a project named in the words, else the only project, else the one that
 * the channel is bound to (`bound`: ids). If that leaves several, the beginning of a name is enough, unless the list is
 * truncated: a missing project could have a name with the same beginning.
 */
export function resolveProject(
  { items: projects, isTruncated }: Listed,
  bound: readonly string[],
  words: string,
): ResolvedProject {
  const [only] = projects;
  if (!only && !isTruncated) return { kind: 'none' };
  const named = findNamed(projects, words);
  if (named) return named;
  const rest = words.trim();
  if (only && projects.length === 1 && !isTruncated) return { kind: 'one', project: only, rest };
  const boundHere = bound.flatMap((id) => projects.find((project) => project.id === id) ?? []);
  const [single, ...others] = boundHere;
  if (single && others.length === 0) return { kind: 'one', project: single, rest };
  const matches =
    rest === '' || isTruncated
      ? []
      : projects.filter((project) => normalizedNames(project)[0].startsWith(normalizeName(rest)));
  const [match] = matches;
  if (match && matches.length === 1) return { kind: 'one', project: match, rest: '' };
  return { kind: 'several', projects: boundHere.length > 0 ? boundHere : projects, rest };
}

/** Finds a whole name or an id among the words. If there are several, the longest wins. */
function findNamed(projects: readonly Project[], words: string): ResolvedProject | undefined {
  const all = normalizeName(words).split(' ');
  const line = ` ${all.join(' ')} `;
  const named = projects
    .flatMap((project) =>
      normalizedNames(project)
        .filter((name) => name !== '' && line.includes(` ${name} `))
        .map((name) => ({ project, name: name.split(' ') })),
    )
    .sort(
      (one, other) =>
        other.name.length - one.name.length || other.name.join().length - one.name.join().length,
    );
  const [first] = named;
  if (!first) return undefined;
  // Projects with the same name are all candidates.
  const sameName = named.filter(({ name }) => name.join(' ') === first.name.join(' '));
  const candidates = [...new Set(sameName.map(({ project }) => project))];
  const original = words.trim().split(/\s+/);
  const start = findStart(first.name, all);
  const rest =
    original.length === all.length
      ? [...original.slice(0, start), ...original.slice(start + first.name.length)].join(' ')
      : [...all.slice(0, start), ...all.slice(start + first.name.length)].join(' ');
  return candidates.length === 1
    ? { kind: 'one', project: first.project, rest }
    : { kind: 'several', projects: candidates, rest };
}

function findStart(name: readonly string[], words: readonly string[]): number {
  return words.findIndex((_word, start) => name.every((part, index) => words[start + index] === part));
}

const cachedNames = new WeakMap<Project, readonly [name: string, id: string]>();

/** Cached: each reading of a line is compared with thousands of projects. */
function normalizedNames(project: Project): readonly [name: string, id: string] {
  const found = cachedNames.get(project) ?? [normalizeName(project.name), normalizeName(project.id)];
  cachedNames.set(project, found);
  return found;
}
