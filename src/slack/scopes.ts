import type { Catalogue } from './catalogue.ts';

/** The scopes that all commands need. Each has the reason that people read. */
const COMMAND_SCOPES: Readonly<Record<string, string>> = {
  commands: 'to answer slash commands, and to be found among the shortcuts',
  'chat:write':
    'to share a post with a channel the bot was invited to, and to tell a person what became of theirs',
  'users:read': "to take a person's time zone from their profile, and to name who scheduled a post",
  'app_mentions:read':
    'to do what is asked of it by its name, in threads above all, where Slack runs no commands',
  'im:history': 'to do what is asked of it in a direct message',
  'im:write':
    'to find its direct messages to a person again, so that nothing is told twice after it was interrupted',
};

/** The events that commands need, and the events of an uninstallation, which need no scope. */
const COMMAND_EVENTS = ['app_mention', 'message.im', 'app_uninstalled', 'tokens_revoked'];

/** Lists the scopes that the app requests, each with its reasons. */
export function listBotScopes(catalogue: Catalogue): Readonly<Record<string, string>> {
  const reasons = new Map(Object.entries(COMMAND_SCOPES).map(([scope, reason]) => [scope, [reason]]));
  for (const { scopes = {} } of catalogue) {
    for (const [scope, reason] of Object.entries(scopes)) {
      reasons.set(scope, [...new Set([...(reasons.get(scope) ?? []), reason])]);
    }
  }
  return Object.fromEntries([...reasons].map(([scope, reasonList]) => [scope, reasonList.join('; ')]));
}

/** Lists the events that the app subscribes to. */
export function listBotEvents(catalogue: Catalogue): string[] {
  return [...new Set([...COMMAND_EVENTS, ...catalogue.flatMap(({ events = {} }) => Object.keys(events))])];
}
