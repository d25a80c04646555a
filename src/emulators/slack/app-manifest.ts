import { isRecord, type Json, recordIn, recordsIn, stringIn, stringsIn } from './json.ts';
import type { CommandEntry, ShortcutEntry } from './protocol.ts';
import { readStepFunctions, type StepFunction } from './step-function.ts';

/** What a workspace needs to know of the app that is installed in it. */
export interface AppManifest {
  name: string;
  description: string;
  botName: string;
  commands: CommandEntry[];
  shortcuts: ShortcutEntry[];
  /** Undefined when the manifest lists none: then nothing is asked for. */
  scopes: string[] | undefined;
  /** Those of them that whoever installs the app may leave out. */
  optionalScopes: string[];
  events: string[];
  /** Metadata of messages that it hears of: `*` stands for any app. */
  metadataSubscriptions: { appId: string; eventType: string }[];
  /** Links to these hosts, and to those below them, are announced to it. */
  unfurlDomains: string[];
  /** Where people may be sent back to after they allowed an installation. */
  redirectUrls: string[];
  /** It can be installed in a whole organisation at once. */
  isOrgDeployEnabled: boolean;
  /** Its tokens end, and are refreshed. */
  hasTokenRotation: boolean;
  hasHomeTab: boolean;
  /** It may write to people in the direct message with it. */
  hasMessagesTab: boolean;
  /** People chat with it as with an assistant, in threads of the direct message with it. */
  isAssistant: boolean;
  /** Its steps for workflows. */
  functions: StepFunction[];
  /** What it suggests to ask in each new chat. */
  suggestedPrompts: { title: string; message: string }[];
  /** People can write to it in the direct message with it. */
  acceptsMessages: boolean;
}

/** Reads a parsed app manifest (Slack's schema 0.5.0). What it lacks is empty. */
export function readManifest(manifest: unknown): AppManifest {
  const root = isRecord(manifest) ? manifest : {};
  const at = (...path: string[]) => path.reduce<Json>((from, key) => recordIn(from, key) ?? {}, root);
  const display = at('display_information');
  const name = stringIn(display, 'name') ?? 'App';
  const scopes = stringsIn(at('oauth_config', 'scopes'), 'bot');
  const features = at('features');
  const hasMessagesTab = at('features', 'app_home').messages_tab_enabled !== false;
  return {
    name,
    description: stringIn(display, 'description') ?? '',
    botName: stringIn(at('features', 'bot_user'), 'display_name') ?? name,
    commands: recordsIn(at('features'), 'slash_commands').map((entry) => ({
      command: stringIn(entry, 'command') ?? '',
      description: stringIn(entry, 'description') ?? '',
      usageHint: stringIn(entry, 'usage_hint') ?? '',
    })),
    shortcuts: recordsIn(at('features'), 'shortcuts').map((entry) => ({
      name: stringIn(entry, 'name') ?? '',
      description: stringIn(entry, 'description') ?? '',
      callbackId: stringIn(entry, 'callback_id') ?? '',
      type: entry.type === 'message' ? 'message' : 'global',
    })),
    scopes: scopes.length > 0 ? scopes : undefined,
    optionalScopes: stringsIn(at('oauth_config', 'scopes'), 'bot_optional'),
    events: stringsIn(at('settings', 'event_subscriptions'), 'bot_events'),
    metadataSubscriptions: recordsIn(at('settings', 'event_subscriptions'), 'metadata_subscriptions').map(
      (entry) => ({
        appId: stringIn(entry, 'app_id') ?? '',
        eventType: stringIn(entry, 'event_type') ?? '',
      }),
    ),
    unfurlDomains: stringsIn(at('features'), 'unfurl_domains'),
    redirectUrls: stringsIn(at('oauth_config'), 'redirect_urls'),
    isOrgDeployEnabled: at('settings').org_deploy_enabled === true,
    hasTokenRotation: at('settings').token_rotation_enabled === true,
    hasMessagesTab,
    functions: readStepFunctions(root),
    isAssistant: isRecord(features.assistant_view),
    suggestedPrompts: recordsIn(at('features', 'assistant_view'), 'suggested_prompts').map((entry) => ({
      title: stringIn(entry, 'title') ?? '',
      message: stringIn(entry, 'message') ?? '',
    })),
    acceptsMessages: hasMessagesTab && at('features', 'app_home').messages_tab_read_only_enabled !== true,
    hasHomeTab: at('features', 'app_home').home_tab_enabled === true,
  };
}
