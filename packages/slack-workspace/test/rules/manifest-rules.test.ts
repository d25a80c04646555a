import { describe, expect, it } from 'vitest';
import { KNOWN_SCOPES, KNOWN_USER_SCOPES } from '../../src/rules/manifest-gaps.ts';
import {
  findManifestProblems,
  InvalidManifestError,
  MANIFEST_RULES,
} from '../../src/rules/manifest-rules.ts';
import { startTestWorkspace, TEST_MANIFEST } from '../support/workspace.ts';

const makeText = (length: number) => 'x'.repeat(length);
const SHORTCUT = { name: 'n', description: 'd', callback_id: 'c', type: 'global' };
const makeShortcut = (fields: object) => ({ ...SHORTCUT, ...fields });
const makeCommand = (fields: object) => ({ command: '/one', description: 'd', ...fields });
const withDisplayInformation = (fields: object) => ({ display_information: { name: 'App', ...fields } });
const withFeatures = (features: object) => ({ ...withDisplayInformation({}), features });
const withScopes = (scopes: object) => ({ ...withDisplayInformation({}), oauth_config: { scopes } });
const makeScopes = (known: ReadonlySet<string>, count: number) =>
  Array.from({ length: count }, (_, index) => [...known][index % known.size]);
const makeMany = (count: number, make: (fields: object) => object, id: string) =>
  Array.from({ length: count }, (_, index) => make({ [id]: `/c${index}` }));

/** The JSON pointer of each part of a manifest in {@link CASES}. */
const POINTERS: Readonly<Record<string, string>> = {
  display_information: '/display_information',
  features: '/features',
  bot_user: '/features/bot_user',
  shortcut: '/features/shortcuts/0',
  slash_command: '/features/slash_commands/0',
  scopes: '/oauth_config/scopes',
};

/** Each rule with a valid manifest, a manifest just over the limit, and the error. */
const CASES: [rule: string, valid: object, invalid: object, message: string][] = [
  sizeCase('display_information.name', (name) => withDisplayInformation({ name }), 35),
  sizeCase('display_information.description', (description) => withDisplayInformation({ description }), 140),
  sizeCase('bot_user.display_name', (display_name) => withFeatures({ bot_user: { display_name } }), 80),
  ...(['name', 'description', 'callback_id'] as const).map((field) =>
    sizeCase(
      `shortcut.${field}`,
      (text) => withFeatures({ shortcuts: [makeShortcut({ [field]: text })] }),
      { name: 24, description: 150, callback_id: 255 }[field],
    ),
  ),
  [
    'shortcut.type',
    withFeatures({ shortcuts: [makeShortcut({ type: 'message' })] }),
    withFeatures({ shortcuts: [makeShortcut({ type: 'local' })] }),
    'must be a valid enum value',
  ],
  [
    'features.shortcuts',
    withFeatures({ shortcuts: makeMany(10, makeShortcut, 'callback_id') }),
    withFeatures({ shortcuts: makeMany(11, makeShortcut, 'callback_id') }),
    'no more than 10 items allowed',
  ],
  [
    'features.slash_commands',
    withFeatures({ slash_commands: makeMany(50, makeCommand, 'command') }),
    withFeatures({ slash_commands: makeMany(51, makeCommand, 'command') }),
    'no more than 50 items allowed',
  ],
  sizeCase(
    'slash_command.description',
    (description) => withFeatures({ slash_commands: [makeCommand({ description })] }),
    2000,
  ),
  ...(['bot', 'bot_optional', 'user', 'user_optional'] as const).map((field): (typeof CASES)[number] => {
    const known = field.startsWith('bot') ? KNOWN_SCOPES : KNOWN_USER_SCOPES;
    const requested = { [field.replace('_optional', '')]: makeScopes(known, 255) };
    return [
      `scopes.${field}`,
      withScopes({ ...requested, [field]: makeScopes(known, 255) }),
      withScopes({ ...requested, [field]: makeScopes(known, 256) }),
      'no more than 255 items allowed',
    ];
  }),
  ...[`/${makeText(32)}`, 'one', '/one two'].map((name): (typeof CASES)[number] => [
    'slash_command.command',
    withFeatures({ slash_commands: [makeCommand({ command: `/${makeText(31)}` })] }),
    withFeatures({ slash_commands: [makeCommand({ command: name })] }),
    'failed to match schema',
  ]),
];

