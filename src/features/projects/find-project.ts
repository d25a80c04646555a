import type { Project } from '../../api/projects.ts';
import { plainName } from '../../posts/plain-name.ts';
import type { Listed } from '../../posts/project.ts';

/**
 * The projects that the words mean: by id, by the whole name, else by how the name begins. Of a list that was cut
 * nobody knows whether others begin so too.
 */
function findProject(words: string, { items: projects, isTruncated }: Listed): readonly Project[] {
  const wanted = plainName(words);
  const byId = projects.filter(({ id }) => id === words.trim());
  if (byId.length > 0) return byId;
  const exact = projects.filter(({ name }) => plainName(name) === wanted);
  if (exact.length > 0) return exact;
  return wanted === '' || isTruncated
    ? []
    : projects.filter(({ name }) => plainName(name).startsWith(wanted));
}

/** A message may hold thousands of commas. */
const MAX_NAMED = 100;

/** What `/upnext use` was given: projects, with the words as they are where they fit none; none; or several for one. */
type FoundProjects =
  | { kind: 'meant'; meant: readonly (Project | string)[] }
  | { kind: 'none' }
  | { kind: 'several'; words: string; projects: readonly Project[] };

/** One project, or some with commas or "and" between them: "A, B and C". A name may hold a comma itself. */
export function findProjects(words: string, projects: Listed): FoundProjects {
  if (/^(?:none|nothing|no project|-)$/.test(plainName(words))) return { kind: 'none' };
  const whole = findProject(words, projects);
  const [only] = whole;
  if (only && whole.length === 1) return { kind: 'meant', meant: [only] };
  const split = words.split(/[,;\n]|\sand\s/i).map((part) => [plainName(part), part] as const);
  const parts = [...new Map(split.filter(([name]) => name !== '')).values()];
  if (parts.length < 2 || parts.length > MAX_NAMED) {
    return whole.length > 1 ? { kind: 'several', words, projects: whole } : { kind: 'meant', meant: [words] };
  }
  const meant = new Map<string, Project | string>();
  for (const part of parts) {
    const fitting = findProject(part, projects);
    const [project] = fitting;
    if (fitting.length > 1) return { kind: 'several', words: part, projects: fitting };
    meant.set(project?.id ?? part.trim(), project ?? part);
  }
  return { kind: 'meant', meant: [...meant.values()] };
}
