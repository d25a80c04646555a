import { getUpnextPost } from '../../api/dashboard.ts';
import { mapLimited } from '../../api/map-limited.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import type { AppContext } from '../../app/context.ts';
import { normalizeName } from '../../posts/normalize-name.ts';
import type { ProjectList } from '../../posts/project.ts';

/**
 * Finds projects by id, else by the whole name, else by the beginning of the name. A truncated list isn't searched by
 * the beginning of the name, because unread projects may begin with the same text.
 */
function matchProjects(text: string, { items: projects, isTruncated }: ProjectList): readonly Project[] {
  const normalizedText = normalizeName(text);
  const idMatches = projects.filter(({ id }) => id === text.trim());
  if (idMatches.length > 0) return idMatches;
  const exactMatches = projects.filter(({ name }) => normalizeName(name) === normalizedText);
  if (exactMatches.length > 0) return exactMatches;
  return normalizedText === '' || isTruncated
    ? []
    : projects.filter(({ name }) => normalizeName(name).startsWith(normalizedText));
}

/** Maximum projects in one command. Without this limit, a long text could name thousands. */
const MAX_PROJECTS = 100;

/**
 * The parsed text after `/upnext use`.
 *
 * - 'named': a part of the text that matches no listed project stays a string.
 * - 'none': the text asks to bind no project.
 * - 'ambiguous': `text` is the part that matches several projects.
 */
type FoundProjects =
  | { kind: 'named'; projects: readonly (Project | string)[] }
  | { kind: 'none' }
  | { kind: 'ambiguous'; text: string; projects: readonly Project[] };

/** Finds one project, or several in a text such as "A, B and C". The whole text may also be one name with a comma. */
export function findProjects(text: string, projects: ProjectList): FoundProjects {
  if (/^(?:none|nothing|no project|-)$/.test(normalizeName(text))) return { kind: 'none' };
  const wholeMatches = matchProjects(text, projects);
  const [onlyMatch] = wholeMatches;
  if (onlyMatch && wholeMatches.length === 1) return { kind: 'named', projects: [onlyMatch] };
  // Parts that name the same project count once.
  const partEntries = text.split(/[,;\n]|\sand\s/i).map((part) => [normalizeName(part), part] as const);
  const parts = [...new Map(partEntries.filter(([name]) => name !== '')).values()];
  if (parts.length < 2 || parts.length > MAX_PROJECTS) {
    return wholeMatches.length > 1
      ? { kind: 'ambiguous', text, projects: wholeMatches }
      : { kind: 'named', projects: [text] };
  }
  const projectsById = new Map<string, Project | string>();
  for (const part of parts) {
    const matches = matchProjects(part, projects);
    const [project] = matches;
    if (matches.length > 1) return { kind: 'ambiguous', text: part, projects: matches };
    projectsById.set(project?.id ?? part.trim(), project ?? part);
  }
  return { kind: 'named', projects: [...projectsById.values()] };
}

/** All named projects, the first text that isn't a project, or the reason why the lookup failed. */
type LookupResult =
  | { kind: 'found'; projects: readonly Project[] }
  | { kind: 'unknown'; text: string }
  | { kind: 'failed'; failure: Exclude<Outcome<unknown>, { kind: 'done' }> };

const MAX_CONCURRENT_LOOKUPS = 4;

/**
 * Replaces strings among the candidates with projects. In a truncated list, a string may be the id of an unread
 * project, so it is looked up in the service.
 */
export async function resolveUnlistedProjects(
  { context }: Pick<Call, 'context'>,
  candidates: readonly (Project | string)[],
  { isTruncated }: Pick<ProjectList, 'isTruncated'>,
): Promise<LookupResult> {
  const unknownText = candidates.find(
    (candidate) => typeof candidate === 'string' && (!isTruncated || candidate.trim() === ''),
  );
  if (typeof unknownText === 'string') return { kind: 'unknown', text: unknownText };
  const results = await mapLimited(candidates, MAX_CONCURRENT_LOOKUPS, (candidate) =>
    typeof candidate === 'string' ? lookUpById(context, candidate) : Promise.resolve(candidate),
  );
  const projectsById = new Map<string, Project>();
  for (const result of results) {
    if ('kind' in result) return result;
    projectsById.set(result.id, result);
  }
  return { kind: 'found', projects: [...projectsById.values()] };
}

/** Looks up an id. Only a rejection by the service means that the project doesn't exist. */
async function lookUpById(
  { api }: AppContext,
  text: string,
): Promise<Project | Exclude<LookupResult, { kind: 'found' }>> {
  const id = text.trim();
  const outcome = await getUpnextPost(api, id);
  if (outcome.kind === 'done') return { id, name: id };
  const isUnknown = outcome.kind === 'invalid' || (outcome.kind === 'refused' && outcome.status === 404);
  return isUnknown ? { kind: 'unknown', text } : { kind: 'failed', failure: outcome };
}
