import { type Catalogue, listNamedCommands } from './catalogue.ts';
import { APP_NAME } from './name.ts';
import { listBotEvents, listBotScopes, listOptionalScopes } from './scopes.ts';

const DESCRIPTION = 'Schedule social posts, and see what goes out next, without leaving Slack.';

/**
 * Builds the manifest of the Slack app that the catalogue needs, in version 1 of Slack's schema
 * (https://docs.slack.dev/reference/app-manifest/). Without `requestUrl` the manifest is for Socket Mode.
 * With `requestUrl` (`https://…/slack/events`) it is for HTTP: Slack sends every request to this address, and the app
 * can be installed through OAuth in any number of workspaces and in whole organisations. `isForMany` turns on token
 * rotation. An app for one workspace can't use rotation, because its token is a setting that nothing could refresh.
 */
export function buildManifest(
  catalogue: Catalogue,
  options: { requestUrl?: string; isForMany?: boolean } = {},
) {
  const { requestUrl, isForMany = false } = options;
  const url = requestUrl === undefined ? {} : { url: requestUrl };
  const shortcuts = catalogue.flatMap((feature) =>
    Object.entries(feature.shortcuts ?? {}).map(([id, { name, description, type }]) => ({
      name,
      type,
      callback_id: id,
      description,
    })),
  );
  return {
    _metadata: { major_version: 1 },
    display_information: { name: APP_NAME, description: DESCRIPTION },
    features: {
      // People write commands in direct messages to the bot, and get notifications there after they closed a form.
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: APP_NAME, always_online: true },
      ...(shortcuts.length > 0 && { shortcuts }),
      slash_commands: listSlashCommands(catalogue).map((command) => ({ ...command, ...url })),
    },
    oauth_config: {
      // Scopes in `bot_optional` are in `bot` too (https://docs.slack.dev/reference/app-manifest/#oauth).
      // The person who installs the app can decline the optional scopes, and admins can approve the app without them
      // (https://docs.slack.dev/changelog/2026/03/16/optional-scopes).
      scopes: { bot: listBotScopes(catalogue), bot_optional: Object.keys(listOptionalScopes(catalogue)) },
      ...(requestUrl !== undefined && { redirect_urls: [new URL('oauth_redirect', requestUrl).href] }),
    },
    settings: {
      event_subscriptions: {
        ...(requestUrl !== undefined && { request_url: requestUrl }),
        bot_events: [
          ...listBotEvents(catalogue),
          ...(requestUrl === undefined ? [] : ['team_access_granted', 'team_access_revoked']),
        ],
      },
      interactivity: {
        is_enabled: true,
        ...(requestUrl !== undefined && { request_url: requestUrl, message_menu_options_url: requestUrl }),
      },
      org_deploy_enabled: requestUrl !== undefined,
      socket_mode_enabled: requestUrl === undefined,
      token_rotation_enabled: isForMany,
    },
  };
}

/** Lists `/upnext` and then the separate slash commands. */
function listSlashCommands(catalogue: Catalogue) {
  const commands = catalogue.flatMap((feature) => feature.commands);
  // The others have a slash command of their own.
  const names = listNamedCommands(catalogue).flatMap(({ name, slashCommand }) =>
    slashCommand ? [] : [name],
  );
  return [
    {
      command: '/upnext',
      description: 'The next post, and more: try /upnext help',
      usage_hint: `[${names.join(', ')}]`,
      should_escape: false,
    },
    ...commands.flatMap(({ slashCommand: command, summary: description, usage }) =>
      command === undefined
        ? []
        : [{ command, description, ...(usage && { usage_hint: usage }), should_escape: false }],
    ),
  ];
}
