import { type Json, listElements } from './read-blocks.ts';
import type { SlackState } from './slack-state.ts';
import type { Channel, View, Workspace } from './workspace.ts';

/** Finds an active person of a workspace in which the app is installed. Otherwise nothing can be sent to the app. */
export function findActor(state: SlackState, workspaceId: string, person: string): Workspace | undefined {
  const workspace = state.requireWorkspace(workspaceId);
  return workspace.isInstalled && state.isActive(workspace, person) ? workspace : undefined;
}

/** Finds a channel with this person. A person's direct message with the bot opens by itself. */
export function findChannelOf(
  state: SlackState,
  workspace: Workspace,
  person: string,
  id: string,
): Channel | undefined {
  const direct = `D${person.slice(1)}`;
  const channel = id === direct ? state.openDirectMessage(workspace, person) : workspace.channels.get(id);
  return channel?.members.includes(person) ? channel : undefined;
}

export function findTopView(
  state: SlackState,
  workspace: Workspace,
  person: string,
  viewId: string,
): View | undefined {
  const top = state.getStack(workspace, person).at(-1);
  return top?.id === viewId && !top.isSubmitting ? top : undefined;
}

/** Finds an open view of anybody that is on top. */
export function findViewById(
  state: SlackState,
  viewId: string,
): { workspace: Workspace; view: View } | undefined {
  for (const workspace of state.workspaces.values())
    for (const person of workspace.stacks.keys()) {
      const view = findTopView(state, workspace, person, viewId);
      if (view && findActor(state, workspace.id, person)) return { workspace, view };
    }
  return undefined;
}

export const findElement = (
  blocks: readonly Json[],
  { blockId, actionId }: { blockId: string; actionId: string },
) => listElements(blocks).find((listed) => listed.blockId === blockId && listed.actionId === actionId);
