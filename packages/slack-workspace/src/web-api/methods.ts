import { revokeGrant, uninstallApp } from '../interactions/installation.ts';
import { addPin, buildPinObject, listPinnedMessages, removePin } from '../interactions/pins-and-reactions.ts';
import { completeStep, failStep, findOwnStepRun } from '../interactions/run-step.ts';
import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { findOrganisation } from '../state/apps.ts';
import { findPerson } from '../state/directory.ts';
import type { StepRun } from '../state/saved-state.ts';
import { ASSISTANT_METHODS } from './assistant.ts';
import {
  acceptToken,
  bot,
  type Call,
  type MethodEntry,
  type Methods,
  readChannel,
  readItem,
} from './call.ts';
import { CHANNEL_METHODS } from './change-channels.ts';
import { CHAT_METHODS } from './chat.ts';
import { CONVERSATION_METHODS } from './conversations.ts';
import { DIRECTORY_METHODS } from './directory.ts';
import { FILE_METHODS } from './files.ts';
import { OAUTH_METHODS, requireClient } from './oauth.ts';
import { REACTION_METHODS } from './reactions.ts';
import { SCHEDULE_METHODS } from './scheduled-messages.ts';
import { STREAM_METHODS } from './streams.ts';
import { VIEW_METHODS } from './views.ts';

/** Reads the id of a running step of this app. A step's token is valid only for this step. */
function readRunningStep(call: Call): StepRun {
  const run = findOwnStepRun(call.site, call.readRequired('function_execution_id'));
  if (!run) throw new Refusal('function_execution_not_found');
  const runOfToken = call.grant?.run;
  if (runOfToken !== undefined && runOfToken !== run.id) throw new Refusal('access_denied');
  if (run.state !== 'running') throw new Refusal('execution_not_in_running_state');
  return run;
}

const OWN_METHODS: Methods = {
  /**
   * Returns the user and workspace of the token. An organisation's token belongs to none of its workspaces. An app-level
   * token belongs only to the app (docs.slack.dev/reference/methods/auth.test, "App-level tokens").
   */
  'auth.test': acceptToken('any', 'special', ({ site, grant }) => {
    const { team, app } = site.state;
    if (!grant) return { app_id: app.id, app_name: site.manifest.name };
    const organisation = findOrganisation(site);
    const orgWide = organisation !== undefined && grant.holder === organisation.id;
    const user = grant.user;
    return {
      url: `${site.url}/`,
      team: orgWide ? organisation.name : team.name,
      user: findPerson(site, user)?.name ?? '',
      team_id: orgWide ? organisation.id : team.id,
      user_id: user,
      ...(grant.kind === 'user' ? {} : { bot_id: app.botId }),
      ...(organisation ? { enterprise_id: organisation.id } : {}),
      is_enterprise_install: orgWide,
    };
  }),
  /** Revokes the token of the call, unless `test` is set. */
  'auth.revoke': acceptToken('bot or user', 3, (call) => {
    const isTest = call.readFlag('test');
    if (!isTest && call.grant) revokeGrant(call.site, call.grant);
    return { revoked: !isTest };
  }),
  /** Returns its arguments. With `error`, it fails with that error. */
  'api.test': acceptToken('none', 4, ({ args }) => {
    if (typeof args.error === 'string') throw new Refusal(args.error, { args });
    return Object.keys(args).length > 0 ? { args } : {};
  }),
  'pins.add': bot(2, ['pins:write'], (call) => {
    addPin(call.site, readItem(call), call.botUser);
  }),
  'pins.remove': bot(2, ['pins:write'], (call) => {
    removePin(call.site, readItem(call), call.botUser);
  }),
  /** Returns all pins, since this list has no pages. */
  'pins.list': bot(2, ['pins:read'], (call) => {
    const pinned = listPinnedMessages(call.site, readChannel(call).id);
    return {
      items: pinned.flatMap((message) =>
        message.pinned ? [buildPinObject(call.site, message, message.pinned)] : [],
      ),
    };
  }),
  'functions.completeSuccess': bot(3, [], (call) => {
    const run = readRunningStep(call);
    const outputs = call.readJson('outputs', 'invalid_arguments') ?? call.readRequired('outputs');
    if (!isRecord(outputs)) throw new Refusal('invalid_arguments');
    completeStep(call.site, run, outputs);
  }),
  'functions.completeError': bot(3, [], (call) => {
    failStep(call.site, readRunningStep(call), call.readRequired('error'));
  }),
  /** Returns the address of a Socket Mode connection. Its ticket works once. */
  'apps.connections.open': acceptToken('app', 3, ({ site }) => {
    if (!site.sockets) throw new Refusal('socket_mode_not_enabled');
    return { url: `${site.url.replace('http:', 'ws:')}/link?ticket=${site.sockets.createTicket()}` };
  }),
  'apps.uninstall': acceptToken('bot or user', 1, (call) => {
    requireClient(call);
    uninstallApp(call.site);
  }),
};

/** All methods of the emulator. Their tokens, scopes and tiers are those of docs.slack.dev/reference/methods. */
export const METHODS: ReadonlyMap<string, MethodEntry> = new Map(
  Object.entries({
    ...OWN_METHODS,
    ...ASSISTANT_METHODS,
    ...CHAT_METHODS,
    ...STREAM_METHODS,
    ...SCHEDULE_METHODS,
    ...CONVERSATION_METHODS,
    ...CHANNEL_METHODS,
    ...DIRECTORY_METHODS,
    ...FILE_METHODS,
    ...OAUTH_METHODS,
    ...REACTION_METHODS,
    ...VIEW_METHODS,
  }),
);
