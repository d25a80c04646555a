import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findConnectedTeams } from '../state/channel-object.ts';
import { listVisibleChannels } from '../state/directory.ts';
import { buildDomain } from '../state/new-team.ts';
import { findOrganisation } from '../state/organisations.ts';
import { type Method, textArg } from './call.ts';

const ICON_SIZES = [34, 44, 68, 88, 102, 132, 230].map((size) => `image_${size}`);

/**
 * The workspace that the app is in, or one that shares a channel with it which the app sees
 * (https://docs.slack.dev/reference/methods/team.info#arg_team); of others it learns nothing.
 */
export const teamInfo: Method = (call) => {
  const { team } = call.site.state;
  const wanted = textArg(call, 'team') ?? team.id;
  if (wanted !== team.id) return { team: connectedTeam(call.site, wanted) };
  const organisation = findOrganisation(call.site);
  const domain = textArg(call, 'domain');
  if (domain !== undefined && !organisation) throw new Refusal('team_not_on_enterprise');
  if (domain !== undefined && domain !== team.domain) throw new Refusal('team_not_found');
  const { url } = call.site;
  return {
    team: {
      id: team.id,
      name: team.name,
      url: `${url}/`,
      domain: team.domain,
      email_domain: '',
      ...(organisation
        ? {
            enterprise_id: organisation.id,
            enterprise_name: organisation.name,
            enterprise_domain: organisation.domain,
          }
        : {}),
      icon: {
        ...Object.fromEntries(ICON_SIZES.map((size) => [size, `${url}/page/icon.svg`])),
        image_default: true,
      },
    },
  };
};

function connectedTeam(site: Site, id: string): Json {
  const seen = listVisibleChannels(site, site.state.app.botUserId).some(
    (channel) => channel.shared === true && findConnectedTeams(site, channel).includes(id),
  );
  const name = seen ? teamName(site, id) : undefined;
  if (name === undefined) throw new Refusal('team_not_found');
  const domain = buildDomain(name);
  return { id, name, domain, url: `https://${domain}.slack.com/`, email_domain: '' };
}

/** Undefined for one of which nothing but its id is known here. */
function teamName(site: Site, id: string): string | undefined {
  const { sites, organisations } = site.slack;
  const here =
    sites.find(({ state }) => state.team.id === id)?.state.team ?? organisations.find((one) => one.id === id);
  return here?.name ?? site.state.people.find(({ from }) => from?.id === id)?.from?.name;
}

/** The workspace's own emoji, not the ones that everybody has. */
export const emojiList: Method = ({ site }) => ({
  emoji: site.state.emoji,
  cache_ts: (site.now() / 1000).toFixed(6),
});
