import type { Channel, PageRequest } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, channelById, directMessage, personById } from '../state/directory.ts';
import { closeView } from './close-view.ts';
import { runCommand } from './command.ts';
import { homeOpened, say } from './events.ts';
import { askOptions } from './options.ts';
import { press } from './press.ts';
import { runShortcut } from './shortcut.ts';
import { submit } from './submit.ts';

function channelFor(site: Site, person: string, id: string): Channel {
  const channel = channelById(site, id);
  if (!channel || !canSee(channel, person)) throw new Refusal('channel_not_found');
  return channel;
}

function openDm(site: Site, person: string, user: string): { channel: Channel } {
  if (!personById(site, user)) throw new Refusal('user_not_found');
  return { channel: directMessage(site, person, user) };
}

/**
 * What a person does, on the page or in a test. Resolves when the app has acknowledged, with the data of the
 * answer; refuses with what to tell the person.
 */
export async function act(site: Site, person: string, request: PageRequest): Promise<unknown> {
  switch (request.act) {
    case 'command':
      return runCommand(site, person, channelFor(site, person, request.channel), request.text);
    case 'message':
      return say(site, person, channelFor(site, person, request.channel), request.text, request.threadTs);
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
    case 'open-dm':
      return openDm(site, person, request.user);
    case 'home-opened':
      return homeOpened(site, person);
  }
}
