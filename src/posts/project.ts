import type { ActionsBlock, ExternalSelect, StaticSelect } from '@slack/types';
import type { Kysely } from 'kysely';
import type { Role } from '../access/access.ts';
import { listKnownProjects } from '../api/cached-reads.ts';
import { getServiceId, nameById } from '../api/project-ids.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { listStoppedProjects, type SendingStop } from '../engine/sending-stop.ts';
import type { EngineTables } from '../engine/tables.ts';
import { normalizeUnicode } from '../normalize-text.ts';
import type { Actor } from '../slack/actor.ts';
import { actions, clipLine, plain, toOptions } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';
import { normalizeLook, normalizeName } from '../slack/name.ts';

/**
 * Says why there is no project to show (mrkdwn): the service has none, none in which the person has the role, or some
 * couldn't be read.
 */
export function explainNoProject({
  unfilteredCount = 0,
  unreadableCount = 0,
}: {
  unfilteredCount?: number | undefined;
  unreadableCount?: number | undefined;
}): string {
  if (unreadableCount > 0)
    return 'I couldn’t read all projects, and found none of yours. Try again, and see your roles with `/upnext roles`.';
  return unfilteredCount === 0
    ? 'There’s no project yet. Create one in the scheduling service first.'
    : 'I found none of your projects. See your roles with `/upnext roles`.';
}

type ChannelProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project; isFromChannelName?: boolean }
  | { kind: 'several'; projects: readonly Project[] };

/** Says that a list took the project with the channel's name (escaped), and to Managers how to change that (mrkdwn). */
export function renderChannelNameNote(name: string, { may }: { may(role: 'manager'): boolean }): string {
  const choice = may('manager') ? ' Choose another project with `/upnext use`.' : '';
  return `This channel is named after ${name}.${choice}`;
}

/** Names projects (plain text). Those that look the same have the whole id within the limit: "Harbour (p9)". */
export function nameProjects(projects: readonly Project[], limit: number = LIMITS.buttonText): string[] {
  const looks = projects.map(({ name }) => normalizeLook(clipLine(name)));
  const byLook = Map.groupBy(looks, (look) => look);
  const byServiceId = Map.groupBy(projects, ({ id }) => getServiceId(id));
  return projects.map((project, index) => {
    if (byLook.get(looks[index] ?? '')?.length === 1) return clipLine(project.name);
    const serviceId = getServiceId(project.id);
    // Two services may have the same id.
    const id = ` (${byServiceId.get(serviceId)?.length === 1 ? serviceId : project.id})`;
    return clipLine(project.name, Math.max(1, limit - id.length)) + id;
  });
}

export type ProjectList = Pick<Records<Project>, 'items' | 'isTruncated' | 'unfilteredCount'> &
  Partial<Pick<Records<Project>, 'unreadableCount'>>;

/** Whether the list certainly has all projects of the service, and that is one. */
export function isOnlyProject({ items, isTruncated, unfilteredCount = items.length }: ProjectList): boolean {
  return items.length === 1 && !isTruncated && unfilteredCount === 1;
}

/**
 * Adds `candidates` to a truncated list if they are missing from it, because they may still exist. A candidate is a
 * project, or an id, which then also serves as the name. If the project doesn't exist any more, the service responds
 * with 404 later.
 */
export function addMissingProjects(
  listed: Records<Project>,
  candidates: readonly (string | Project)[],
  { may }: { may(role: 'viewer', project: string): boolean },
): Records<Project> {
  if (!listed.isTruncated) return listed;
  const added = new Map<string, Project>();
  for (const candidate of candidates) {
    const project = typeof candidate === 'string' ? nameById(candidate) : candidate;
    const isListed = listed.items.some(({ id }) => id === project.id);
    if (!isListed && !added.has(project.id) && may('viewer', project.id)) added.set(project.id, project);
  }
  return { ...listed, items: [...listed.items, ...added.values()] };
}

/**
 * Resolves a channel's project: the only project, the only bound project, or, without bound projects, the project that
 * the channel is named after. Otherwise the person has to choose.
 */
