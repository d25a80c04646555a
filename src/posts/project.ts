import type { ActionsBlock, ExternalSelect, StaticSelect } from '@slack/types';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { Call } from '../app/call.ts';
import { actions, option, plain } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';

/** Which project a channel's commands are about. */
type ChannelProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project }
  | { kind: 'several'; projects: readonly Project[] };

/** The projects that were read, and whether there are others. */
export type Listed = Pick<Records<Project>, 'items' | 'isTruncated' | 'read'>;

/**
 * The same list with those of these projects that were not read and may be there all the same: they go by the name
 * that is known for them, else by their id, and a call about one that is gone is answered so.
 */
export function withUnread(
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

/** A single project is never asked for; of several only the one that was chosen for the channel is taken. */
export function channelProject({ items, isTruncated }: Listed, bound: string | undefined): ChannelProject {
  const [first, ...others] = items;
  if (!first && !isTruncated) return { kind: 'none' };
  if (first && others.length === 0 && !isTruncated) return { kind: 'one', project: first };
  const chosen = items.find((project) => project.id === bound);
  return chosen ? { kind: 'one', project: chosen } : { kind: 'several', projects: items };
}

/** The action of the select below; the feature that binds channels answers it. */
export const CHOOSE_PROJECT = 'projects.choose';

/** Projects as options; one whose id Slack cannot carry is left out. */
export function projectOptions(projects: readonly Project[]) {
  return projects
    .filter((project) => project.id.length <= LIMITS.optionValue)
    .map((project) => option(project.name, project.id));
}

/** A select with which a channel's project is chosen; more than it holds are searched, by the same action. */
export function chooseProject(projects: readonly Project[]): ActionsBlock {
  const options = projectOptions(projects);
  const common = { action_id: CHOOSE_PROJECT, placeholder: plain('Choose a project', LIMITS.placeholder) };
  const select: StaticSelect | ExternalSelect =
    options.length > 0 && options.length <= LIMITS.options
      ? { type: 'static_select', ...common, options }
      : { type: 'external_select', ...common, min_query_length: 0 };
  return actions(select);
}
