import { revokeGrant, uninstallApp } from '../interactions/installation.ts';
import { addPin, buildPinObject, listPinnedMessages, removePin } from '../interactions/pins-and-reactions.ts';
import { completeStep, failStep, findOwnStepRun } from '../interactions/run-step.ts';
import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { findOrganisation } from '../state/apps.ts';
import { findPerson } from '../state/directory.ts';
import type { Tier } from '../state/rate-limits.ts';
import type { StepRun } from '../state/saved-state.ts';
import {
  assistantThreadsSetStatus,
  assistantThreadsSetSuggestedPrompts,
  assistantThreadsSetTitle,
} from './assistant.ts';
import { type Call, type Method, readChannel, readFlag, readItem, readJson, readRequired } from './call.ts';
import {
  conversationsArchive,
  conversationsCreate,
  conversationsInvite,
  conversationsKick,
  conversationsLeave,
  conversationsRename,
  conversationsSetPurpose,
  conversationsSetTopic,
  conversationsUnarchive,
} from './change-channels.ts';
import {
  chatDelete,
  chatGetPermalink,
  chatPostEphemeral,
  chatPostMessage,
  chatUnfurl,
  chatUpdate,
} from './chat.ts';
import {
  conversationsHistory,
  conversationsInfo,
  conversationsJoin,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  conversationsReplies,
  usersConversations,
} from './conversations.ts';
import {
  botsInfo,
  emojiList,
  teamInfo,
  usergroupsList,
  usergroupsUsersList,
  usersInfo,
  usersList,
  usersLookupByEmail,
  usersProfileGet,
} from './directory.ts';
import { filesCompleteUploadExternal, filesDelete, filesGetUploadURLExternal, filesInfo } from './files.ts';
import { oauthAccess, requireClient } from './oauth.ts';
import { reactionsAdd, reactionsGet, reactionsList, reactionsRemove } from './reactions.ts';
import {
  chatDeleteScheduledMessage,
  chatScheduledMessagesList,
  chatScheduleMessage,
} from './scheduled-messages.ts';
import { chatAppendStream, chatStartStream, chatStopStream } from './streams.ts';
import { viewsOpen, viewsPublish, viewsPush, viewsUpdate } from './views.ts';

/**
 * Returns the user and workspace of the token. An organisation's token belongs to none of its workspaces. An app-level
 * token belongs only to the app (docs.slack.dev/reference/methods/auth.test, "App-level tokens").
 */
const authTest: Method = ({ site, grant }) => {
  const { team, app } = site.state;
  if (!grant) return { app_id: app.id, app_name: site.manifest.name };
  const organisation = findOrganisation(site);
  const orgWide = organisation !== undefined && grant?.holder === organisation.id;
  const user = grant?.user ?? app.botUserId;
  return {
    url: `${site.url}/`,
    team: orgWide ? organisation.name : team.name,
    user: findPerson(site, user)?.name ?? '',
    team_id: orgWide ? organisation.id : team.id,
    user_id: user,
    ...(grant?.kind === 'user' ? {} : { bot_id: app.botId }),
    ...(organisation ? { enterprise_id: organisation.id } : {}),
    is_enterprise_install: orgWide,
  };
};

/** Revokes the token of the call, unless `test` is set. */
const authRevoke: Method = (call) => {
  const isTest = readFlag(call, 'test');
  if (!isTest && call.grant) revokeGrant(call.site, call.grant);
  return { revoked: !isTest };
};

/** Returns its arguments. With `error`, it fails with that error. */
const apiTest: Method = ({ args }) => {
  if (typeof args.error === 'string') throw new Refusal(args.error, { args });
  return Object.keys(args).length > 0 ? { args } : {};
};

const pinsAdd: Method = (call) => {
  addPin(call.site, readItem(call), call.site.state.app.botUserId);
  return {};
};

const pinsRemove: Method = (call) => {
  removePin(call.site, readItem(call), call.site.state.app.botUserId);
  return {};
};

/** Returns all pins, since this list has no pages. */
const pinsList: Method = (call) => {
  const pinned = listPinnedMessages(call.site, readChannel(call).id);
  return {
    items: pinned.flatMap((message) =>
      message.pinned ? [buildPinObject(call.site, message, message.pinned)] : [],
    ),
  };
};

