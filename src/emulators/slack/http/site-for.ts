import type { Site, Slack } from '../site.ts';

/** Addresses that contain an id or secret of one workspace, and how to find it there. */
const NAMED: readonly [path: RegExp, knows: (site: Site, name: string) => boolean][] = [
  [/^\/response\/(\w+)$/, ({ state }, name) => state.responseUrls.some(({ secret }) => secret === name)],
  [
    /^\/upload\/v1\/(\w+)$/,
    ({ state }, name) => Object.values(state.files).some((file) => file.ticket === name),
  ],
  [/^\/archives\/([A-Z0-9]+)\//, ({ state }, name) => state.channels.some(({ id }) => id === name)],
  [
    /^\/files(?:-(?:pri|tmb)\/[A-Z0-9]+-|\/[A-Z0-9]+\/)(F[A-Z0-9]+)\//,
    ({ state }, name) => name in state.files,
  ],
];

/** The workspace that an address belongs to, by the id or secret in it, or by `team`. Defaults to the first. */
export function siteFor(slack: Slack, url: URL): Site {
  const { sites } = slack;
  const [first] = sites;
  if (!first) throw new Error('This practice Slack has no workspaces');
  const team = url.searchParams.get('team');
  const file = url.searchParams.get('id') ?? '';
  const address = URL.parse(url.searchParams.get('url') ?? '')?.pathname ?? url.pathname;
  const apps = sites.flatMap((site) => site.apps);
  const named = NAMED.flatMap(([path, knows]) => {
    const name = path.exec(address)?.[1];
    return name === undefined ? [] : (apps.find((site) => knows(site, name)) ?? []);
  });
  return (
    named[0] ??
    sites.find(({ state }) => state.team.id === team) ??
    (url.pathname === '/page/slack-file' ? sites.find(({ state }) => file in state.files) : undefined) ??
    first
  );
}