export function resolveChannelProject(
  list: ProjectList,
  boundIds: readonly string[],
  channelName = '',
): ChannelProject {
  const { items, isTruncated } = list;
  const [firstProject, ...otherProjects] = items;
  if (!firstProject && !isTruncated) return { kind: 'none' };
  if (firstProject && otherProjects.length === 0 && !isTruncated)
    return { kind: 'one', project: firstProject };
  const [boundProject, ...otherBoundProjects] = items.filter(({ id }) => boundIds.includes(id));
  if (boundProject && otherBoundProjects.length === 0) return { kind: 'one', project: boundProject };
  const namedProject = boundIds.length === 0 ? findProjectByChannelName(list, channelName) : undefined;
  return namedProject
    ? { kind: 'one', project: namedProject, isFromChannelName: true }
    : { kind: 'several', projects: items };
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
  const [best, next] = matches.toSorted((one, other) => other.name.length - one.name.length);
  const isBest =
    best && best.name !== next?.name && matches.every(({ name }) => containsName(best.name, name));
  return isBest ? best.project : undefined;
}

/** Converts "Café du Port" to "cafe-du-port". */
export function toChannelName(name: string): string {
  const letters = normalizeUnicode(name, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}

/** Whether the words of `name` are in `channel`, in the same order and without other words between them. */
function containsName(channel: string, name: string): boolean {
  return name !== '' && `-${channel}-`.includes(`-${name}-`);
}

/** Action id of the select for the channel's project. The feature that binds channels to projects handles it. */
export const CHOOSE_PROJECT_ACTION = 'projects.choose';

/** Renders a select for the channel's project, which searches if there are too many for a static select. */
export function renderProjectSelect(projects: readonly Project[]): ActionsBlock {
  const options = toOptions(projects);
  const common = {
    action_id: CHOOSE_PROJECT_ACTION,
    placeholder: plain('Choose a project', LIMITS.placeholder),
  };
  const select: StaticSelect | ExternalSelect =
    options.length > 0 && options.length <= LIMITS.options
      ? { type: 'static_select', ...common, options }
      : { type: 'external_select', ...common, min_query_length: 0 };
  return actions(select);
}

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
  const [match, ...otherMatches] = findBeginnings(list, rest);
  if (match && otherMatches.length === 0) return { kind: 'one', project: match, rest: '' };
  const channelProject = resolveChannelProject(list, boundIds, channelName);
  if (channelProject.kind === 'one') return { ...channelProject, rest };
  return { kind: 'several', projects: boundProjects.length > 0 ? boundProjects : projects, rest };
}

/**
 * Finds the projects of a text that is nothing but a name or an id. An exact id wins. Without one, these are all
 * projects with this name or id in any case, or else all whose names begin so.
 */
export function findProjectsByName(
  list: ProjectList,
  text: string,
): { projects: readonly Project[]; isWholeName: boolean } {
  const exact = list.items.find(({ id }) => id === text.trim());
  if (exact) return { projects: [exact], isWholeName: true };
  const named = findNamedProject(list.items, text);
  if (named?.rest !== '') return { projects: findBeginnings(list, text), isWholeName: false };
  return { projects: named.kind === 'one' ? [named.project] : named.projects, isWholeName: true };
}

/** Finds the projects whose names begin with the text. A truncated list may lack some of them. */
function findBeginnings({ items, isTruncated }: ProjectList, text: string): readonly Project[] {
  const beginning = normalizeName(text);
  if (beginning === '' || isTruncated) return [];
  return items.filter((project) => getNormalizedNames(project)[0].startsWith(beginning));
}

/** Maximum number of words among which a name is looked for. Commands rarely have more than twenty. */
const MAX_SEARCHED_WORDS = 200;

interface FoundName {
  name: string;
  projects: readonly Project[];
  start: number;
  wordCount: number;
}

