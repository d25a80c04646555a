import type { Project } from '../api/projects.ts';
import { plainName } from './plain-name.ts';
import type { Listed } from './project.ts';

/** Which project words are about, and the words without it. */
type MeantProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project; rest: string }
  | { kind: 'several'; projects: readonly Project[]; rest: string };

/**
 * The project that is named among the words, else the only one, else the channel's (`bound`, ids). Where it would
 * have to be asked for, how a name begins is enough, unless the list was cut: others may begin so too. Pure.
 */
export function meantProject(
  { items: projects, isTruncated }: Listed,
  bound: readonly string[],
  words: string,
): MeantProject {
  const [only] = projects;
  if (!only && !isTruncated) return { kind: 'none' };
  const named = namedAmong(projects, words);
  if (named) return named;
  const rest = words.trim();
  if (only && projects.length === 1 && !isTruncated) return { kind: 'one', project: only, rest };
  const here = bound.flatMap((id) => projects.find((project) => project.id === id) ?? []);
  const [single, ...others] = here;
  if (single && others.length === 0) return { kind: 'one', project: single, rest };
  const begun =
    rest === '' || isTruncated
      ? []
      : projects.filter((project) => plainNames(project)[0].startsWith(plainName(rest)));
  const [fitting] = begun;
  if (fitting && begun.length === 1) return { kind: 'one', project: fitting, rest: '' };
  return { kind: 'several', projects: here.length > 0 ? here : projects, rest };
}

/** An id or a whole name with other words around it; of several the longest name is meant. */
function namedAmong(projects: readonly Project[], words: string): MeantProject | undefined {
  const all = plainName(words).split(' ');
  const said = ` ${all.join(' ')} `;
  const named = projects
    .flatMap((project) =>
      plainNames(project)
        .filter((name) => name !== '' && said.includes(` ${name} `))
        .map((name) => ({ project, name: name.split(' ') })),
    )
    .sort(
      (one, other) =>
        other.name.length - one.name.length || other.name.join().length - one.name.join().length,
    );
  const [first] = named;
  if (!first) return undefined;
  // Two projects of the same name: none of them is meant more than the other.
  const equal = named.filter(({ name }) => name.join(' ') === first.name.join(' '));
  const projectsMeant = [...new Set(equal.map(({ project }) => project))];
  const original = words.trim().split(/\s+/);
  const start = startOf(first.name, all);
  const rest =
    original.length === all.length
      ? [...original.slice(0, start), ...original.slice(start + first.name.length)].join(' ')
      : [...all.slice(0, start), ...all.slice(start + first.name.length)].join(' ');
  return projectsMeant.length === 1
    ? { kind: 'one', project: first.project, rest }
    : { kind: 'several', projects: projectsMeant, rest };
}

function startOf(name: readonly string[], words: readonly string[]): number {
  return words.findIndex((_word, start) => name.every((part, index) => words[start + index] === part));
}

const known = new WeakMap<Project, readonly [name: string, id: string]>();

/** Found out once for each: a line is compared with thousands of them, again for each way of reading it. */
function plainNames(project: Project): readonly [name: string, id: string] {
  const found = known.get(project) ?? [plainName(project.name), plainName(project.id)];
  known.set(project, found);
  return found;
}
