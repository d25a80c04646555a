import { describe, expect, it } from 'vitest';
import { InvalidManifest } from '../../../../src/emulators/slack/rules/invalid-manifest.ts';
import { MANIFEST_RULES, problemsOfManifest } from '../../../../src/emulators/slack/rules/manifest-rules.ts';
import { startTestWorkspace, TEST_MANIFEST } from '../../../support/workspace.ts';

const x = (length: number) => 'x'.repeat(length);
const shortcut = (fields: object) => ({
  name: 'n',
  description: 'd',
  callback_id: 'c',
  type: 'global',
  ...fields,
});
const command = (fields: object) => ({ command: '/one', description: 'd', ...fields });
const named = (fields: object) => ({ display_information: { name: 'App', ...fields } });
const having = (features: object) => ({ ...named({}), features });
const many = (count: number, make: (fields: object) => object, id: string) =>
  Array.from({ length: count }, (_, index) => make({ [id]: `/c${index}` }));

/** kind.field → what just keeps it, what just breaks it, what is said and where. */
const CASES: [rule: string, keeps: object, breaks: object, says: string, at: string][] = [
  ...sizes('display_information.name', (name) => named({ name }), 35, '/display_information/name'),
  ...sizes(
    'display_information.description',
    (description) => named({ description }),
    140,
    '/display_information/description',
  ),
  ...sizes(
    'bot_user.display_name',
    (display_name) => having({ bot_user: { display_name } }),
    80,
    '/features/bot_user/display_name',
  ),
  ...(['name', 'description', 'callback_id'] as const).flatMap((field) =>
    sizes(
      `shortcut.${field}`,
      (text) => having({ shortcuts: [shortcut({ [field]: text })] }),
      { name: 24, description: 150, callback_id: 255 }[field],
      `/features/shortcuts/0/${field}`,
    ),
  ),
  [
    'shortcut.type',
    having({ shortcuts: [shortcut({ type: 'message' })] }),
    having({ shortcuts: [shortcut({ type: 'local' })] }),
    'must be a valid enum value',
    '/features/shortcuts/0/type',
  ],
  [
    'features.shortcuts',
    having({ shortcuts: many(10, shortcut, 'callback_id') }),
    having({ shortcuts: many(11, shortcut, 'callback_id') }),
    'no more than 10 items allowed',
    '/features/shortcuts',
  ],
  [
    'features.slash_commands',
    having({ slash_commands: many(50, command, 'command') }),
    having({ slash_commands: many(51, command, 'command') }),
    'no more than 50 items allowed',
    '/features/slash_commands',
  ],
  ...sizes(
    'slash_command.description',
    (description) => having({ slash_commands: [command({ description })] }),
    2000,
    '/features/slash_commands/0/description',
  ),
  ...[`/${x(32)}`, 'one', '/one two'].map((name): (typeof CASES)[number] => [
    'slash_command.command',
    having({ slash_commands: [command({ command: `/${x(31)}` })] }),
    having({ slash_commands: [command({ command: name })] }),
    'failed to match schema',
    '/features/slash_commands/0/command',
  ]),
];

function sizes(
  rule: string,
  make: (text: string) => object,
  most: number,
  at: string,
): [string, object, object, string, string][] {
  return [[rule, make(x(most)), make(x(most + 1)), `must be less than ${most + 1} characters`, at]];
}

describe('an app’s manifest', () => {
  it.each(CASES)('is held to %s', (_, keeps, breaks, says, pointer) => {
    expect(problemsOfManifest(keeps)).toEqual([]);
    expect(problemsOfManifest(breaks)).toEqual([{ says, pointer }]);
  });

  it('has both cases of every rule here', () => {
    const rules = Object.entries(MANIFEST_RULES).flatMap(([kind, fields]) =>
      Object.keys(fields).map((field) => `${kind}.${field}`),
    );
    expect([...new Set(CASES.map(([rule]) => rule))].toSorted()).toEqual(rules.toSorted());
  });

  it.each(['/invite', '/remind', '/status', '/topic', '/who', '/dm', '/search'])(
    'cannot have %s, which is Slack’s own',
    (name) => {
      expect(problemsOfManifest(having({ slash_commands: [command({ command: name })] }))).toEqual([
        { says: `${name} is a command of Slack's own`, pointer: '/features/slash_commands/0/command' },
      ]);
      expect(problemsOfManifest(having({ slash_commands: [command({ command: `${name}s` })] }))).toEqual([]);
    },
  );

  it('names each command and each shortcut once', () => {
    const twice = having({
      slash_commands: [command({}), command({})],
      shortcuts: [shortcut({}), shortcut({})],
    });
    expect(problemsOfManifest(twice)).toEqual([
      { says: '`command` "/one" already exists', pointer: '/features/slash_commands/1/command' },
      { says: '`callback_id` "c" already exists', pointer: '/features/shortcuts/1/callback_id' },
    ]);
  });

  it('has a name', () => {
    expect(problemsOfManifest({})).toEqual([
      { says: 'missing required field: name', pointer: '/display_information' },
    ]);
    expect(problemsOfManifest('x')).toEqual([{ says: 'must provide an object', pointer: '' }]);
  });

  it('that Slack would not take starts no workspace, and the failure says why', async () => {
    const manifest = { ...TEST_MANIFEST, features: { slash_commands: [command({ command: '/invite' })] } };
    const starting = startTestWorkspace({ manifest });
    await expect(starting).rejects.toBeInstanceOf(InvalidManifest);
    await expect(starting).rejects.toThrow(
      "/invite is a command of Slack's own at /features/slash_commands/0/command",
    );
  });
});
