import { listStandardEmoji } from '../emoji/standard-emoji.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findConnectedTeams } from '../state/channel-object.ts';
import { listVisibleChannels } from '../state/directory.ts';
import { buildDomain } from '../state/new-team.ts';
import { findOrganisation } from '../state/organisations.ts';
import { type Method, readFlag, readText } from './call.ts';

const ICON_SIZES = [34, 44, 68, 88, 102, 132, 230].map((size) => `image_${size}`);

/**
 * Describes the app's workspace, or another one that shares a channel with it (docs.slack.dev/reference/methods/team.info,
 * `team`). The app has to see this channel.
 */
export const teamInfo: Method = (call) => {
  const { team } = call.site.state;
  const id = readText(call, 'team') ?? team.id;
  if (id !== team.id) return { team: buildConnectedTeamObject(call.site, id) };
  const organisation = findOrganisation(call.site);
  const domain = readText(call, 'domain');
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

function buildConnectedTeamObject(site: Site, id: string): Json {
  const sharesChannel = listVisibleChannels(site, site.state.app.botUserId).some(
    (channel) => channel.shared === true && findConnectedTeams(site, channel).includes(id),
  );
  const name = sharesChannel ? findTeamName(site, id) : undefined;
  if (name === undefined) throw new Refusal('team_not_found');
  const domain = buildDomain(name);
  return { id, name, domain, url: `https://${domain}.slack.com/`, email_domain: '' };
}

/** Finds the name among the workspaces, the organisations and the people of other workspaces. */
function findTeamName(site: Site, id: string): string | undefined {
  const { sites, organisations } = site.slack;
  const team = sites.find(({ state }) => state.team.id === id)?.state.team;
  const organisation = organisations.find((each) => each.id === id);
  const person = site.state.people.find(({ from }) => from?.id === id);
  return (team ?? organisation ?? person?.from)?.name;
}

/**
 * Lists the workspace's custom emoji. With `include_categories`, the standard ones come by category
 * (@slack/web-api, EmojiListResponse). The emulator knows their names only, so they are in one.
 */
export const emojiList: Method = (call) => ({
  emoji: call.site.state.emoji,
  cache_ts: (call.site.now() / 1000).toFixed(6),
  ...(readFlag(call, 'include_categories') && {
    categories_version: '5',
    categories: [{ name: 'Emoji', emoji_names: listStandardEmoji() }],
  }),
});
