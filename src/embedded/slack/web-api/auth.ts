import { Refusal } from '../refusal.ts';
import type { Method } from './call.ts';

export const authTest: Method = ({ site }) => {
  const { team, app } = site.state;
  return {
    url: `${site.url}/`,
    team: team.name,
    user: site.state.people.find((person) => person.id === app.botUserId)?.name ?? '',
    team_id: team.id,
    user_id: app.botUserId,
    bot_id: app.botId,
    is_enterprise_install: false,
  };
};

/** Echoes its arguments; `error` makes it fail with that error. */
export const apiTest: Method = ({ args }) => {
  if (typeof args.error === 'string') throw new Refusal(args.error, { args });
  return Object.keys(args).length > 0 ? { args } : {};
};
