import { describe, expect, it } from 'vitest';
import { EVENT_RULES } from '../src/rules/event-rules.ts';
import { KNOWN_EVENTS, KNOWN_SCOPES } from '../src/rules/manifest-gaps.ts';
import { METHODS } from '../src/web-api/methods.ts';
import { openWorkspace } from './support/fixtures.ts';
import { TEST_MANIFEST } from './support/workspace.ts';

describe('unsupported parts of a manifest', () => {
  it('events, scopes, features and keys are listed, also those unknown to Slack', async () => {
    const manifest = {
      ...TEST_MANIFEST,
      features: {
        ...TEST_MANIFEST.features,
        agent_view: { agent_description: 'Helps' },
        search: { search_function_callback_id: 'find' },
        rich_previews: { is_active: true },
        jetpack: {},
      },
      oauth_config: { scopes: { bot: ['chat:write', 'calls:write'], bots: [] } },
      settings: { event_subscriptions: { bot_events: ['app_mention', 'call_rejected'] } },
    };
    const { workspace } = await openWorkspace({ manifest });
    expect(workspace.manifestGaps.map(({ kind, name, reason }) => `${kind} ${name}: ${reason}`)).toEqual([
      'event call_rejected: unsupported',
      'scope calls:write: unsupported',
      'key features.agent_view: unsupported',
      'key features.search: unsupported',
      'key features.rich_previews: unsupported',
      'key features.jetpack: unknown to Slack',
      'key oauth_config.scopes.bots: unknown to Slack',
    ]);
  });

  it('Slack knows every event and scope of the workspace', () => {
    const scopes = [
      ...[...METHODS.values()].flatMap((entry) => entry.scopes),
      ...Object.values(EVENT_RULES).flat(),
    ];
    expect(Object.keys(EVENT_RULES).filter((name) => !KNOWN_EVENTS.has(name))).toEqual([]);
    expect([...new Set(scopes)].filter((name) => !KNOWN_SCOPES.has(name))).toEqual([]);
  });
});
