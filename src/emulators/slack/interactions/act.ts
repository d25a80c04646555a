import type { PageRequest } from '../page-request.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel, findPerson, openDirectMessage } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import { appFor } from './app-for.ts';
import { changeContext, startChat } from './assistant.ts';
import { closeView } from './close-view.ts';
import { runCommand } from './command.ts';
import { appOpened, say } from './events.ts';
import { olderMessages, wholeThread } from './older-messages.ts';
import { askOptions } from './options.ts';
import { press } from './press.ts';
import { addReaction, removeReaction } from './reactions.ts';
import { runShortcut } from './shortcut.ts';
import { runStep } from './steps.ts';
import { submit } from './submit.ts';

/** Whatever is further ahead is a mistake: the end of the year 2099. */
const LAST_MOMENT = Date.UTC(2100, 0, 1);

function channelFor(site: Site, person: string, id: string): Channel {
  const channel = findChannel(site, id);
  if (!channel || !canSee(site, channel, person)) throw new Refusal('channel_not_found');
  return channel;
}

/** One in which somebody can still write. */
function openChannelFor(site: Site, person: string, id: string): Channel {
  const channel = channelFor(site, person, id);
  if (channel.archived === true) throw new Refusal('is_archived');
  return channel;
}

/** One in which this person may write. */
function writableChannelFor(site: Site, person: string, id: string): Channel {
  const channel = openChannelFor(site, person, id);
  const role = findPerson(site, person)?.role;
  if (channel.restricted === true && role !== 'owner' && role !== 'admin')
    throw new Refusal('restricted_action');
  return channel;
}

function openDm(site: Site, person: string, user: string): { channel: Channel } {
  const other = findPerson(site, user);
  if (!other) throw new Refusal('user_not_found');
  if (other.deactivated === true) throw new Refusal('user_disabled');
  return { channel: openDirectMessage(site, person, user) };
}

/** A press on an emoji of a message. */
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

/** It goes on, never back; but the computer's own time can be had again. */
function moveClock(site: Site, to: number | 'now'): void {
  if (to !== 'now' && (to < site.now() || to > LAST_MOMENT)) throw new Refusal('invalid_arguments');
  site.slack.setClock(to);
}

/**
 * What a person does, on the page or in a test. Resolves when the app has acknowledged, with the data of the
 * answer; refuses with what to tell the person.
 */
export function act(site: Site, person: string, request: PageRequest): Promise<unknown> {
  return site.slack.recorder.recordAction(site, person, request, () =>
    perform(appFor(site, person, request), person, request),
  );
}

async function perform(site: Site, person: string, request: PageRequest): Promise<unknown> {
  switch (request.act) {
    case 'command':
      return runCommand(site, person, openChannelFor(site, person, request.channel), request.text);
    case 'message':
      return say(
        site,
        person,
        writableChannelFor(site, person, request.channel),
        request.text,
        request.threadTs,
      );
    case 'press':
      return press(site, person, request);
    case 'submit':
      return submit(site, person, request.viewId, request.values);
    case 'close':
      return closeView(site, person, request.viewId, request.all ?? false);
    case 'options':
      return askOptions(site, person, request);
    case 'shortcut':
      return runShortcut(site, person, request.callbackId, request.message);
    case 'react':
      return toggleReaction(site, person, openChannelFor(site, person, request.channel), request);
    case 'start-chat':
      return startChat(site, person, request.channel);
    case 'chat-context':
      return changeContext(site, person, request.ts, request.channel);
    case 'run-step':
      return runStep(site, person, request.callbackId, request.inputs);
    case 'open-dm':
      return openDm(site, person, request.user);
    case 'history':
      return olderMessages(site, person, channelFor(site, person, request.channel).id, request.before);
    case 'replies':
      return wholeThread(site, person, channelFor(site, person, request.channel).id, request.ts);
    case 'home-opened':
      return appOpened(site, person, 'home');
    case 'messages-opened':
      return appOpened(site, person, 'messages');
    case 'clock':
      return moveClock(site, request.to);
    case 'fault':
      return site.switches.choose(request.switch, request.choice);
  }
}
