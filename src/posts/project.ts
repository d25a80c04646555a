import type { ActionsBlock, ExternalSelect, StaticSelect } from '@slack/types';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { Call } from '../app/call.ts';
import { actions, option, plain } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';

/** The project that commands in a channel are about. */
type ChannelProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project }
  | { kind: 'several'; projects: readonly Project[] };

/** A list of projects, and whether it is truncated. */
export type Listed = Pick<Records<Project>, 'items' | 'isTruncated' | 'unfilteredCount'>;

/**
 * Adds wanted projects to a truncated list if they aren't in it, because they may still exist. Their name is the given
 * one or their id. If such a project is gone, the service answers calls about it with 404.
 */
export function addUnreadProjects(
  listed: Records<Project>,
  wanted: readonly (string | Project)[],
  { may }: Pick<Call, 'may'>,
): Records<Project> {
  if (!listed.isTruncated) return listed;
  const added = new Map<string, Project>();
  for (const one of wanted) {
    const project = typeof one === 'string' ? { id: one, name: one } : one;
    const isRead = listed.items.some(({ id }) => id === project.id);
    if (!isRead && !added.has(project.id) && may('viewer', project.id)) added.set(project.id, project);
  }
  return { ...listed, items: [...listed.items, ...added.values()] };
}

/** The only project, or the one that the channel is bound to (`bound`: its id). Otherwise the person has to choose. */
export function resolveChannelProject(
  { items, isTruncated }: Listed,
  bound: string | undefined,
): ChannelProject {
  const [first, ...others] = items;
  if (!first && !isTruncated) return { kind: 'none' };
  if (first && others.length === 0 && !isTruncated) return { kind: 'one', project: first };
  const chosen = items.find((project) => project.id === bound);
  return chosen ? { kind: 'one', project: chosen } : { kind: 'several', projects: items };
}

/** Action id of the select below. The feature that binds channels handles it. */
export const CHOOSE_PROJECT = 'projects.choose';

/** Projects as options of a select. Leaves out projects whose id is too long for Slack. */
export function projectOptions(projects: readonly Project[]) {
  return projects
    .filter((project) => project.id.length <= LIMITS.optionValue)
    .map((project) => option(project.name, project.id));
}

/**
 * A select for the channel's project. If there are too many for a static select, it is searched, with the same action
 * id.
 */
export function chooseProject(projects: readonly Project[]): ActionsBlock {
  const options = projectOptions(projects);
  const common = { action_id: CHOOSE_PROJECT, placeholder: plain('Choose a project', LIMITS.placeholder) };
  const select: StaticSelect | ExternalSelect =
    options.length > 0 && options.length <= LIMITS.options
      ? { type: 'static_select', ...common, options }
      : { type: 'external_select', ...common, min_query_length: 0 };
  return actions(select);
}
