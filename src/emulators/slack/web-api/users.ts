import { Refusal } from '../refusal.ts';
import { iconsPart } from '../state/avatar.ts';
import { findPerson } from '../state/directory.ts';
import { getEmail, profileObject, userObject } from '../state/user-object.ts';
import { flagArg, type Method, neededArg, textArg } from './call.ts';
import { paged } from './paged.ts';

/** Without a person, nobody is found either (kortix-ai/suna #6616). */
export const usersInfo: Method = (call) => {
  const person = findPerson(call.site, textArg(call, 'user') ?? '');
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

/** Deactivated people are not found by their address. */
export const usersLookupByEmail: Method = (call) => {
  const email = neededArg(call, 'email').toLowerCase();
  const person = call.site.state.people.find(
    (one) => one.deactivated !== true && getEmail(one)?.toLowerCase() === email,
  );
  if (!person) throw new Refusal('users_not_found');
  return { user: userObject(call.site, person, false) };
};

/** Of the app itself, unless `user` names a person. Nobody here has fields of the workspace's own. */
export const usersProfileGet: Method = (call) => {
  const person = findPerson(call.site, textArg(call, 'user') ?? call.site.state.app.botUserId);
  if (!person) throw new Refusal('user_not_found');
  const { team: _, ...profile } = profileObject(call.site, person);
  return { profile: { ...profile, fields: {} } };
};

export const botsInfo: Method = (call) => {
  const named = textArg(call, 'bot') ?? call.site.state.app.botId;
  const found = call.site.apps.find(({ state }) => state.app.botId === named);
  if (!found) throw new Refusal('bot_not_found');
  const { app } = found.state;
  return {
    bot: {
      id: app.botId,
      deleted: false,
      name: found.manifest.botName,
      updated: 1_700_000_000,
      app_id: app.id,
      user_id: app.botUserId,
      icons: iconsPart(found),
    },
  };
};
