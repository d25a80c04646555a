import { getRecord, getRecords, getString, getStrings, isRecord, type Json } from './json.ts';

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

/** The entries of an object that are objects. */
function listEntries(object: Json | undefined): [name: string, about: Json][] {
  return Object.entries(object ?? {}).flatMap(([name, about]) => (isRecord(about) ? [[name, about]] : []));
}

const readText = (from: Json, key: string, other = '') => getString(from, key) ?? other;

/**
 * Reads the two forms of parameters: either in the object itself, each with `is_required`, or in `properties`, next to
 * a list `required` (slack-samples/bolt-js-custom-step-template; the manifest's schema 0.5.0).
 */
function readParameters(given: Json): StepParameter[] {
  const required = getStrings(given, 'required');
  return listEntries(getRecord(given, 'properties') ?? given).map(([name, about]) => {
    const itemType = getString(getRecord(about, 'items') ?? {}, 'type');
    return {
      name,
      type: readText(about, 'type', 'string'),
      ...(itemType !== undefined && { itemType }),
      title: readText(about, 'title', name),
      description: readText(about, 'description'),
      isRequired: about.is_required === true || required.includes(name),
    };
  });
}

function readStepFunctions(manifest: Json): StepFunction[] {
  return listEntries(getRecord(manifest, 'functions')).map(([callbackId, about]) => ({
    callbackId,
    title: readText(about, 'title', callbackId),
    description: readText(about, 'description'),
    inputs: readParameters(getRecord(about, 'input_parameters') ?? {}),
    outputs: readParameters(getRecord(about, 'output_parameters') ?? {}),
  }));
}

/** An app's manifest, with the parts that the workspace uses. */
export type AppManifest = ReturnType<typeof readManifest>;

/** Reads a parsed app manifest (Slack's schema 0.5.0). Missing or mistyped parts become empty. */
export function readManifest(manifest: unknown) {
  const root = isRecord(manifest) ? manifest : {};
  const at = (...path: string[]) => path.reduce<Json>((from, key) => getRecord(from, key) ?? {}, root);
  const [display, features, settings] = [at('display_information'), at('features'), at('settings')];
  const [home, assistant] = [at('features', 'app_home'), at('features', 'assistant_view')];
  const subscriptions = at('settings', 'event_subscriptions');
  const scopes = at('oauth_config', 'scopes');
  const botScopes = getStrings(scopes, 'bot');
  const name = readText(display, 'name', 'App');
  const hasMessagesTab = home.messages_tab_enabled !== false;
  return {
    name,
    description: readText(display, 'description'),
    botName: readText(at('features', 'bot_user'), 'display_name', name),
    commands: getRecords(features, 'slash_commands').map((entry) => ({
      command: readText(entry, 'command'),
      description: readText(entry, 'description'),
      usageHint: readText(entry, 'usage_hint'),
    })),
    shortcuts: getRecords(features, 'shortcuts').map((entry) => ({
      name: readText(entry, 'name'),
      description: readText(entry, 'description'),
      callbackId: readText(entry, 'callback_id'),
      type: entry.type === 'message' ? ('message' as const) : ('global' as const),
    })),
    /** Undefined if the manifest lists none: then the app needs no scopes. */
    scopes: botScopes.length > 0 ? botScopes : undefined,
    /** The bot scopes that a person may decline at the installation. */
    optionalScopes: getStrings(scopes, 'bot_optional'),
    events: getStrings(subscriptions, 'bot_events'),
    /** `*` stands for any app or event type. */
    metadataSubscriptions: getRecords(subscriptions, 'metadata_subscriptions').map((entry) => ({
      appId: readText(entry, 'app_id'),
      eventType: readText(entry, 'event_type'),
    })),
    /** The app gets link_shared for links to these domains and their subdomains. */
    unfurlDomains: getStrings(features, 'unfurl_domains'),
    redirectUrls: getStrings(at('oauth_config'), 'redirect_urls'),
    isOrgDeployEnabled: settings.org_deploy_enabled === true,
    /** Whether the app's tokens expire and can be refreshed. */
    hasTokenRotation: settings.token_rotation_enabled === true,
    hasHomeTab: home.home_tab_enabled === true,
    /** Whether the app can send direct messages to people. */
    hasMessagesTab,
    /** Whether people can send direct messages to the app. */
    acceptsMessages: hasMessagesTab && home.messages_tab_read_only_enabled !== true,
    /** Whether the app is an assistant: people chat with it in threads of their direct message. */
    isAssistant: isRecord(features.assistant_view),
    /** The prompts that each new chat suggests. */
    suggestedPrompts: getRecords(assistant, 'suggested_prompts').map((entry) => ({
      title: readText(entry, 'title'),
      message: readText(entry, 'message'),
    })),
    functions: readStepFunctions(root),
  };
}
