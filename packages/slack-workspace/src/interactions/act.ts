import { computeValues, findElement } from '../blocks/element-values.ts';
import { getDeliveryError } from '../deliver/app-connection.ts';
import { getString, isRecord, type Json } from '../json.ts';
import type { PageRequest } from '../page-request.ts';
import type { Channel, Container, OlderMessages } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { validateOptions } from '../rules/find-problems.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import { findAppByUser, isOwnView, listCommands, listShortcuts, listSteps } from '../state/apps.ts';
import { MAX_CLOCK_TIME } from '../state/clock.ts';
import { findChannel, findPerson, findVisibleChannel, openDirectMessage } from '../state/directory.ts';
import { findMessage, listMessages } from '../state/messages.ts';
import { makeResponseUrl, makeTrigger } from '../state/triggers-and-response-urls.ts';
import {
  buildViewObject,
  clearModals,
  closeModal,
  findHome,
  formatState,
  getModalStack,
} from '../state/views.ts';
import { changeChatContext, listChats, startChat } from './assistant.ts';
import { shareChannel, unshareChannel } from './change-channel.ts';
import { changePerson } from './change-person.ts';
import { buildMessageObject } from './message-object.ts';
import { buildChannelPart, buildInteractionPart, sendEvent } from './payloads.ts';
import { addReaction, removeReaction } from './pins-and-reactions.ts';
import { findSource, pressElement, requireAcknowledged } from './press-element.ts';
import { buildStepPart, runStep } from './run-step.ts';
import { submitView } from './submit-view.ts';
import { runCommand, sendTypedMessage } from './typed-input.ts';

/** Sends a shortcut from the + menu (`shortcut`) or from a message's menu (`message_action`) to the app. */
async function runShortcut(
  site: Site,
  person: string,
  callbackId: string,
  on?: { channel: string; ts: string },
): Promise<void> {
  const type = on ? 'message' : 'global';
  const found = listShortcuts(site, person).find(
    (entry) => entry.callbackId === callbackId && entry.type === type,
  );
  if (!found) throw new Refusal('not_found');
  const channel = on && findChannel(site, on.channel);
  const message = on && channel && findMessage(site, channel.id, on.ts);
  if (on && (!channel || !message)) throw new Refusal('message_not_found');
  const kind = on ? 'message_action' : 'shortcut';
  const payload = {
    ...buildInteractionPart(site, kind, person),
    action_ts: (site.now() / 1000).toFixed(6),
    callback_id: callbackId,
    trigger_id: makeTrigger(site, person),
    ...(channel && message
      ? {
          channel: buildChannelPart(channel),
          message_ts: message.ts,
          message: buildMessageObject(site, message),
          response_url: makeResponseUrl(site, { channel: channel.id, person }),
        }
      : {}),
  };
  const answer = await site.connection.deliver(callbackId, { type: 'interactive', payload });
  const error = getDeliveryError(answer);
  if (error === undefined) return;
  site.audience.sendTo([person], { type: 'notice', text: `${found.name} failed with the error "${error}"` });
  throw new Refusal(error);
}

function withOptionsState(site: Site, blocks: readonly Json[], { view, ...fields }: Json): Json {
  if (!isRecord(view)) return { ...fields };
  const { state, ...rest } = view;
  switch (site.optionsState) {
    case 'stale':
      return { ...fields, view: { ...view, state: formatState(site, computeValues(blocks, {})) } };
    case 'missing':
      return { ...fields, view: rest };
    case 'current':
      return { ...fields, view };
  }
}

/**
 * Requests the options of an external menu for the typed text. Resolves with `{ options }` or `{ option_groups }`.
 * Rejects if the app didn't acknowledge, or returned options that Slack refuses.
 */
async function requestOptions(
  site: Site,
  person: string,
  request: { container: Container; blockId: string; actionId: string; value: string },
): Promise<Json> {
  const { blockId, actionId, value } = request;
  const source = findSource(site, person, request.container, { blockId, values: {} });
  const placed = findElement(source.blocks, blockId, actionId);
  if (!placed) throw new Refusal('not_found');
  const minLength = placed.element.min_query_length ?? SLACK_LIMITS.minQueryLength.value;
  if (typeof minLength === 'number' && value.length < minLength) return { options: [] };
  const payload = {
    ...buildInteractionPart(site, 'block_suggestion', person, source.viewId !== undefined),
    ...withOptionsState(site, source.blocks, source.fields),
    action_id: actionId,
    block_id: blockId,
    value,
  };
  const label = `${actionId} “${value}”`;
  const answer = await site.connection.deliver(label, { type: 'interactive', payload });
  requireAcknowledged(answer);
  return validateOptions(answer.payload);
}

