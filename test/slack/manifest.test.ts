import { describe, expect, test } from 'vitest';
import { features } from '../../src/app.ts';
import { appManifest } from '../../src/slack/manifest.ts';
import { BOT_SCOPES } from '../../src/slack/scopes.ts';

/** Slack's built-in commands, which an app cannot take (https://slack.com/help/articles/201259356). */
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

describe('the manifest', () => {
  const {
    features: parts,
    settings,
    display_information: shown,
    oauth_config: oauth,
  } = appManifest(features);

  test('has /upnext and every command of its own in the catalogue, within Slack’s limits', () => {
    const own = features.flatMap(({ commands }) => commands.flatMap(({ ownCommand }) => ownCommand ?? []));
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

  test('asks for the scopes of the table, each with a reason', () => {
    expect(oauth.scopes.bot).toEqual(Object.keys(BOT_SCOPES));
    for (const reason of Object.values(BOT_SCOPES)) expect(reason).toMatch(/^to /);
  });

  test('is for Socket Mode, and names no address', () => {
    expect(settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(appManifest(features))).not.toContain('url');
  });

  test('with an address it is for HTTP, and everything goes there', () => {
    const requestUrl = 'https://bot.example/slack/events';
    const http = appManifest(features, { requestUrl });
    expect(http.settings).toMatchObject({
      socket_mode_enabled: false,
      interactivity: { request_url: requestUrl, message_menu_options_url: requestUrl },
    });
    expect(http.features.slash_commands.map(({ url }) => url)).toEqual(
      parts.slash_commands.map(() => requestUrl),
    );
  });
});
