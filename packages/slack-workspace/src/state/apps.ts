import type { Site, Slack } from '../site.ts';
import type { StoredView } from './saved-state.ts';

/** Calls a function for each app of a workspace, with the workspace as that app sees it. */
export function forEachApp(site: Site, run: (app: Site) => void): void {
  for (const app of site.apps) run(app);
}

/** Finds an app by the id of its bot user. */
export function findAppByUser(site: Site, userId: string): Site | undefined {
  return site.apps.find(({ state }) => state.app.botUserId === userId);
}

/** Finds an app in another workspace. */
export function findAppIn({ apps }: Site, appId: string): Site | undefined {
  return apps.find(({ state }) => state.app.id === appId);
}

/** Finds the app with this client id, in the first workspace. */
export function findAppOfClient({ sites }: Slack, clientId: unknown): Site | undefined {
  return sites[0]?.apps.find((app) => app.clientId === clientId);
}

/** Whether this app opened the view. Views that earlier versions stored name no app, and belong to the first one. */
export function isOwnView(site: Site, { app }: StoredView): boolean {
  return app === undefined ? site.apps[0] === site : app === site.state.app.id;
}
