import type { ActionsBlock, StaticSelect } from '@slack/types';
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

/** A select with which a channel's project is chosen; the first hundred, the others by `/upnext use`. */
export function chooseProject(projects: readonly Project[]): ActionsBlock {
  const select: StaticSelect = {
    type: 'static_select',
    action_id: CHOOSE_PROJECT,
    placeholder: plain('Choose a project', LIMITS.placeholder),
    options: projectOptions(projects).slice(0, LIMITS.options),
  };
  return actions(select);
}
