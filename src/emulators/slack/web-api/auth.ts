import { revokeGrant } from '../interactions/uninstall-app.ts';
import { Refusal } from '../refusal.ts';
import { findPerson } from '../state/directory.ts';
import { findOrganisation } from '../state/organisations.ts';
import { type Method, readFlag } from './call.ts';

/** Returns the user and workspace of the token. An organisation's token belongs to none of its workspaces. */
export const authTest: Method = ({ site, grant }) => {
  const { team, app } = site.state;
  const organisation = findOrganisation(site);
  const orgWide = organisation !== undefined && grant?.holder === organisation.id;
  const user = grant?.user ?? app.botUserId;
  return {
    url: `${site.url}/`,
    team: orgWide ? organisation.name : team.name,
    user: findPerson(site, user)?.name ?? '',
    team_id: orgWide ? organisation.id : team.id,
    user_id: user,
    ...(grant?.kind === 'user' ? {} : { bot_id: app.botId }),
    ...(organisation ? { enterprise_id: organisation.id } : {}),
    is_enterprise_install: orgWide,
  };
};

/** Revokes the token of the call, unless `test` is set. */
export const authRevoke: Method = (call) => {
  const isTest = readFlag(call, 'test');
  if (!isTest && call.grant) revokeGrant(call.site, call.grant);
  return { revoked: !isTest };
};

/** Returns its arguments. With `error`, it fails with that error. */
export const apiTest: Method = ({ args }) => {
  if (typeof args.error === 'string') throw new Refusal(args.error, { args });
  return Object.keys(args).length > 0 ? { args } : {};
};
