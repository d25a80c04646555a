import { Refusal } from '../refusal.ts';
import { personById } from '../state/directory.ts';
import { userObject } from '../state/user-object.ts';
import { flagArg, type Method, neededArg, paged, textArg } from './call.ts';

export const usersInfo: Method = (call) => {
  const person = personById(call.site, neededArg(call, 'user'));
  if (!person) throw new Refusal('user_not_found');
  return { user: userObject(call.site, person, flagArg(call, 'include_locale')) };
};

export const usersList: Method = (call) => {
  const { page, next } = paged(call, call.site.state.people);
  const locale = flagArg(call, 'include_locale');
  return {
    members: page.map((person) => userObject(call.site, person, locale)),
    cache_ts: Math.floor(call.site.now() / 1000),
    ...next,
  };
};

export const botsInfo: Method = (call) => {
  const { app } = call.site.state;
  if ((textArg(call, 'bot') ?? app.botId) !== app.botId) throw new Refusal('bot_not_found');
  return {
    bot: {
      id: app.botId,
      deleted: false,
      name: call.site.facts.botName,
      updated: 1_700_000_000,
      app_id: app.id,
      user_id: app.botUserId,
      icons: {},
    },
  };
};
