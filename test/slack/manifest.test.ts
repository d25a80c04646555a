import { Ajv } from 'ajv';
import { EVENT_RULES, findManifestGaps, findManifestProblems } from 'slack-workspace-emulator';
import { readSlackReference } from 'slack-workspace-emulator/test-support/slack-reference';
import { describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import {
  listBotEvents,
  listBotScopes,
  listOptionalScopes,
  listRequiredScopes,
} from '../../src/slack/scopes.ts';

/** Slack's built-in commands, which apps can't use: https://slack.com/help/articles/201259356. */
const BUILT_IN_COMMANDS = '/invite /remind /status /search /me /msg /dm /help /feedback /who'.split(' ');

/** Slack's schema of manifests, if it is available. */
const SCHEMA = readSlackReference('manifest.schema.json') as object | undefined;
console.log(
  SCHEMA
    ? 'manifest: also checked against Slack’s schema'
    : 'manifest: checked against our own rules only, because SLACK_FACTS does not name Slack’s schema',
);

describe('the manifest', () => {
  const {
    features: manifestFeatures,
    settings,
    display_information: displayInformation,
    oauth_config: oauthConfig,
  } = buildManifest(features);

  test('the manifest has /upnext and every separate slash command of the catalogue, within Slack’s limits', () => {
    const slashCommands = features.flatMap(({ commands }) =>
      commands.flatMap(({ slashCommand }) => slashCommand ?? []),
    );
    expect(manifestFeatures.slash_commands.map(({ command }) => command)).toEqual([
      '/upnext',
      ...slashCommands,
    ]);
    for (const { command, description, usage_hint: hint } of manifestFeatures.slash_commands) {
      expect(command).toMatch(/^\/[a-z-]{1,31}$/);
      expect(BUILT_IN_COMMANDS).not.toContain(command);
      expect(description.length).toBeLessThanOrEqual(2000);
      expect(hint?.length ?? 1).toBeLessThanOrEqual(1000);
    }
    expect(displayInformation.name.length).toBeLessThanOrEqual(35);
    expect(displayInformation.description.length).toBeLessThanOrEqual(140);
  });

  test('the manifest requests the scopes of the catalogue, each with a reason', () => {
    expect(oauthConfig.scopes.bot).toEqual(listBotScopes(features));
    for (const reason of Object.values(listRequiredScopes(features))) expect(reason).toMatch(/^to /);
    for (const { purpose } of Object.values(listOptionalScopes(features))) expect(purpose).toMatch(/^to /);
    for (const { scopes = {}, optionalScopes = {} } of features)
      expect(oauthConfig.scopes.bot).toEqual(
        expect.arrayContaining([...Object.keys(scopes), ...Object.keys(optionalScopes)]),
      );
  });

  test('a workspace can decline the scopes that only some features need', () => {
    expect(oauthConfig.scopes.bot_optional.toSorted()).toEqual([
      ...'channels:history emoji:read files:read files:write groups:history team:read'.split(' '),
      ...'usergroups:read users:read.email'.split(' '),
    ]);
    expect(oauthConfig.scopes.bot).toEqual(expect.arrayContaining(oauthConfig.scopes.bot_optional));
  });

  test('an event that needs an optional scope is for the feature that can do without that scope', () => {
    const required = Object.keys(listRequiredScopes(features));
    for (const event of settings.event_subscriptions.bot_events) {
      const neededScopes = EVENT_RULES[event] ?? [];
      const feature = features.find(({ events }) => events?.[event] !== undefined);
      const known = [...required, ...Object.keys(feature?.optionalScopes ?? {})];
      expect(neededScopes.length === 0 || neededScopes.some((scope) => known.includes(scope)), event).toBe(
        true,
      );
    }
  });

  test('the manifest subscribes to the events of the features, with a scope for each', () => {
    const events = settings.event_subscriptions.bot_events;
    expect(events).toEqual(listBotEvents(features));
    for (const { events: featureEvents = {} } of features)
      expect(events).toEqual(expect.arrayContaining(Object.keys(featureEvents)));
    for (const event of events) {
      const neededScopes = EVENT_RULES[event];
      expect(neededScopes, `${event} is an event that the practice workspace knows`).toBeDefined();
      const hasScope =
        neededScopes?.length === 0 || neededScopes?.some((scope) => oauthConfig.scopes.bot.includes(scope));
      expect(hasScope, `${event} needs ${neededScopes?.join(' or ')}`).toBe(true);
    }
  });

  test('the manifest has the shortcuts of the catalogue, within Slack’s limits', () => {
    const catalogueShortcuts = features.flatMap(({ shortcuts = {} }) => Object.entries(shortcuts));
    expect(manifestFeatures.shortcuts?.map(({ callback_id: id }) => id) ?? []).toEqual(
      catalogueShortcuts.map(([id]) => id),
    );
    expect(catalogueShortcuts.length).toBeLessThanOrEqual(10);
    for (const [, { name, description }] of catalogueShortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
  });

  test('the default manifest is for Socket Mode and has no address', () => {
    expect(settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(buildManifest(features))).not.toContain('url');
  });

  test('a manifest with an address is for HTTP, and every request goes to that address', () => {
    const requestUrl = 'https://bot.example/slack/events';
    const http = buildManifest(features, { requestUrl });
    expect(http.settings).toMatchObject({
      socket_mode_enabled: false,
      interactivity: { request_url: requestUrl, message_menu_options_url: requestUrl },
      event_subscriptions: { request_url: requestUrl },
    });
    expect(http.features.slash_commands.map(({ url }) => url)).toEqual(
      manifestFeatures.slash_commands.map(() => requestUrl),
    );
  });

  test('tokens rotate only in an app for many workspaces', () => {
    const requestUrl = 'https://bot.example/slack/events';
    const isRotating = (options: Parameters<typeof buildManifest>[1]) =>
      buildManifest(features, options).settings.token_rotation_enabled;
    expect([isRotating({}), isRotating({ requestUrl }), isRotating({ requestUrl, isForMany: true })]).toEqual(
      [false, false, true],
    );
  });

  const modes = SCHEMA ? [undefined, 'https://bot.example/slack/events'] : [];
  test.each(modes)('the manifest is valid by Slack’s schema (address: %s)', (requestUrl) => {
    // The schema has keywords that only Slack uses.
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    const validateManifest = ajv.compile(SCHEMA ?? {});
    validateManifest(buildManifest(features, requestUrl === undefined ? {} : { requestUrl }));
    expect(validateManifest.errors ?? []).toEqual([]);
  });

  test('the practice workspace accepts the manifest and supports all of it', () => {
    expect(findManifestGaps(buildManifest(features))).toEqual([]);
    expect(findManifestProblems(buildManifest(features))).toEqual([]);
    const requestUrl = 'https://bot.example/slack/events';
    expect(findManifestProblems(buildManifest(features, { requestUrl, isForMany: true }))).toEqual([]);
  });
});
