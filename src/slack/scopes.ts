import type { Catalogue } from './catalogue.ts';

/** The scopes that all commands need. Maps each scope to the reason shown to admins. */
const COMMAND_SCOPES: Readonly<Record<string, string>> = {
  commands: 'to provide slash commands and shortcuts',
  'chat:write':
    'to share a post in a channel that the bot was invited to, and to notify authors about their posts',
  'users:read': "to read the time zone from a person's profile, and to name the author of a post",
  'app_mentions:read':
    'to answer messages that mention the bot, above all in threads, where Slack runs no slash commands',
  'im:history': 'to answer direct messages to the bot',
  'im:write': 'to find its earlier direct messages, so that no notification is sent twice after a crash',
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
