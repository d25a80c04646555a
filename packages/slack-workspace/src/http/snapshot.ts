import { listChats } from '../interactions/assistant.ts';
import { listStepRuns } from '../interactions/run-step.ts';
import { listVisibleStatuses } from '../interactions/statuses.ts';
import type { PageApp, PageHome, Snapshot, WithApp } from '../protocol.ts';
import type { Site } from '../site.ts';
import { listCommands, listShortcuts, listSteps } from '../state/apps.ts';
import { findPersonOrOwner, listVisibleChannels } from '../state/directory.ts';
import { listMessages } from '../state/messages.ts';
import { findHome, listOpenViews } from '../state/views.ts';
import { MAX_RECORDS } from '../traffic/traffic-log.ts';

/** For each channel. The page loads older messages when it needs them. */
const MAX_MESSAGES = 200;

function describeApp({ manifest, state, connection }: Site): PageApp {
  return {
    name: manifest.name,
    description: manifest.description,
    botUserId: state.app.botUserId,
    connected: connection.connected,
    isAssistant: manifest.isAssistant,
    hasHome: manifest.hasHomeTab,
  };
}

function listHomes({ apps }: Site, person: string): Record<string, PageHome> {
  const homes = apps.flatMap((app) => {
    const home = findHome(app, person);
    return home ? [[app.state.app.botUserId, { view: home.view, hash: home.hash }] as const] : [];
  });
  return Object.fromEntries(homes);
}

/** Lists the entries of all apps, each with its app. */
function listForApps<T>({ apps }: Site, list: (app: Site) => readonly T[]): (T & WithApp)[] {
  return apps.flatMap((app) => {
    const { id, botUserId } = app.state.app;
    return list(app).map((entry) => ({ ...entry, app: id, botUserId }));
  });
}

export function buildSnapshot(site: Site, person: string): Snapshot {
  const { state } = site;
  const [first = site, ...others] = site.apps;
  const { sites } = site.slack;
  const channels = listVisibleChannels(site, person);
  // As in Slack, ephemeral messages are lost when the page is loaded again.
  const all = channels.map(({ id }) => {
    const messages = listMessages(site, id, person).filter(({ ephemeralTo }) => ephemeralTo === undefined);
    return [id, messages] as const;
  });
  return {
    type: 'snapshot',
    team: { id: state.team.id, name: state.team.name },
    ...(sites.length > 1
      ? { teams: sites.map((each) => ({ id: each.state.team.id, name: each.state.team.name })) }
      : {}),
    me: findPersonOrOwner(site, person),
    apps: [describeApp(first), ...others.map(describeApp)],
    homes: listHomes(site, person),
    people: state.people,
    channels,
    commands: site.apps.flatMap((app) => listCommands(app, person)),
    shortcuts: listForApps(site, (app) => listShortcuts(app, person)),
    messages: Object.fromEntries(all.map(([id, messages]) => [id, messages.slice(-MAX_MESSAGES)])),
    older: all.filter(([, messages]) => messages.length > MAX_MESSAGES).map(([id]) => id),
    now: site.now(),
    faults: site.switches.all,
    maxRecords: MAX_RECORDS,
    chats: listChats(site, person),
    steps: listForApps(site, listSteps),
    stepRuns: listStepRuns(site, person),
    statuses: listVisibleStatuses(site, person),
    views: listOpenViews(site, person),
  };
}
