import { getRecord, getRecords, getString, getStrings, isRecord, type Json } from './json.ts';
import type { CommandEntry, ShortcutEntry } from './protocol.ts';

/** An app's manifest, with the parts that the workspace uses. */
export interface AppManifest {
  name: string;
  description: string;
  botName: string;
  commands: CommandEntry[];
  shortcuts: ShortcutEntry[];
  /** Bot scopes. Undefined if the manifest lists none: then the app needs no scopes. */
  scopes: string[] | undefined;
  /** The bot scopes that a person may decline at the installation. */
  optionalScopes: string[];
  events: string[];
  /** Subscriptions to message metadata. `*` stands for any app or event type. */
  metadataSubscriptions: { appId: string; eventType: string }[];
  /** The app gets link_shared for links to these domains and their subdomains. */
  unfurlDomains: string[];
  /** Allowed addresses of the OAuth redirect. */
  redirectUrls: string[];
  /** Whether the app can be installed for a whole organisation. */
  isOrgDeployEnabled: boolean;
  /** Whether the app's tokens expire and can be refreshed. */
  hasTokenRotation: boolean;
  hasHomeTab: boolean;
  /** Whether the app can send direct messages to people. */
  hasMessagesTab: boolean;
  /** Whether the app is an assistant: people chat with it in threads of their direct message. */
  isAssistant: boolean;
  /** The app's workflow steps. */
  functions: StepFunction[];
  /** The prompts that each new chat suggests. */
  suggestedPrompts: { title: string; message: string }[];
  /** Whether people can send direct messages to the app. */
  acceptsMessages: boolean;
}

/** Reads a parsed app manifest (Slack's schema 0.5.0). Missing or mistyped parts become empty. */
export function readManifest(manifest: unknown): AppManifest {
  const root = isRecord(manifest) ? manifest : {};
  const at = (...path: string[]) => path.reduce<Json>((from, key) => getRecord(from, key) ?? {}, root);
  const display = at('display_information');
  const name = getString(display, 'name') ?? 'App';
  const scopes = getStrings(at('oauth_config', 'scopes'), 'bot');
  const features = at('features');
  const hasMessagesTab = at('features', 'app_home').messages_tab_enabled !== false;
  return {
    name,
    description: getString(display, 'description') ?? '',
    botName: getString(at('features', 'bot_user'), 'display_name') ?? name,
    commands: getRecords(at('features'), 'slash_commands').map((entry) => ({
      command: getString(entry, 'command') ?? '',
      description: getString(entry, 'description') ?? '',
      usageHint: getString(entry, 'usage_hint') ?? '',
    })),
    shortcuts: getRecords(at('features'), 'shortcuts').map((entry) => ({
      name: getString(entry, 'name') ?? '',
      description: getString(entry, 'description') ?? '',
      callbackId: getString(entry, 'callback_id') ?? '',
      type: entry.type === 'message' ? 'message' : 'global',
    })),
    scopes: scopes.length > 0 ? scopes : undefined,
    optionalScopes: getStrings(at('oauth_config', 'scopes'), 'bot_optional'),
    events: getStrings(at('settings', 'event_subscriptions'), 'bot_events'),
    metadataSubscriptions: getRecords(at('settings', 'event_subscriptions'), 'metadata_subscriptions').map(
      (entry) => ({
        appId: getString(entry, 'app_id') ?? '',
        eventType: getString(entry, 'event_type') ?? '',
      }),
    ),
    unfurlDomains: getStrings(at('features'), 'unfurl_domains'),
    redirectUrls: getStrings(at('oauth_config'), 'redirect_urls'),
    isOrgDeployEnabled: at('settings').org_deploy_enabled === true,
    hasTokenRotation: at('settings').token_rotation_enabled === true,
    hasMessagesTab,
    functions: readStepFunctions(root),
    isAssistant: isRecord(features.assistant_view),
    suggestedPrompts: getRecords(at('features', 'assistant_view'), 'suggested_prompts').map((entry) => ({
      title: getString(entry, 'title') ?? '',
      message: getString(entry, 'message') ?? '',
    })),
    acceptsMessages: hasMessagesTab && at('features', 'app_home').messages_tab_read_only_enabled !== true,
    hasHomeTab: at('features', 'app_home').home_tab_enabled === true,
  };
}

/** An input or output of a step. */
export interface StepParameter {
  name: string;
  /** `string`, `slack#/types/user_id` … */
  type: string;
  /** The type of the items of an `array`. */
  itemType?: string;
  title: string;
  description: string;
  isRequired: boolean;
}

/** A workflow step of the app: one of the manifest's `functions`. */
export interface StepFunction {
  callbackId: string;
  title: string;
  description: string;
  inputs: StepParameter[];
  outputs: StepParameter[];
}

/**
 * Reads the two forms of parameters: either in the object itself, each with `is_required`, or in `properties`, next to
 * a list `required` (slack-samples/bolt-js-custom-step-template; the manifest's schema 0.5.0).
 */
function readParameters(given: Json): StepParameter[] {
  const required = getStrings(given, 'required');
  return Object.entries(getRecord(given, 'properties') ?? given).flatMap(([name, about]) => {
    if (!isRecord(about)) return [];
    const itemType = getString(getRecord(about, 'items') ?? {}, 'type');
    return [
      {
        name,
        type: getString(about, 'type') ?? 'string',
        ...(itemType !== undefined && { itemType }),
        title: getString(about, 'title') ?? name,
        description: getString(about, 'description') ?? '',
        isRequired: about.is_required === true || required.includes(name),
      },
    ];
  });
}

function readStepFunctions(manifest: Json): StepFunction[] {
  return Object.entries(getRecord(manifest, 'functions') ?? {}).flatMap(([callbackId, about]) => {
    if (!isRecord(about)) return [];
    return [
      {
        callbackId,
        title: getString(about, 'title') ?? callbackId,
        description: getString(about, 'description') ?? '',
        inputs: readParameters(getRecord(about, 'input_parameters') ?? {}),
        outputs: readParameters(getRecord(about, 'output_parameters') ?? {}),
      },
    ];
  });
}
