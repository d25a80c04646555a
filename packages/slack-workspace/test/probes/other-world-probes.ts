import type { Json } from '../../src/json.ts';
import { REDIRECT } from '../support/oauth-steps.ts';
import { ANA } from './world.ts';
import type { Worlds } from './worlds.ts';

const uninstall = async ({ oauth }: Worlds, change: Record<string, string>): Promise<Json> => {
  const { access_token: token } = await oauth.steps.exchangeCode();
  return oauth.call('apps.uninstall', { token, ...oauth.steps.credentials, ...change });
};
const listOfOrganisation =
  (method: string) =>
  ({ usual, orgToken }: Worlds) =>
    usual.call(method, { token: orgToken });
const exchange = ({ oauth }: Worlds, change: Record<string, string>): Promise<Json> =>
  oauth.steps.exchangeCode(change);

/** `<method> <error>` → a call that another world than the usual one refuses, or another token. */
export const OTHER_WORLD_PROBES: Readonly<Record<string, (worlds: Worlds) => Promise<Json>>> = {
  'apps.connections.open insecure_request': async ({ usual: { workspace } }) => {
    const headers = { authorization: `Bearer ${workspace.appToken}` };
    return (await fetch(`${workspace.apiUrl}apps.connections.open`, { headers })).json() as Promise<Json>;
  },
  'apps.connections.open invalid_auth': ({ usual }) =>
    usual.call('apps.connections.open', { token: 'xapp-nothing' }),
  'apps.uninstall bad_client_secret': (worlds) => uninstall(worlds, { client_secret: 'wrong' }),
  'apps.uninstall invalid_client_id': (worlds) => uninstall(worlds, { client_id: '1.1' }),
  'auth.test invalid_auth': ({ usual }) => usual.call('auth.test', { token: 'xoxb-nothing' }),
  'chat.postEphemeral messages_tab_disabled': async ({ quiet }) =>
    quiet.call('chat.postEphemeral', { channel: await quiet.directMessage(), user: ANA, text: 'x' }),
  ...Object.fromEntries(
    ['appendStream', 'startStream', 'stopStream'].map((name) => [
      `chat.${name} messages_tab_disabled`,
      async ({ quiet }) => quiet.call(`chat.${name}`, { channel: await quiet.directMessage(), ts: '1.2' }),
    ]),
  ),
  'chat.postMessage messages_tab_disabled': ({ quiet }) =>
    quiet.call('chat.postMessage', { channel: ANA, text: 'x' }),
  'conversations.list missing_argument': listOfOrganisation('conversations.list'),
  'oauth.v2.access bad_client_secret': (worlds) => exchange(worlds, { client_secret: 'wrong' }),
  'oauth.v2.access bad_redirect_uri': (worlds) => exchange(worlds, { redirect_uri: `${REDIRECT}/other` }),
  'oauth.v2.access invalid_client_id': (worlds) => exchange(worlds, { client_id: '1.1' }),
  'oauth.v2.access invalid_code': (worlds) => exchange(worlds, { code: 'nothing' }),
  'oauth.v2.access invalid_grant_type': (worlds) => exchange(worlds, { grant_type: 'nothing' }),
  'oauth.v2.access invalid_refresh_token': (worlds) =>
    exchange(worlds, { grant_type: 'refresh_token', refresh_token: 'nothing' }),
  'usergroups.list missing_argument': listOfOrganisation('usergroups.list'),
  'users.conversations missing_argument': listOfOrganisation('users.conversations'),
  'users.list missing_argument': listOfOrganisation('users.list'),
  'users.profile.get token_revoked': ({ usual, revokedToken: token }) =>
    usual.call('users.profile.get', { token, user: ANA }),
  'views.publish not_allowed_token_type': ({ usual }) =>
    usual.call('views.publish', { token: usual.workspace.appToken, user_id: ANA }),
  'views.publish not_enabled': ({ quiet }) =>
    quiet.call('views.publish', { user_id: ANA, view: { type: 'home', blocks: [{ type: 'divider' }] } }),
};