function sizeCase(rule: string, make: (text: string) => object, max: number): (typeof CASES)[number] {
  return [rule, make(makeText(max)), make(makeText(max + 1)), `must be less than ${max + 1} characters`];
}

describe('an app’s manifest', () => {
  it('an optional scope must be among the scopes that the app requests', () => {
    const manifest = withScopes({
      bot: ['commands', 'team:read'],
      bot_optional: ['team:read', 'emoji:read'],
      user_optional: ['team:read'],
    });
    expect(findManifestProblems(manifest)).toEqual([
      { message: 'emoji:read must be in `bot` as well', pointer: '/oauth_config/scopes/bot_optional/1' },
      { message: 'team:read must be in `user` as well', pointer: '/oauth_config/scopes/user_optional/0' },
    ]);
  });

  it('scopes and events that Slack doesn’t have are refused', () => {
    const manifest = {
      ...withScopes({ bot: ['chat:write', 'chats:write'], user: ['search:read', 'files:write:user'] }),
      settings: {
        event_subscriptions: { bot_events: ['app_mentioned', 'app_mention'], user_events: ['mail'] },
      },
    };
    expect(findManifestProblems(manifest)).toEqual([
      { message: 'chats:write is unknown to Slack', pointer: '/oauth_config/scopes/bot/1' },
      { message: 'files:write:user is unknown to Slack', pointer: '/oauth_config/scopes/user/1' },
      { message: 'app_mentioned is unknown to Slack', pointer: '/settings/event_subscriptions/bot_events/0' },
      { message: 'mail is unknown to Slack', pointer: '/settings/event_subscriptions/user_events/0' },
    ]);
  });

  it('the scopes of the old Sign in with Slack, which existing manifests have, are accepted', () => {
    const user = ['identity.basic', 'identity.email', 'identity.avatar', 'identity.team'];
    expect(findManifestProblems(withScopes({ user }))).toEqual([]);
  });

  it.each(CASES)('a manifest that breaks the rule %s is refused', (rule, valid, invalid, message) => {
    const pointer = rule.replace(/^(\w+)\./, (_, kind) => `${POINTERS[kind]}/`);
    expect(findManifestProblems(valid)).toEqual([]);
    expect(findManifestProblems(invalid)).toEqual([expect.objectContaining({ message, pointer })]);
  });

  it('every rule has a valid and an invalid example', () => {
    const rules = Object.entries(MANIFEST_RULES).flatMap(([kind, fields]) =>
      Object.keys(fields).map((field) => `${kind}.${field}`),
    );
    expect([...new Set(CASES.map(([rule]) => rule))].toSorted()).toEqual(rules.toSorted());
  });

  it.each(['/invite', '/remind', '/status', '/topic', '/who', '/dm', '/search'])(
    'a manifest cannot declare %s, which is a command of Slack itself',
    (name) => {
      expect(
        findManifestProblems(withFeatures({ slash_commands: [makeCommand({ command: name })] })),
      ).toEqual([
        { message: `${name} is a command of Slack's own`, pointer: '/features/slash_commands/0/command' },
      ]);
      expect(
        findManifestProblems(withFeatures({ slash_commands: [makeCommand({ command: `${name}s` })] })),
      ).toEqual([]);
    },
  );

  it('a manifest cannot declare a command or shortcut twice', () => {
    const withDuplicates = withFeatures({
      slash_commands: [makeCommand({}), makeCommand({})],
      shortcuts: [makeShortcut({}), makeShortcut({})],
    });
    expect(findManifestProblems(withDuplicates)).toEqual([
      { message: '`command` "/one" already exists', pointer: '/features/slash_commands/1/command' },
      { message: '`callback_id` "c" already exists', pointer: '/features/shortcuts/1/callback_id' },
    ]);
  });

  it('a manifest needs a name', () => {
    expect(findManifestProblems({})).toEqual([
      { message: 'missing required field: name', pointer: '/display_information' },
    ]);
    expect(findManifestProblems('x')).toEqual([{ message: 'must provide an object', pointer: '' }]);
  });

  it('a workspace with an invalid manifest does not start, and the error names the reason', async () => {
    const manifest = {
      ...TEST_MANIFEST,
      features: { slash_commands: [makeCommand({ command: '/invite' })] },
    };
    const starting = startTestWorkspace({ manifest });
    await expect(starting).rejects.toBeInstanceOf(InvalidManifestError);
    await expect(starting).rejects.toThrow(
      "/invite is a command of Slack's own at /features/slash_commands/0/command",
    );
  });
});
