import {
  requireDirectChannel,
  requireFewAttachments,
  requireFewUsers,
  requireKnownFile,
  requireMessagesTab,
  requireMetadataFormat,
  requireMetadataKeys,
  requireOneKindOfText,
  requireSmallMetadata,
} from './argument-checks.ts';
import type { Call } from './call.ts';

/** Checks of a method's arguments before the method runs, after its page in docs.slack.dev/reference/methods. */
interface MethodRules {
  /** In the order of their errors. */
  checks?: readonly ((call: Call) => void)[];
  /** Defaults to {@link DEFAULT_PAGE}. */
  page?: PageRules;
}

/** The number of items on a page. */
interface PageRules {
  defaultSize: number;
  maxSize: number;
  /** Whether Slack refuses other limits with `invalid_limit`. Otherwise it uses the default or the maximum. */
  isStrict: boolean;
}

const MESSAGE_CHECKS = [requireOneKindOfText, requireFewAttachments, requireSmallMetadata];

export const METHOD_RULES: Readonly<Record<string, MethodRules>> = {
  'chat.appendStream': { checks: [requireMessagesTab] },
  'chat.postEphemeral': { checks: [...MESSAGE_CHECKS, requireMessagesTab] },
  'chat.postMessage': { checks: [...MESSAGE_CHECKS, requireMessagesTab] },
  'chat.scheduleMessage': { checks: MESSAGE_CHECKS },
  'chat.startStream': { checks: [requireMessagesTab] },
  'chat.stopStream': { checks: [requireSmallMetadata, requireMessagesTab] },
  'chat.unfurl': { checks: [requireMetadataFormat] },
  'chat.update': { checks: MESSAGE_CHECKS },
  'conversations.history': { checks: [requireMetadataKeys] },
  // "Must be an integer under 1000". 1,000 itself was documented earlier, and works.
  'conversations.list': { page: { defaultSize: 100, maxSize: 1_000, isStrict: true } },
  'conversations.members': { page: { defaultSize: 100, maxSize: 1_000, isStrict: true } },
  'conversations.open': { checks: [requireFewUsers, requireDirectChannel] },
  'conversations.replies': { checks: [requireMetadataKeys] },
  'reactions.get': { checks: [requireKnownFile] },
  'reactions.remove': { checks: [requireKnownFile] },
  'users.conversations': { page: { defaultSize: 100, maxSize: 1_000, isStrict: true } },
  // "Providing no limit value will result in Slack attempting to deliver you the entire result set."
  'users.list': { page: { defaultSize: Infinity, maxSize: 1_000, isStrict: false } },
};

export const DEFAULT_PAGE: PageRules = { defaultSize: 100, maxSize: 1_000, isStrict: false };

/**
 * Methods whose only content type is application/x-www-form-urlencoded (docs.slack.dev/reference/methods, August 2026).
 * Slack ignores their JSON bodies, and answers as if the call had no arguments (kortix-ai/suna #6616,
 * opsknight-labs/OpsKnight #258).
 */
const FORM_METHODS = new Set(
  (
    'apps.uninstall auth.revoke bots.info chat.getPermalink conversations.info conversations.list ' +
    'conversations.members conversations.replies emoji.list files.getUploadURLExternal files.info oauth.v2.access ' +
    'pins.list reactions.get reactions.list usergroups.list usergroups.users.list users.conversations users.info ' +
    'users.list users.lookupByEmail users.profile.get'
  ).split(' '),
);

/** Whether Slack reads a JSON body of this method. */
export function takesJson(method: string): boolean {
  return !FORM_METHODS.has(method);
}

/**
 * The only method that refuses GET (docs.slack.dev/reference/methods/apps.connections.open, `insecure_request`). All
 * others read arguments from the query, the body or both (docs.slack.dev/apis/web-api, "Basic overview").
 */
export const POST_ONLY_METHOD = 'apps.connections.open';
