import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { normalizeName } from '../../posts/normalize-name.ts';
import type { ProjectList } from '../../posts/project.ts';

/**
 * The projects that the words mean: by id, by the whole name, else by how the name begins. Of a list that was cut
 * nobody knows whether others begin so too.
 */
function findProject(words: string, { items: projects, isTruncated }: ProjectList): readonly Project[] {
  const wanted = normalizeName(words);
  const byId = projects.filter(({ id }) => id === words.trim());
  if (byId.length > 0) return byId;
  const exact = projects.filter(({ name }) => normalizeName(name) === wanted);
  if (exact.length > 0) return exact;
  return wanted === '' || isTruncated
    ? []
    : projects.filter(({ name }) => normalizeName(name).startsWith(wanted));
}

/** A message may hold thousands of commas. */
const MAX_NAMED = 100;

/** What `/upnext use` was given: projects, with the words as they are where they fit none; none; or several for one. */
type FoundProjects =
  | { kind: 'meant'; meant: readonly (Project | string)[] }
  | { kind: 'none' }
  | { kind: 'several'; words: string; projects: readonly Project[] };

/** One project, or some with commas or "and" between them: "A, B and C". A name may hold a comma itself. */
export function findProjects(words: string, projects: ProjectList): FoundProjects {
  if (/^(?:none|nothing|no project|-)$/.test(normalizeName(words))) return { kind: 'none' };
  const whole = findProject(words, projects);
  const [only] = whole;
  if (only && whole.length === 1) return { kind: 'meant', meant: [only] };
  const split = words.split(/[,;\n]|\sand\s/i).map((part) => [normalizeName(part), part] as const);
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

/** All that were meant; or the first words that mean none; or why the service couldn't be asked about them. */
type LookedUp =
  | { kind: 'found'; projects: readonly Project[] }
  | { kind: 'unknown'; words: string }
  | { kind: 'trouble'; trouble: Exclude<Outcome<unknown>, { kind: 'done' }> };

/** Ids that the service is asked about at once. */
const AT_ONCE = 4;

/**
 * The projects that were meant. Words that fit none of the list may be the id of one that wasn't read: where the list
 * was cut, the service is asked about them.
 */
export async function lookUpUnread(
  { context }: Pick<Call, 'context'>,
  meant: readonly (Project | string)[],
  { isTruncated }: Pick<ProjectList, 'isTruncated'>,
): Promise<LookedUp> {
  const unknown = meant.find((one) => typeof one === 'string' && (!isTruncated || one.trim() === ''));
  if (typeof unknown === 'string') return { kind: 'unknown', words: unknown };
  const found = await mapLimited(meant, AT_ONCE, (one) =>
    typeof one === 'string' ? lookUp(context, one) : Promise.resolve(one),
  );
  const projects = new Map<string, Project>();
  for (const one of found) {
    if ('kind' in one) return one;
    projects.set(one.id, one);
  }
  return { kind: 'found', projects: [...projects.values()] };
}

/** Only the service's "no" makes an id unknown: that it didn't answer says nothing of the project. */
async function lookUp(
  { api }: AppContext,
  words: string,
): Promise<Project | Exclude<LookedUp, { kind: 'found' }>> {
  const id = words.trim();
  const outcome = await getUpnextPost(api, id);
  if (outcome.kind === 'done') return { id, name: id };
  const isUnknown = outcome.kind === 'invalid' || (outcome.kind === 'refused' && outcome.status === 404);
  return isUnknown ? { kind: 'unknown', words } : { kind: 'trouble', trouble: outcome };
}
