import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { EVENT_RULES } from '../../src/emulators/slack/rules/event-rules.ts';
import { problemsOfManifest } from '../../src/emulators/slack/rules/manifest-rules.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { listBotEvents, listBotScopes } from '../../src/slack/scopes.ts';
import { fromSlack } from '../support/from-slack.ts';

/** Slack's built-in commands, which apps can't use (https://slack.com/help/articles/201259356). */
const TAKEN = [
  '/invite',
  '/remind',
  '/status',
  '/search',
  '/me',
  '/msg',
  '/dm',
  '/help',
  '/feedback',
  '/who',
];

/** Slack's own schema of manifests. */
const SCHEMA = fromSlack('manifest.schema.json') as object | undefined;
console.log(
  SCHEMA
    ? 'manifest: checked against Slack’s own schema too'
    : 'manifest: SLACK_FACTS does not name Slack’s own schema, only our own rules are checked',
);

describe('the manifest', () => {
  const {
    features: parts,
    settings,
    display_information: shown,
    oauth_config: oauth,
  } = buildManifest(features);

  test('has /upnext and every separate slash command of the catalogue, within Slack’s limits', () => {
    const own = features.flatMap(({ commands }) =>
      commands.flatMap(({ slashCommand }) => slashCommand ?? []),
    );
    expect(parts.slash_commands.map(({ command }) => command)).toEqual(['/upnext', ...own]);
    for (const { command, description, usage_hint: hint } of parts.slash_commands) {
      expect(command).toMatch(/^\/[a-z-]{1,31}$/);
      expect(TAKEN).not.toContain(command);
      expect(description.length).toBeLessThanOrEqual(2000);
      expect(hint?.length ?? 1).toBeLessThanOrEqual(1000);
    }
    expect(shown.name.length).toBeLessThanOrEqual(35);
    expect(shown.description.length).toBeLessThanOrEqual(140);
  });

  test('asks for the scopes of the catalogue, each with a reason', () => {
    const scopes = listBotScopes(features);
    expect(oauth.scopes.bot).toEqual(Object.keys(scopes));
    for (const reason of Object.values(scopes)) expect(reason).toMatch(/^to /);
    for (const { scopes: own = {} } of features)
      expect(oauth.scopes.bot).toEqual(expect.arrayContaining(Object.keys(own)));
  });

  test('subscribes to the events of the features, with a scope for each', () => {
    const events = settings.event_subscriptions.bot_events;
    expect(events).toEqual(listBotEvents(features));
    for (const { events: own = {} } of features)
      expect(events).toEqual(expect.arrayContaining(Object.keys(own)));
    for (const event of events) {
      const needed = EVENT_RULES[event]?.scopes;
      expect(needed, `${event} is an event that the practice workspace knows`).toBeDefined();
      const isGiven = needed?.length === 0 || needed?.some((scope) => oauth.scopes.bot.includes(scope));
      expect(isGiven, `${event} needs ${needed?.join(' or ')}`).toBe(true);
    }
  });

  test('has the shortcuts of the catalogue, within Slack’s limits', () => {
    const own = features.flatMap(({ shortcuts = {} }) => Object.entries(shortcuts));
    expect(parts.shortcuts?.map(({ callback_id: id }) => id) ?? []).toEqual(own.map(([id]) => id));
    expect(own.length).toBeLessThanOrEqual(10);
    for (const [, { name, description }] of own) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
  });

  test('is for Socket Mode by default, without any address', () => {
    expect(settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(buildManifest(features))).not.toContain('url');
  });

  test('is for HTTP if it has an address, and every request goes to that address', () => {
    const requestUrl = 'https://bot.example/slack/events';
    const http = buildManifest(features, { requestUrl });
    expect(http.settings).toMatchObject({
      socket_mode_enabled: false,
      interactivity: { request_url: requestUrl, message_menu_options_url: requestUrl },
      event_subscriptions: { request_url: requestUrl },
    });
    expect(http.features.slash_commands.map(({ url }) => url)).toEqual(
      parts.slash_commands.map(() => requestUrl),
    );
  });

  test('tokens rotate only for many workspaces, because nothing could refresh a token in the settings', () => {
    const requestUrl = 'https://bot.example/slack/events';
    const rotates = (options: Parameters<typeof buildManifest>[1]) =>
      buildManifest(features, options).settings.token_rotation_enabled;
    expect([rotates({}), rotates({ requestUrl }), rotates({ requestUrl, isForMany: true })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  const modes = SCHEMA ? [undefined, 'https://bot.example/slack/events'] : [];
  test.each(modes)('is valid by Slack’s own schema (address: %s)', (requestUrl) => {
    // The schema has keywords that only Slack uses.
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    const check = ajv.compile(SCHEMA ?? {});
    check(buildManifest(features, requestUrl === undefined ? {} : { requestUrl }));
    expect(check.errors ?? []).toEqual([]);
  });

  test('is accepted by the practice workspace', () => {
    expect(problemsOfManifest(buildManifest(features))).toEqual([]);
    const requestUrl = 'https://bot.example/slack/events';
    expect(problemsOfManifest(buildManifest(features, { requestUrl, isForMany: true }))).toEqual([]);
  });
});
