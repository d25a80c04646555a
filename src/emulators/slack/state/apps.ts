import type { Site } from '../site.ts';
import type { StoredView } from './saved-state.ts';

/** Runs this for each app of a workspace, with the workspace as that app sees it. */
export function forEachApp(site: Site, run: (app: Site) => void): void {
  for (const app of site.apps) run(app);
}

/** The app whose own user this is. */
export function findAppByUser(site: Site, userId: string): Site | undefined {
  return site.apps.find(({ state }) => state.app.botUserId === userId);
}

/** Whether this app opened a modal. Views of earlier versions don't say whose they are: then there was one app. */
export function isOwnView(site: Site, { app }: StoredView): boolean {
  return app === undefined ? site.apps[0] === site : app === site.state.app.id;
}
