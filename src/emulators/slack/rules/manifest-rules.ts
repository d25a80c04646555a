import { isRecord, type Json, recordIn, recordsIn, stringIn, stringsIn } from '../json.ts';
import { type Problem, repeated, wanted } from './problem.ts';
import { fieldProblems } from './problems.ts';
import { ANYTHING, type FieldRule, like, list, may, must, oneOf, string } from './rule.ts';

type Fields = Readonly<Record<string, FieldRule>>;

/**
 * What a manifest holds that this workspace reads (docs.slack.dev, "App manifest reference"). Other fields are let be.
 */
export const MANIFEST_RULES: Readonly<Record<string, Fields>> = {
  display_information: { name: must(string(35, 1), 'M'), description: may(string(140), 'M') },
  features: { shortcuts: may(list(ANYTHING, 0, 10), 'M'), slash_commands: may(list(ANYTHING, 0, 50), 'M') },
  bot_user: { display_name: must(string(80, 1), 'M') },
  shortcut: {
    name: must(string(24, 1), 'M'),
    description: must(string(150, 1), 'M'),
    callback_id: must(string(255, 1), 'M'),
    type: must(oneOf('global', 'message'), 'M'),
  },
  scopes: {
    bot: may(list(string(50), 0, 255), 'M'),
    bot_optional: may(list(string(50), 0, 255), 'M'),
  },
  // 32 characters, the slash among them.
  slash_command: { command: must(like(/^\/\S{1,31}$/), 'D M I'), description: must(string(2000, 1), 'M') },
};

/** Slack's own: an app cannot take them (slack.com/help, "Slash commands in Slack"). */
const BUILT_IN = new Set(
  (
    'active archive away call collapse deactivate dm dnd expand feed help invite invite_people join kick leave ' +
    'list me msg mute open part prefs remind remove rename search shortcuts shrug star status topic unarchive ' +
    'unfurl unstar who'
  )
    .split(' ')
    .map((name) => `/${name}`),
);

function fields(kind: string, object: Json, pointer: string): Problem[] {
  const rules = Object.entries(MANIFEST_RULES[kind] ?? {});
  return rules.flatMap(([field, rule]) => fieldProblems(rule, field, object, pointer));
}

function commandProblems(commands: readonly Json[], pointer: string): Problem[] {
  return commands.flatMap((entry, index) => [
    ...fields('slash_command', entry, `${pointer}/${index}`),
    // The words of this one are not documented.
    ...wanted(
      BUILT_IN.has(stringIn(entry, 'command') ?? ''),
      `${stringIn(entry, 'command')} is a command of Slack's own`,
      `${pointer}/${index}/command`,
    ),
  ]);
}

/**
 * Each optional scope must also be among the requested scopes (docs.slack.dev, "App manifest reference"). The text of
 * this refusal isn't documented.
 */
function optionalScopeProblems(scopes: Json): Problem[] {
  const asked = stringsIn(scopes, 'bot');
  return stringsIn(scopes, 'bot_optional').flatMap((scope, index) =>
    wanted(
      !asked.includes(scope),
      `${scope} must be in \`bot\` as well`,
      `/oauth_config/scopes/bot_optional/${index}`,
    ),
  );
}

/** Everything that Slack would find wrong with an app's manifest. */
export function problemsOfManifest(manifest: unknown): Problem[] {
  if (!isRecord(manifest)) return [{ says: 'must provide an object', pointer: '' }];
  const display = recordIn(manifest, 'display_information') ?? {};
  const features = recordIn(manifest, 'features') ?? {};
  const bot = recordIn(features, 'bot_user');
  const commands = recordsIn(features, 'slash_commands');
  const shortcuts = recordsIn(features, 'shortcuts');
  const scopes = recordIn(recordIn(manifest, 'oauth_config') ?? {}, 'scopes') ?? {};
  const at = '/features';
  return [
    ...fields('display_information', display, '/display_information'),
    ...fields('features', features, at),
    ...(bot ? fields('bot_user', bot, `${at}/bot_user`) : []),
    ...commandProblems(commands, `${at}/slash_commands`),
    ...repeated(commands, 'command', (index) => `${at}/slash_commands/${index}/command`),
    ...shortcuts.flatMap((entry, index) => fields('shortcut', entry, `${at}/shortcuts/${index}`)),
    ...fields('scopes', scopes, '/oauth_config/scopes'),
    ...optionalScopeProblems(scopes),
    ...repeated(shortcuts, 'callback_id', (index) => `${at}/shortcuts/${index}/callback_id`),
  ];
}
