import { Refusal } from '../refusal.ts';
import { organisationOf } from '../state/organisations.ts';
import { type Method, textArg } from './call.ts';

/** The workspace that the app is in; of another one it learns nothing. */
export const teamInfo: Method = (call) => {
  const { team } = call.site.state;
  if ((textArg(call, 'team') ?? team.id) !== team.id) throw new Refusal('team_not_found');
  if ((textArg(call, 'domain') ?? team.domain) !== team.domain) throw new Refusal('team_not_found');
  const { url } = call.site;
  const organisation = organisationOf(call.site);
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
      icon: { image_34: `${url}/page/icon.svg`, image_default: true },
    },
  };
};

/** The workspace's own emoji, not the ones that everybody has. */
export const emojiList: Method = ({ site }) => ({
  emoji: site.state.emoji,
  cache_ts: (site.now() / 1000).toFixed(6),
});