/** Reads the id of a running step of this app. A step's token is valid only for this step. */
function readRunningStep(call: Call): StepRun {
  const run = findOwnStepRun(call.site, readRequired(call, 'function_execution_id'));
  if (!run) throw new Refusal('function_execution_not_found');
  const runOfToken = call.grant?.run;
  if (runOfToken !== undefined && runOfToken !== run.id) throw new Refusal('access_denied');
  if (run.state !== 'running') throw new Refusal('execution_not_in_running_state');
  return run;
}

const functionsCompleteSuccess: Method = (call) => {
  const run = readRunningStep(call);
  const outputs = readJson(call, 'outputs', 'invalid_arguments') ?? readRequired(call, 'outputs');
  if (!isRecord(outputs)) throw new Refusal('invalid_arguments');
  completeStep(call.site, run, outputs);
  return {};
};

const functionsCompleteError: Method = (call) => {
  const run = readRunningStep(call);
  failStep(call.site, run, readRequired(call, 'error'));
  return {};
};

/** Returns the address of a Socket Mode connection. Its ticket works once. */
const appsConnectionsOpen: Method = ({ site }) => {
  if (!site.sockets) throw new Refusal('socket_mode_not_enabled');
  return { url: `${site.url.replace('http:', 'ws:')}/link?ticket=${site.sockets.createTicket()}` };
};

const appsUninstall: Method = (call) => {
  requireClient(call);
  uninstallApp(call.site);
  return {};
};

export interface MethodEntry {
  run: Method;
  token: 'bot' | 'bot or user' | 'app' | 'any' | 'none';
  /** The call needs one of these scopes. Empty if it needs none. */
  scopes: readonly string[];
  /** Slack's rate limit, if the workspace enforces rate limits. */
  tier: Tier;
}

const bot = (run: Method, tier: Tier, ...scopes: string[]): MethodEntry => ({
  run,
  token: 'bot',
  scopes,
  tier,
});
// Which of these scopes a call needs depends on the kind of conversation: see requireScopeIn and requireWriteIn.
const READ_SCOPES = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const OPEN_SCOPES = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];
const MANAGE_SCOPES = ['channels:manage', 'channels:write', 'groups:write', 'im:write', 'mpim:write'];
const INVITE_SCOPES = [
  'channels:manage',
  'channels:write.invites',
  'groups:write',
  'groups:write.invites',
  'im:write',
  'mpim:write',
];
const TOPIC_SCOPES = [
  'channels:manage',
  'channels:write.topic',
  'groups:write',
  'groups:write.topic',
  'im:write',
  'im:write.topic',
  'mpim:write',
  'mpim:write.topic',
];
const HISTORY_SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

