import {
  demandDirectChannel,
  demandFewAttachments,
  demandFewUsers,
  demandKnownFile,
  demandMessagesTab,
  demandMetadataFormat,
  demandMetadataKeys,
  demandOneKindOfText,
  demandSmallMetadata,
} from './argument-checks.ts';
import type { Call } from './call.ts';

/**
 * What Slack's reference says about the arguments of each method, beyond what the method itself reads
 * (docs.slack.dev/reference/methods/…). A method without a row follows the defaults.
 */
interface MethodRules {
  /** Refusals that come before the method runs, in this order. */
  checks?: readonly ((call: Call) => void)[];
  /** Pages of lists. */
  page?: PageRules;
}

interface PageRules {
  /** Entries of a page if the call doesn't say. */
  usual: number;
  max: number;
  /** Refuses other limits with `invalid_limit`. Without it, Slack takes the usual or the largest page. */
  isStrict: boolean;
}

const MESSAGE = [demandOneKindOfText, demandFewAttachments, demandSmallMetadata];

export const METHOD_RULES: Readonly<Record<string, MethodRules>> = {
  'chat.appendStream': { checks: [demandMessagesTab] },
  'chat.postEphemeral': { checks: [...MESSAGE, demandMessagesTab] },
  'chat.postMessage': { checks: [...MESSAGE, demandMessagesTab] },
  'chat.scheduleMessage': { checks: MESSAGE },
  'chat.startStream': { checks: [demandMessagesTab] },
  'chat.stopStream': { checks: [demandSmallMetadata, demandMessagesTab] },
  'chat.unfurl': { checks: [demandMetadataFormat] },
  'chat.update': { checks: MESSAGE },
  'conversations.history': { checks: [demandMetadataKeys] },
  // "Must be an integer under 1000"; 1,000 itself was documented before and works.
  'conversations.list': { page: { usual: 100, max: 1_000, isStrict: true } },
  'conversations.members': { page: { usual: 100, max: 1_000, isStrict: true } },
  'conversations.open': { checks: [demandFewUsers, demandDirectChannel] },
  'conversations.replies': { checks: [demandMetadataKeys] },
  'reactions.get': { checks: [demandKnownFile] },
  'reactions.remove': { checks: [demandKnownFile] },
  'users.conversations': { page: { usual: 100, max: 1_000, isStrict: true } },
  // "Providing no limit value will result in Slack attempting to deliver you the entire result set."
  'users.list': { page: { usual: Infinity, max: 1_000, isStrict: false } },
};

export const DEFAULT_PAGE: PageRules = { usual: 100, max: 1_000, isStrict: false };

/**
 * Methods whose only content type is application/x-www-form-urlencoded (docs.slack.dev/reference/methods, August 2026).
 * Slack drops their JSON bodies, and answers as if no arguments were given (kortix-ai/suna #6616,
 * opsknight-labs/OpsKnight #258).
 */
const FORM_ONLY = new Set(
  (
    'apps.uninstall auth.revoke bots.info chat.getPermalink conversations.info conversations.list ' +
    'conversations.members conversations.replies emoji.list files.getUploadURLExternal files.info oauth.v2.access ' +
    'pins.list reactions.get reactions.list usergroups.list usergroups.users.list users.conversations users.info ' +
    'users.list users.lookupByEmail users.profile.get'
  ).split(' '),
);

export function takesJson(method: string): boolean {
  return !FORM_ONLY.has(method);
}

/**
 * The only method that refuses GET (docs.slack.dev/reference/methods/apps.connections.open, `insecure_request`). All
 * others take arguments from the address, a body or both (docs.slack.dev/apis/web-api, "Basic overview").
 */
export const POST_ONLY = 'apps.connections.open';
