/**
 * @import { ServerMessage, ThreadStatus } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @typedef {NonNullable<PageState['world']>} World
 */

/**
 * What the server has told, after one more message that changes nothing else on the page.
 * @param {World} world
 * @param {ServerMessage} said
 * @returns {World}
 */
export function afterMessage(world, said) {
  switch (said.type) {
    case 'home':
      return withHome(world, said);
    case 'chats':
      return { ...world, chats: said.chats };
    case 'step_runs':
      return { ...world, stepRuns: said.runs };
    case 'thread_status':
      return { ...world, statuses: withStatus(world.statuses, said.status) };
    case 'people':
      return { ...world, people: said.people };
    case 'channels':
      return { ...world, channels: said.channels };
    case 'app':
      return withConnection(world, said);
    case 'faults':
      return { ...world, faults: said.switches };
    default:
      return world;
  }
}

/**
 * @param {World} world
 * @param {Extract<ServerMessage, { type: 'home' }>} said
 */
function withHome(world, { app, view, hash }) {
  const home = { view, hash };
  return app === undefined ? { ...world, home } : withOtherApp(world, app, { home });
}

/**
 * @param {World} world
 * @param {Extract<ServerMessage, { type: 'app' }>} said
 */
function withConnection(world, { app, connected }) {
  if (app !== undefined) return withOtherApp(world, app, { connected });
  return { ...world, app: { ...world.app, connected } };
}

/**
 * @param {World} world
 * @param {string} botUserId
 * @param {Partial<NonNullable<NonNullable<PageState['world']>['otherApps']>[number]>} change
 */
function withOtherApp(world, botUserId, change) {
  const otherApps = world.otherApps?.map((app) =>
    app.botUserId === botUserId ? { ...app, ...change } : app,
  );
  return { ...world, ...(otherApps && { otherApps }) };
}

/**
 * @param {readonly ThreadStatus[] | undefined} statuses
 * @param {ThreadStatus} status
 */
function withStatus(statuses = [], status) {
  const others = statuses.filter((one) => one.channel !== status.channel || one.threadTs !== status.threadTs);
  return status.status === '' ? others : [...others, status];
}
