import type { Site, Slack } from '../site.ts';

/** Paths that contain an id or secret of a workspace, and whether a workspace contains it. */
const PATHS: readonly [path: RegExp, contains: (site: Site, id: string) => boolean][] = [
  [/^\/response\/(\w+)$/, ({ state }, id) => state.responseUrls.some(({ secret }) => secret === id)],
  [/^\/upload\/v1\/(\w+)$/, ({ state }, id) => Object.values(state.files).some((file) => file.ticket === id)],
  [/^\/archives\/([A-Z0-9]+)\//, ({ state }, id) => state.channels.some((channel) => channel.id === id)],
  [/^\/files(?:-(?:pri|tmb)\/[A-Z0-9]+-|\/[A-Z0-9]+\/)(F[A-Z0-9]+)\//, ({ state }, id) => id in state.files],
];

/** Finds the workspace of an address by the id or secret in its path, or by `team`. Defaults to the first. */
export function findSite(slack: Slack, url: URL): Site {
  const { sites } = slack;
  const [first] = sites;
  if (!first) throw new Error('The local Slack has no workspace');
  const team = url.searchParams.get('team');
  const file = url.searchParams.get('id') ?? '';
  const address = URL.parse(url.searchParams.get('url') ?? '')?.pathname ?? url.pathname;
  const apps = sites.flatMap((site) => site.apps);
  const matches = PATHS.flatMap(([path, contains]) => {
    const id = path.exec(address)?.[1];
    return id === undefined ? [] : (apps.find((site) => contains(site, id)) ?? []);
  });
  return (
    matches[0] ??
    sites.find(({ state }) => state.team.id === team) ??
    (url.pathname === '/page/slack-file' ? sites.find(({ state }) => file in state.files) : undefined) ??
    first
  );
}