/** Finds the name with the most words, or else the longest, in a list of words. Takes as long for any names. */
function findLongestName(projects: readonly Project[], words: readonly string[]): FoundName | undefined {
  const projectsByName = new Map<string, Project[]>();
  for (const project of projects)
    for (const name of getNormalizedNames(project)) {
      const found = projectsByName.get(name);
      if (found) found.push(project);
      else if (name !== '') projectsByName.set(name, [project]);
    }
  let maxLength = 0;
  for (const { length } of projectsByName.keys()) maxLength = Math.max(maxLength, length);
  let longest: FoundName | undefined;
  for (const [start, firstWord] of words.entries()) {
    let name = firstWord;
    for (let wordCount = 1; name.length <= maxLength; wordCount += 1) {
      const found = projectsByName.get(name);
      const isLonger =
        !longest ||
        wordCount > longest.wordCount ||
        (wordCount === longest.wordCount && name.length > longest.name.length);
      if (found && isLonger) longest = { name, projects: found, start, wordCount };
      if (start + wordCount >= words.length) break;
      name = `${name} ${words[start + wordCount]}`;
    }
  }
  return longest;
}

/**
 * Finds a project whose complete name or id is in the text. If there are several, the longest name or id wins, and of
 * equally long ones an exact id.
 */
function findNamedProject(
  projects: readonly Project[],
  text: string,
): Exclude<ResolvedProject, { kind: 'none' }> | undefined {
  const words = normalizeName(text).split(' ');
  const longest = findLongestName(projects, words.slice(0, MAX_SEARCHED_WORDS));
  if (!longest) return undefined;
  const { name, start, wordCount } = longest;
  const originalWords = text.trim().split(/\s+/);
  const originalLine = ` ${originalWords.slice(0, MAX_SEARCHED_WORDS).join(' ')} `;
  const exact = longest.projects.filter(
    ({ id }) => normalizeName(getServiceId(id)) === name && originalLine.includes(` ${getServiceId(id)} `),
  );
  // Projects with the same name are all candidates.
  const [firstCandidate, ...otherCandidates] = new Set(exact.length > 0 ? exact : longest.projects);
  if (!firstCandidate) return undefined;
  const rest =
    originalWords.length === words.length
      ? [...originalWords.slice(0, start), ...originalWords.slice(start + wordCount)].join(' ')
      : [...words.slice(0, start), ...words.slice(start + wordCount)].join(' ');
  return otherCandidates.length === 0
    ? { kind: 'one', project: firstCandidate, rest }
    : { kind: 'several', projects: [firstCandidate, ...otherCandidates], rest };
}

const cachedNames = new WeakMap<Project, readonly [name: string, ...others: string[]]>();

/**
 * Gets a project's normalized name, its id, and both as `nameProjects` shows them. Cached: each typed line is compared
 * with thousands of projects.
 */
function getNormalizedNames(project: Project): readonly [name: string, ...others: string[]] {
  const cached = cachedNames.get(project);
  if (cached) return cached;
  const name = normalizeName(project.name);
  // A list names two projects with the same id at their services by Upnext's ids.
  const ids = [...new Set([getServiceId(project.id), project.id])].map(normalizeName);
  const names = [name, ...ids, ...ids.map((id) => `${name} (${id})`)] as const;
  cachedNames.set(project, names);
  return names;
}

/** A stopped project. Its name is "A project" if the last known list of projects doesn't have it. */
export interface StoppedProject {
  project: Project;
  stop: SendingStop;
  /** Whether the service doesn't have the project any more: it has just listed all its projects, without this one. */
  isGone?: boolean | undefined;
}

export async function listStops(
  call: {
    context: Parameters<typeof listKnownProjects>[0] & { db: Kysely<EngineTables> };
    actor: Actor;
    may(role: Role, project: string): boolean;
  },
  role: Role,
): Promise<StoppedProject[]> {
  const { context, actor, may } = call;
  const rows = await listStoppedProjects(context.db, actor.workspace);
  const stops = rows.filter(({ project }) => may(role, project));
  const list = stops.length === 0 ? undefined : await listKnownProjects(context);
  return stops.map(({ project: id, ...stop }) => {
    const project = list?.items.find((item) => item.id === id);
    return project
      ? { project, stop }
      : { project: { id, name: 'A project' }, stop, isGone: list?.isComplete };
  });
}
