import type { PageRequest } from '../page-request.ts';
import type { Container } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser, isOwnView } from '../state/apps.ts';
import { findChannel } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import { getModalStack } from '../state/modals.ts';
import { listChats } from './assistant.ts';
import { listCommands, listShortcuts, listSteps } from './available-commands.ts';

/** Finds the app that a request is for. Returns the first app for requests to the workspace itself. */
export function findAppOfRequest(site: Site, person: string, request: PageRequest): Site {
  return findOtherApp(site, person, request) ?? site;
}

function findOtherApp(site: Site, person: string, request: PageRequest): Site | undefined {
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