/** All methods of the emulator. Their tokens, scopes and tiers are those of docs.slack.dev/reference/methods. */
export const METHODS: ReadonlyMap<string, MethodEntry> = new Map([
  ['api.test', { run: apiTest, token: 'none', scopes: [], tier: 4 }],
  ['apps.connections.open', { run: appsConnectionsOpen, token: 'app', scopes: [], tier: 3 }],
  ['apps.uninstall', { run: appsUninstall, token: 'bot or user', scopes: [], tier: 1 }],
  ['assistant.threads.setStatus', bot(assistantThreadsSetStatus, 'special', 'chat:write')],
  ['assistant.threads.setSuggestedPrompts', bot(assistantThreadsSetSuggestedPrompts, 4, 'assistant:write')],
  ['assistant.threads.setTitle', bot(assistantThreadsSetTitle, 4, 'assistant:write')],
  ['auth.revoke', { run: authRevoke, token: 'bot or user', scopes: [], tier: 3 }],
  ['auth.test', { run: authTest, token: 'any', scopes: [], tier: 'special' }],
  ['bots.info', bot(botsInfo, 3, 'users:read')],
  ['chat.appendStream', bot(chatAppendStream, 4, 'chat:write')],
  ['chat.delete', bot(chatDelete, 3, 'chat:write')],
  ['chat.deleteScheduledMessage', bot(chatDeleteScheduledMessage, 3, 'chat:write')],
  ['chat.getPermalink', bot(chatGetPermalink, 'special')],
  ['chat.postEphemeral', bot(chatPostEphemeral, 4, 'chat:write')],
  ['chat.postMessage', bot(chatPostMessage, 'posting', 'chat:write')],
  ['chat.scheduleMessage', bot(chatScheduleMessage, 3, 'chat:write')],
  ['chat.scheduledMessages.list', bot(chatScheduledMessagesList, 3)],
  ['chat.startStream', bot(chatStartStream, 2, 'chat:write')],
  ['chat.stopStream', bot(chatStopStream, 2, 'chat:write')],
  ['chat.unfurl', bot(chatUnfurl, 3, 'links:write')],
  ['chat.update', bot(chatUpdate, 3, 'chat:write')],
  ['conversations.archive', bot(conversationsArchive, 2, ...MANAGE_SCOPES)],
  ['conversations.create', bot(conversationsCreate, 2, ...MANAGE_SCOPES)],
  ['conversations.history', bot(conversationsHistory, 3, ...HISTORY_SCOPES)],
  ['conversations.info', bot(conversationsInfo, 3, ...READ_SCOPES)],
  ['conversations.invite', bot(conversationsInvite, 3, ...INVITE_SCOPES)],
  ['conversations.join', bot(conversationsJoin, 3, 'channels:join')],
  ['conversations.kick', bot(conversationsKick, 3, 'channels:manage', 'groups:write')],
  ['conversations.leave', bot(conversationsLeave, 3, ...MANAGE_SCOPES)],
  ['conversations.list', bot(conversationsList, 2, ...READ_SCOPES)],
  ['conversations.members', bot(conversationsMembers, 4, ...READ_SCOPES)],
  ['conversations.open', bot(conversationsOpen, 3, ...OPEN_SCOPES)],
  ['conversations.rename', bot(conversationsRename, 2, ...MANAGE_SCOPES)],
  ['conversations.replies', bot(conversationsReplies, 3, ...HISTORY_SCOPES)],
  ['conversations.setPurpose', bot(conversationsSetPurpose, 2, ...TOPIC_SCOPES)],
  ['conversations.setTopic', bot(conversationsSetTopic, 2, ...TOPIC_SCOPES)],
  ['conversations.unarchive', bot(conversationsUnarchive, 2, ...MANAGE_SCOPES)],
  ['emoji.list', bot(emojiList, 2, 'emoji:read')],
  ['files.completeUploadExternal', bot(filesCompleteUploadExternal, 4, 'files:write')],
  ['files.delete', bot(filesDelete, 3, 'files:write')],
  ['files.getUploadURLExternal', bot(filesGetUploadURLExternal, 4, 'files:write')],
  ['files.info', bot(filesInfo, 4, 'files:read')],
  ['functions.completeError', bot(functionsCompleteError, 3)],
  ['functions.completeSuccess', bot(functionsCompleteSuccess, 3)],
  ['oauth.v2.access', { run: oauthAccess, token: 'none', scopes: [], tier: 'special' }],
  ['pins.add', bot(pinsAdd, 2, 'pins:write')],
  ['pins.list', bot(pinsList, 2, 'pins:read')],
  ['pins.remove', bot(pinsRemove, 2, 'pins:write')],
  ['reactions.add', bot(reactionsAdd, 3, 'reactions:write')],
  ['reactions.get', bot(reactionsGet, 3, 'reactions:read')],
  ['reactions.list', bot(reactionsList, 2, 'reactions:read')],
  ['reactions.remove', bot(reactionsRemove, 2, 'reactions:write')],
  ['team.info', bot(teamInfo, 3, 'team:read')],
  ['usergroups.list', bot(usergroupsList, 2, 'usergroups:read')],
  ['usergroups.users.list', bot(usergroupsUsersList, 2, 'usergroups:read')],
  ['users.conversations', bot(usersConversations, 3, ...READ_SCOPES)],
  ['users.info', bot(usersInfo, 4, 'users:read')],
  ['users.list', bot(usersList, 2, 'users:read')],
  ['users.lookupByEmail', bot(usersLookupByEmail, 3, 'users:read.email')],
  ['users.profile.get', bot(usersProfileGet, 4, 'users.profile:read')],
  ['views.open', bot(viewsOpen, 4)],
  ['views.publish', bot(viewsPublish, 4)],
  ['views.push', bot(viewsPush, 4)],
  ['views.update', bot(viewsUpdate, 4)],
]);
