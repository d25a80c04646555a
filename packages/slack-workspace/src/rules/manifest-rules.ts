import { getRecord, getRecords, getString, getStrings, isRecord, type Json } from '../json.ts';
import { makeWordSet } from '../words.ts';
import {
  ANY,
  array,
  type FieldRules,
  findDuplicates,
  matchingString,
  oneOf,
  optionalField,
  type Problem,
  reportIf,
  requiredField,
  string,
} from './field-rule.ts';
import { checkField } from './find-problems.ts';
import { KNOWN_EVENTS, KNOWN_SCOPES, KNOWN_USER_SCOPES } from './manifest-gaps.ts';

const SCOPES = optionalField(array(string(50), 0, 255), 'M');

/** The parts of a manifest that are validated (docs.slack.dev, "App manifest reference"). */
export const MANIFEST_RULES: FieldRules = {
  display_information: {
    name: requiredField(string(35, 1), 'M'),
    description: optionalField(string(140), 'M'),
  },
  features: {
    shortcuts: optionalField(array(ANY, 0, 10), 'M'),
    slash_commands: optionalField(array(ANY, 0, 50), 'M'),
  },
  bot_user: { display_name: requiredField(string(80, 1), 'M') },
  shortcut: {
    name: requiredField(string(24, 1), 'M'),
    description: requiredField(string(150, 1), 'M'),
    callback_id: requiredField(string(255, 1), 'M'),
    type: requiredField(oneOf('global', 'message'), 'M'),
  },
  scopes: {
    bot: SCOPES,
    bot_optional: SCOPES,
    user: SCOPES,
    user_optional: SCOPES,
  },
  // Up to 32 characters, including the slash.
  slash_command: {
    command: requiredField(matchingString(/^\/\S{1,31}$/), 'D M I'),
    description: requiredField(string(2000, 1), 'M'),
  },
};

/** Slack's own commands. An app can't use their names (slack.com/help, "Slash commands in Slack"). */
const BUILT_IN_COMMANDS = makeWordSet(`
  /active /archive /away /call /collapse /deactivate /dm /dnd /expand /feed /help /invite /invite_people /join /kick
  /leave /list /me /msg /mute /open /part /prefs /remind /remove /rename /search /shortcuts /shrug /star /status
  /topic /unarchive /unfurl /unstar /who
`);

function checkFields(kind: string, object: Json, pointer: string): Problem[] {
  const rules = Object.entries(MANIFEST_RULES[kind] ?? {});
  return rules.flatMap(([field, rule]) => checkField(rule, field, object, pointer));
}

function checkCommands(commands: readonly Json[], pointer: string): Problem[] {
  return commands.flatMap((entry, index) => [
    ...checkFields('slash_command', entry, `${pointer}/${index}`),
    // The text of this error isn't documented.
    ...reportIf(
      BUILT_IN_COMMANDS.has(getString(entry, 'command') ?? ''),
      `${getString(entry, 'command')} is a command of Slack's own`,
      `${pointer}/${index}/command`,
    ),
  ]);
}

/** Optional scopes are requested ones (docs.slack.dev, "App manifest reference"). The text isn't documented. */
function checkOptionalScopes(scopes: Json, kind: 'bot' | 'user'): Problem[] {
  const requested = getStrings(scopes, kind);
  return getStrings(scopes, `${kind}_optional`).flatMap((scope, index) =>
    reportIf(
      !requested.includes(scope),
      `${scope} must be in \`${kind}\` as well`,
      `/oauth_config/scopes/${kind}_optional/${index}`,
    ),
  );
}

/**
 * Slack refuses manifests with scopes that it doesn't have (incidentbot/incidentbot #679), and with such events. The
 * texts of these errors aren't documented.
 */
function checkNames(names: readonly string[], known: ReadonlySet<string>, pointer: string): Problem[] {
  return names.flatMap((name, index) =>
    reportIf(!known.has(name), `${name} is unknown to Slack`, `${pointer}/${index}`),
  );
}

export function findManifestProblems(manifest: unknown): Problem[] {
  if (!isRecord(manifest)) return [{ message: 'must provide an object', pointer: '' }];
  const display = getRecord(manifest, 'display_information') ?? {};
  const features = getRecord(manifest, 'features') ?? {};
  const bot = getRecord(features, 'bot_user');
  const commands = getRecords(features, 'slash_commands');
  const shortcuts = getRecords(features, 'shortcuts');
  const scopes = getRecord(getRecord(manifest, 'oauth_config') ?? {}, 'scopes') ?? {};
  const subscriptions = getRecord(getRecord(manifest, 'settings') ?? {}, 'event_subscriptions') ?? {};
  const pointer = '/features';
  return [
    ...checkFields('display_information', display, '/display_information'),
    ...checkFields('features', features, pointer),
    ...(bot ? checkFields('bot_user', bot, `${pointer}/bot_user`) : []),
    ...checkCommands(commands, `${pointer}/slash_commands`),
    ...findDuplicates(commands, 'command', (index) => `${pointer}/slash_commands/${index}/command`),
    ...shortcuts.flatMap((entry, index) => checkFields('shortcut', entry, `${pointer}/shortcuts/${index}`)),
    ...checkFields('scopes', scopes, '/oauth_config/scopes'),
    ...checkOptionalScopes(scopes, 'bot'),
    ...checkOptionalScopes(scopes, 'user'),
    ...checkNames(getStrings(scopes, 'bot'), KNOWN_SCOPES, '/oauth_config/scopes/bot'),
    ...checkNames(getStrings(scopes, 'user'), KNOWN_USER_SCOPES, '/oauth_config/scopes/user'),
    ...['bot_events', 'user_events'].flatMap((field) =>
      checkNames(getStrings(subscriptions, field), KNOWN_EVENTS, `/settings/event_subscriptions/${field}`),
    ),
    ...findDuplicates(shortcuts, 'callback_id', (index) => `${pointer}/shortcuts/${index}/callback_id`),
  ];
}

/** Slack would refuse the app's manifest. The message lists all problems. */
export class InvalidManifestError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const list = problems.map(({ message, pointer }) => `${message} at ${pointer}`);
    super(`Slack would refuse this manifest (invalid_manifest): ${list.join('; ')}`);
    this.name = 'InvalidManifestError';
    this.problems = problems;
  }
}

/** Throws an {@link InvalidManifestError} if Slack would refuse the manifest. */
export function validateManifest(manifest: unknown): void {
  const problems = findManifestProblems(manifest);
  if (problems.length > 0) throw new InvalidManifestError(problems);
}
