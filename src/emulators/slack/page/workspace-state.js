/**
 * @import { ServerMessage, ThreadStatus } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @typedef {NonNullable<PageState['workspace']>} WorkspaceState
 */

/**
 * Applies a message of the server that changes only the workspace, not the rest of the page.
 * @param {WorkspaceState} workspace
 * @param {ServerMessage} serverMessage
 * @returns {WorkspaceState}
 */
export function updateWorkspaceState(workspace, serverMessage) {
  switch (serverMessage.type) {
    case 'home':
      return setHome(workspace, serverMessage);
    case 'chats':
      return { ...workspace, chats: serverMessage.chats };
    case 'step_runs':
      return { ...workspace, stepRuns: serverMessage.runs };
    case 'thread_status':
      return { ...workspace, statuses: setStatus(workspace.statuses, serverMessage.status) };
    case 'people':
      return { ...workspace, people: serverMessage.people };
    case 'channels':
      return { ...workspace, channels: serverMessage.channels };
    case 'app':
      return setConnected(workspace, serverMessage);
    case 'faults':
      return { ...workspace, faults: serverMessage.switches };
    default:
      return workspace;
  }
}

/**
 * @param {WorkspaceState} workspace
 * @param {Extract<ServerMessage, { type: 'home' }>} serverMessage
 */
function setHome(workspace, { app, view, hash }) {
  const home = { view, hash };
  return app === undefined ? { ...workspace, home } : changeOtherApp(workspace, app, { home });
}

/**
 * @param {WorkspaceState} workspace
 * @param {Extract<ServerMessage, { type: 'app' }>} serverMessage
 */
function setConnected(workspace, { app, connected }) {
  if (app !== undefined) return changeOtherApp(workspace, app, { connected });
  return { ...workspace, app: { ...workspace.app, connected } };
}

/**
 * @param {WorkspaceState} workspace
 * @param {string} botUserId
 * @param {Partial<NonNullable<WorkspaceState['otherApps']>[number]>} change
 */
function changeOtherApp(workspace, botUserId, change) {
  const otherApps = workspace.otherApps?.map((app) =>
    app.botUserId === botUserId ? { ...app, ...change } : app,
  );
  return { ...workspace, ...(otherApps && { otherApps }) };
}

/**
 * @param {readonly ThreadStatus[] | undefined} statuses
 * @param {ThreadStatus} status
 */
function setStatus(statuses = [], status) {
  const others = statuses.filter(
    ({ channel, threadTs }) => channel !== status.channel || threadTs !== status.threadTs,
  );
  return status.status === '' ? others : [...others, status];
}
