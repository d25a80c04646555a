import type { ActionsBlock, ExternalSelect, StaticSelect } from '@slack/types';
import type { Project } from '../api/projects.ts';
import { actions, option, plain } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';

/** Which project a channel's commands are about. */
type ChannelProject =
  | { kind: 'none' }
  | { kind: 'one'; project: Project }
  | { kind: 'several'; projects: readonly Project[] };

/** A single project is never asked for; of several only the one that was chosen for the channel is taken. */
export function channelProject(projects: readonly Project[], bound: string | undefined): ChannelProject {
  const [first, ...others] = projects;
  if (!first) return { kind: 'none' };
  if (others.length === 0) return { kind: 'one', project: first };
  const chosen = projects.find((project) => project.id === bound);
  return chosen ? { kind: 'one', project: chosen } : { kind: 'several', projects };
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
