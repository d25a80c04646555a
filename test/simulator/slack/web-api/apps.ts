import { getString, type Json } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import type { SlackRequest } from '../slack-request.ts';
import type { SlackState } from '../slack-state.ts';
import type { Workspace } from '../workspace.ts';
import { type Call, isFlagSet, type Methods, readText } from './call.ts';

const OAUTH_CODE_MS = 10 * 60_000;

function requireClient({ state, args }: Pick<Call, 'state' | 'args'>): void {
  if (!state.client) return;
  if (args.client_id !== state.client.id) throw new Refusal('invalid_client_id');
  if (args.client_secret !== state.client.secret) throw new Refusal('bad_client_secret');
}

/** Exchanges a code for a token. A code works once, within ten minutes. */
export function exchangeCode(state: SlackState, args: Json): Json {
  requireClient({ state, args });
  const code = state.codes.get(getString(args, 'code'));
  if (!code || state.now() - code.madeAt > OAUTH_CODE_MS) throw new Refusal('invalid_code');
  if (code.isUsed) throw new Refusal('code_already_used');
  code.isUsed = true;
  return state.install(code.workspace, code.installer, code.scopes);
}

const revokeTokens = (call: Call, endedBy: 'token_revoked' | 'account_inactive') => {
  const { state, workspace, token } = call;
  const granted = state.tokens.get(token);
  if (granted) granted.endedBy = endedBy;
  state.uninstall(workspace);
  state.events.push(...createUninstallEvents(state, workspace));
};

/** Slack doesn't guarantee the order of the two events. */
export function createUninstallEvents(state: SlackState, workspace: Workspace): SlackRequest[] {
  const about = { person: workspace.botUser, description: 'the app is uninstalled' };
  const tokens = { oauth: [], bot: [workspace.botUser] };
  return [
    state.createEvent(workspace, { type: 'app_uninstalled' }, about),
    state.createEvent(workspace, { type: 'tokens_revoked', tokens }, about),
  ];
}

export const appMethods: Methods = {
  'apps.uninstall': [
    (call) => {
      requireClient(call);
      revokeTokens(call, 'account_inactive');
      return {};
    },
  ],
  'auth.revoke': [
    (call) => {
      if (isFlagSet(call, 'test')) return { revoked: false };
      revokeTokens(call, 'token_revoked');
      return { revoked: true };
    },
  ],
  'auth.test': [
    ({ workspace: { id, name, domain, botUser, botId } }) => ({
      url: `https://${domain}.slack.com/`,
      team: name,
      user: 'upnext',
      team_id: id,
      user_id: botUser,
      bot_id: botId,
      is_enterprise_install: false,
    }),
  ],
  'bots.info': [
    (call) => {
      const { botId, botUser } = call.workspace;
      if ((readText(call, 'bot') ?? botId) !== botId) throw new Refusal('bot_not_found');
      return { bot: { id: botId, deleted: false, name: 'upnext', user_id: botUser } };
    },
    'users:read',
  ],
  'emoji.list': [() => ({ emoji: {} }), 'emoji:read'],
  'team.info': [
    (call) => {
      const { id, name, domain } = call.workspace;
      if ((readText(call, 'team') ?? id) !== id) throw new Refusal('team_not_found');
      return { team: { id, name, domain, url: `https://${domain}.slack.com/`, email_domain: '' } };
    },
    'team:read',
  ],
};
