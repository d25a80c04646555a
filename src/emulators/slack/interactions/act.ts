import type { PageRequest } from '../page-request.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { MAX_CLOCK_TIME } from '../state/clock.ts';
import { canSee, findChannel, findPerson, openDirectMessage } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import { changeChatContext, startChat } from './assistant.ts';
import { closeView } from './close-view.ts';
import { findAppOfRequest } from './find-app-of-request.ts';
import { listOlderMessages, listThread } from './older-messages.ts';
import { openAppTab } from './open-app-tab.ts';
import { pressElement } from './press-element.ts';
import { addReaction, removeReaction } from './reactions.ts';
import { requestOptions } from './request-options.ts';
import { runCommand } from './run-command.ts';
import { runShortcut } from './run-shortcut.ts';
import { runStep } from './run-step.ts';
import { sendTypedMessage } from './send-typed-message.ts';
import { submitView } from './submit-view.ts';

function requireVisibleChannel(site: Site, person: string, id: string): Channel {
  const channel = findChannel(site, id);
  if (!channel || !canSee(site, channel, person)) throw new Refusal('channel_not_found');
  return channel;
}

/** A visible channel that isn't archived. */
function requireOpenChannel(site: Site, person: string, id: string): Channel {
  const channel = requireVisibleChannel(site, person, id);
  if (channel.archived === true) throw new Refusal('is_archived');
  return channel;
}

/** An open channel in which this person may write. */
function requireWritableChannel(site: Site, person: string, id: string): Channel {
  const channel = requireOpenChannel(site, person, id);
  const role = findPerson(site, person)?.role;
  if (channel.restricted === true && role !== 'owner' && role !== 'admin')
    throw new Refusal('restricted_action');
  return channel;
}

function openDirectMessageWith(site: Site, person: string, user: string): { channel: Channel } {
  const other = findPerson(site, user);
  if (!other) throw new Refusal('user_not_found');
  if (other.deactivated === true) throw new Refusal('user_disabled');
  return { channel: openDirectMessage(site, person, user) };
}

/** Adds a reaction of this person, or removes it if it is there. */
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

/** Moves the clock forward, or back to the computer's time. */
function moveClock(site: Site, to: number | 'now'): void {
  if (to !== 'now' && (to < site.now() || to > MAX_CLOCK_TIME)) throw new Refusal('invalid_arguments');
  site.slack.setClock(to);
}

/**
 * Performs an action of a person on the page or in a test. Resolves when the app has acknowledged, with the data of the
 * result. Rejects with a {@link Refusal}, whose code the person sees.
 */
export async function act(workspace: Site, person: string, request: PageRequest): Promise<unknown> {
  const site = findAppOfRequest(workspace, person, request);
  switch (request.act) {
    case 'command':
      return runCommand(site, person, requireOpenChannel(site, person, request.channel), request.text);
    case 'message':
      return sendTypedMessage(
        site,
        person,
        requireWritableChannel(site, person, request.channel),
        request.text,
        request.threadTs,
      );
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
      return toggleReaction(site, person, requireOpenChannel(site, person, request.channel), request);
    case 'start-chat':
      return startChat(site, person, request.channel);
    case 'chat-context':
      return changeChatContext(site, person, request.ts, request.channel);
    case 'run-step':
      return runStep(site, person, request.callbackId, request.inputs);
    case 'open-dm':
      return openDirectMessageWith(site, person, request.user);
    case 'history':
      return listOlderMessages(
        site,
        person,
        requireVisibleChannel(site, person, request.channel).id,
        request.before,
      );
    case 'replies':
      return listThread(site, person, requireVisibleChannel(site, person, request.channel).id, request.ts);
    case 'home-opened':
      return openAppTab(site, person, 'home');
    case 'messages-opened':
      return openAppTab(site, person, 'messages');
    case 'clock':
      return moveClock(site, request.to);
    case 'fault':
      return site.switches.choose(request.switch, request.choice);
  }
}
