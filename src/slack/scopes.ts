import type { Catalogue, OptionalScope } from './catalogue.ts';

/** The scopes that all commands need. Maps each scope to the reason shown to admins. */
const COMMAND_SCOPES: Readonly<Record<string, string>> = {
  commands: 'to provide slash commands and shortcuts',
  'chat:write':
    'to share a post in a channel that the bot was invited to, and to notify authors about their posts',
  'users:read':
    'to read the time zone from a person’s profile, to name the author of a post, and to notice that somebody has left or is a guest',
  'app_mentions:read':
    'to answer messages that mention the bot, above all in threads, where Slack runs no slash commands',
  'im:history': 'to answer direct messages to the bot',
  'im:write':
    'to send files as direct messages, and to find earlier direct messages, so that no notification is sent twice after a crash',
};

/** The events that commands need, and the events of an uninstallation, which need no scope. */
const COMMAND_EVENTS = ['app_mention', 'message.im', 'app_uninstalled', 'tokens_revoked'];

/** Lists the scopes without which the app can't be installed, each with its reasons. */
export function listRequiredScopes(catalogue: Catalogue): Readonly<Record<string, string>> {
  return joinTexts(
    [COMMAND_SCOPES, ...catalogue.map(({ scopes = {} }) => scopes)].flatMap(Object.entries),
    '; ',
  );
}

/** Lists the scopes that a workspace can decline. A scope that another feature requires isn't optional. */
export function listOptionalScopes(catalogue: Catalogue): Readonly<Record<string, OptionalScope>> {
  const requiredScopes = listRequiredScopes(catalogue);
  const entries = catalogue
    .flatMap(({ optionalScopes = {} }) => Object.entries(optionalScopes))
    .filter(([scope]) => !Object.hasOwn(requiredScopes, scope));
  const purposes = joinTexts(
    entries.map(([scope, { purpose }]) => [scope, purpose]),
    '; ',
  );
  const abilities = joinTexts(
    entries.map(([scope, { missingAbility }]) => [scope, missingAbility]),
    ' or ',
  );
  return Object.fromEntries(
    Object.entries(purposes).map(([scope, purpose]) => [
      scope,
      { purpose, missingAbility: abilities[scope] ?? '' },
    ]),
  );
}

function joinTexts(entries: readonly [scope: string, text: string][], separator: string) {
  const texts = Map.groupBy(entries, ([scope]) => scope);
  return Object.fromEntries(
    [...texts].map(([scope, pairs]) => [scope, [...new Set(pairs.map(([, text]) => text))].join(separator)]),
  );
}

export function listBotScopes(catalogue: Catalogue): readonly string[] {
  return [...Object.keys(listRequiredScopes(catalogue)), ...Object.keys(listOptionalScopes(catalogue))];
}

export function listBotEvents(catalogue: Catalogue): string[] {
  return [...new Set([...COMMAND_EVENTS, ...catalogue.flatMap(({ events = {} }) => Object.keys(events))])];
}