/** Slack sends the event each time, and the view only for Home (docs.slack.dev/reference/events/app_home_opened). */
function openAppTab(site: Site, person: string, tab: 'home' | 'messages'): void {
  // An app has a Home tab only if its manifest enables it (docs.slack.dev/surfaces/app-home).
  if (tab === 'home' && !site.manifest.hasHomeTab) throw new Refusal('not_enabled');
  const home = tab === 'home' ? findHome(site, person) : undefined;
  sendEvent(site, 'app_home_opened', {
    user: person,
    channel: openDirectMessage(site, person, site.state.app.botUserId).id,
    tab,
    ...(home ? { view: buildViewObject(site, home) } : {}),
  });
}

/** The number of older messages that the page gets at once. */
const MAX_OLDER_MESSAGES = 100;

/** The place of a message. */
interface At {
  channel: string;
  ts: string;
}

/** The newest messages before this ts in a channel, oldest first. */
function listOlderMessages(site: Site, person: string, { channel, ts: before }: At): OlderMessages {
  const { id } = requireChannel(site, person, channel, 'see');
  const older = listMessages(site, id, person).filter(
    ({ ts, ephemeralTo }) => Number(ts) < Number(before) && ephemeralTo === undefined,
  );
  return { messages: older.slice(-MAX_OLDER_MESSAGES), hasMore: older.length > MAX_OLDER_MESSAGES };
}

/** All messages of a thread, including its first. Throws `thread_not_found`. */
function listThread(site: Site, person: string, { channel, ts }: At): OlderMessages {
  const { id } = requireChannel(site, person, channel, 'see');
  const messages = listMessages(site, id, person).filter((each) => each.ts === ts || each.threadTs === ts);
  if (messages.length === 0) throw new Refusal('thread_not_found');
  return { messages, hasMore: false };
}

/** Finds the app that a request is for. Undefined for requests to the workspace itself. */
function findApp(site: Site, person: string, request: PageRequest): Site | undefined {
  switch (request.act) {
    case 'command': {
      const [command] = request.text.trim().split(/\s/);
      // Of two apps with the same command, Slack asks the one that was installed later
      // (docs.slack.dev/interactivity/implementing-slash-commands, "Naming your command").
      return site.apps.findLast((app) =>
        listCommands(app, person).some((entry) => entry.command === command),
      );
    }
    case 'shortcut': {
      const { callbackId, message } = request;
      const type = message ? 'message' : 'global';
      return filterApps(site, request.app).find((app) =>
        listShortcuts(app, person).some((entry) => entry.callbackId === callbackId && entry.type === type),
      );
    }
    case 'press':
    case 'options':
      return findAppOfContainer(site, person, request.container);
    case 'submit':
    case 'close':
      return findAppOfContainer(site, person, { type: 'view', viewId: request.viewId });
    case 'message': {
      const channel = findChannel(site, request.channel);
      return channel?.kind === 'im' ? findAppAmong(site, channel.members) : undefined;
    }
    case 'run-step':
      return filterApps(site, request.app).find((app) =>
        listSteps(app).some(({ callbackId }) => callbackId === request.callbackId),
      );
    case 'chat-context': {
      const chat = listChats(site, person).find(({ ts }) => ts === request.ts);
      return chat && findAppAmong(site, findChannel(site, chat.channel)?.members ?? []);
    }
    case 'start-chat':
    case 'home-opened':
    case 'messages-opened':
      return findAppByUser(site, request.app ?? '');
    default:
      return undefined;
  }
}

/** Returns all apps, or only the one with this bot user. */
function filterApps(site: Site, user: string | undefined): readonly Site[] {
  return user === undefined ? site.apps : site.apps.filter(({ state }) => state.app.botUserId === user);
}

function findAppOfContainer(site: Site, person: string, container: Container): Site | undefined {
  switch (container.type) {
    case 'home':
      return findAppByUser(site, container.app ?? '');
    case 'message':
      return findAppByUser(site, findMessage(site, container.channel, container.ts)?.user ?? '');
    case 'view': {
      const view = getModalStack(site, person).find(({ id }) => id === container.viewId);
      return view && site.apps.find((app) => isOwnView(app, view));
    }
  }
}

const findAppAmong = (site: Site, members: readonly string[]) =>
  site.apps.find(({ state }) => members.includes(state.app.botUserId));

/**
 * Closes a modal, or with `all` the whole stack, and notifies the app of views with `notify_on_close`. The payload has
 * no values: one that bolt-python recorded from Slack has an input block, but empty `state.values`
 * (tests/scenario_tests/test_view_closed.py).
 */
async function closeView(site: Site, person: string, viewId: string, all: boolean): Promise<void> {
  const stack = getModalStack(site, person);
  const stored = stack.find((entry) => entry.id === viewId);
  if (!stored) throw new Refusal('not_found');
  const isCleared = all || stored.view.clear_on_close === true;
  const closed = isCleared ? stack : stack.slice(stack.indexOf(stored));
  if (isCleared) clearModals(site, person);
  else closeModal(site, stored);
  const notified = closed.filter(({ view }) => view.notify_on_close === true);
  await Promise.all(
    notified.map((entry) => {
      const pointer = makeTrigger(site, person);
      const payload = {
        ...buildInteractionPart(site, 'view_closed', person),
        view: { ...buildViewObject(site, entry), state: { values: {} } },
        is_cleared: isCleared,
        response_urls: [],
        ...buildStepPart(site, person, { run: entry.run, pointer, isForm: true }),
      };
      const label = getString(entry.view, 'callback_id') ?? '';
      return site.connection.deliver(label, { type: 'interactive', payload });
    }),
  );
}

/** A channel that the person sees. To use it, it must be open, and to write there, they must be allowed to. */
function requireChannel(site: Site, person: string, id: string, right: 'see' | 'use' | 'write'): Channel {
  const channel = findVisibleChannel(site, id, person);
  if (!channel) throw new Refusal('channel_not_found');
  if (right !== 'see' && channel.archived === true) throw new Refusal('is_archived');
  const role = findPerson(site, person)?.role;
  if (right === 'write' && channel.restricted === true && role !== 'owner' && role !== 'admin')
    throw new Refusal('restricted_action');
  return channel;
}

function openDirectMessageWith(site: Site, person: string, user: string): { channel: Channel } {
  const other = findPerson(site, user);
  if (!other) throw new Refusal('user_not_found');
  if (other.deactivated === true) throw new Refusal('user_disabled');
  return { channel: openDirectMessage(site, person, user) };
}

function toggleReaction(
  site: Site,
  person: string,
  channel: Channel,
  on: { ts: string; name: string },
): void {
  const message = findMessage(site, channel.id, on.ts);
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  const reaction = message.reactions?.find(({ name }) => name === on.name);
  const change = reaction?.users.includes(person) ? removeReaction : addReaction;
  change(site, message, person, on.name);
}

function moveClock(site: Site, to: number | 'now'): void {
  if (to !== 'now' && (to < site.now() || to > MAX_CLOCK_TIME)) throw new Refusal('invalid_arguments');
  site.slack.setClock(to);
}

/** Changes the role of a person of this workspace who isn't its owner. */
function changeRole(site: Site, { person: id, role }: Extract<PageRequest, { act: 'change-role' }>): void {
  const person = findPerson(site, id);
  if (!person) throw new Refusal('user_not_found');
  if (person.role === 'owner' || person.isBot || person.from) throw new Refusal('not_allowed');
  changePerson(site, person, { role });
}

/**
 * Performs an action of a person on the page or in a test. Resolves when the app has acknowledged, with the data of the
 * result. Rejects with a {@link Refusal}, whose code the person sees.
 */
export async function act(workspace: Site, person: string, request: PageRequest): Promise<unknown> {
  const site = findApp(workspace, person, request) ?? workspace;
  switch (request.act) {
    case 'command':
      return runCommand(site, person, requireChannel(site, person, request.channel, 'use'), request.text);
    case 'message': {
      const channel = requireChannel(site, person, request.channel, 'write');
      return sendTypedMessage(site, person, channel, request);
    }
    case 'press':
      return pressElement(site, person, request);
    case 'submit':
      return submitView(site, person, request.viewId, request.values);
    case 'close':
      return closeView(site, person, request.viewId, request.all ?? false);
    case 'options':
      return requestOptions(site, person, request);
    case 'shortcut':
      return runShortcut(site, person, request.callbackId, request.message);
    case 'react':
      return toggleReaction(site, person, requireChannel(site, person, request.channel, 'use'), request);
    case 'start-chat':
      return startChat(site, person, request.channel);
    case 'chat-context':
      return changeChatContext(site, person, request.ts, request.channel);
    case 'run-step':
      return runStep(site, person, request.callbackId, request.inputs);
    case 'open-dm':
      return openDirectMessageWith(site, person, request.user);
    case 'history':
      return listOlderMessages(site, person, { channel: request.channel, ts: request.before });
    case 'replies':
      return listThread(site, person, request);
    case 'home-opened':
      return openAppTab(site, person, 'home');
    case 'messages-opened':
      return openAppTab(site, person, 'messages');
    case 'clock':
      return moveClock(site, request.to);
    case 'share-channel': {
      const change = request.isShared ? shareChannel : unshareChannel;
      return change(site, requireChannel(site, person, request.channel, 'see'), request.team);
    }
    case 'change-role':
      return changeRole(site, request);
    case 'fault':
      return site.switches.choose(request.switch, request.choice);
  }
}
