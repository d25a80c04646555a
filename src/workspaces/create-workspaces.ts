import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption, Entry } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Log } from '../slack/log.ts';
import { inert, type Message } from '../slack/message.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { notifyUsers } from '../slack/tell-people.ts';
import type { BotSchema } from '../store/schema.ts';
import { createCredentials } from './credentials.ts';
import { createDepartures, type Departures } from './departures.ts';
import type { Granted } from './install/slack-oauth.ts';
import { manyWorkspaces } from './many-workspaces.ts';
import { onlyWorkspace } from './only-workspace.ts';
import type { Presence } from './presence.ts';
import { createRetention } from './retention.ts';
import type { ServiceAccess } from './service-addresses.ts';
import { createServices, type Services } from './services.ts';
import { slackClients } from './slack-clients.ts';
import { refusals } from './tell-refused.ts';

interface WorkspacesOptions {
  slack: SlackConnection;
  clientOptions: WebClientOptions;
  /** What the app asks for where it is installed. */
  scopes: readonly string[];
  /** The settings' own service. */
  api?: ApiClient | undefined;
  access: ServiceAccess;
  onCall?: Parameters<typeof createServices>[0]['onCall'];
  db: Kysely<BotSchema>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  /** Said to who has just installed the app. */
  welcome: Message;
  /** What is to be recorded of installing the app and of taking it away. */
  record(entry: Entry): void;
  /** Slack lets us in there, perhaps again. */
  installed(workspace: string): Promise<void>;
  /** Slack's ids of those who may connect a service. */
  ownersOf(workspace: string): Promise<readonly string[] | 'unknown'>;
}

/** Where the app is, and what each workspace has of its own. */
interface Workspaces {
  presence: Presence;
  departures: Departures;
  /** None with one workspace: its app doesn't run without its token, and forgetting it is its operator's decision. */
  retention: ReturnType<typeof createRetention> | undefined;
  services: Services;
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  notifyOwners(workspace: string, message: Message): Promise<void>;
  /** That something waits because the service refuses a token. */
  tellHeld: ReturnType<typeof refusals>['tellHeld'];
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { slack, clientOptions, db, encryption, log, now, api, ownersOf } = options;
  const client = new WebClient('botToken' in slack ? slack.botToken : undefined, clientOptions);
  const presence =
    slack.kind === 'oauth'
      ? manyWorkspaces({ ...options, slack, onInstalled: (granted) => installed(options, granted) })
      : onlyWorkspace({ ...options, client, token: slack.botToken });
  const slackFor = slackClients(presence, clientOptions, (error) =>
    log.warn({ err: error }, 'could not find out whether the app is installed'),
  );
  const notifyOwners = async (workspace: string, message: Message) => {
    const speaking = await slackFor(workspace);
    if (!speaking) return;
    const owners = speaking === 'unknown' ? 'unknown' : await ownersOf(workspace);
    if (speaking === 'unknown' || owners === 'unknown') throw new Error('could not look up the owners');
    await notifyUsers(speaking, owners, message);
  };
  const refused = refusals({ db, log, now, notifyOwners });
  const services = createServices({
    credentials: createCredentials({
      db,
      encryption,
      onUnusable: (facts) => log.error(facts, 'what was connected cannot be used: it must be connected anew'),
    }),
    access: options.access,
    onCall: options.onCall,
    // Whoever installed the app from elsewhere has nothing of the settings' own service.
    settings: api && slack.kind !== 'oauth' ? { api, serves: presence.isOwn } : undefined,
    ownersOf,
    onRefused: (met) =>
      void refused
        .tell(met)
        .catch((error) => log.error({ err: error }, 'could not notify owners about a refused token')),
    onKept: (kept) => refused.forget(kept),
  });
  const departures = createDepartures({
    db,
    log,
    leaving: presence.leaving,
    onLeft(workspace, kind) {
      const isRevoked = kind === 'tokens-revoked';
      if (!isRevoked) services.forget(workspace);
      // Slack does not say who did it.
      const action = isRevoked ? 'tokens revoked' : 'uninstalled';
      options.record({ workspace, who: 'slack', action, decision: 'done' });
    },
  });
  const retention = slack.kind === 'oauth' ? createRetention({ db, encryption, log, now }) : undefined;
  return { presence, departures, retention, services, slackFor, notifyOwners, tellHeld: refused.tellHeld };
}

async function installed(options: WorkspacesOptions, granted: Granted): Promise<void> {
  options.record({
    workspace: granted.id,
    who: granted.installedBy,
    action: 'installed',
    target: granted.app,
    decision: 'done',
  });
  await Promise.all([greet(options, granted), options.installed(granted.id)]);
}

/** Slack knows no workspace for who installed it in a whole organisation: their id is enough. */
async function greet(options: WorkspacesOptions, { installedBy, tokens }: Granted): Promise<void> {
  const client = new WebClient(tokens.bot, options.clientOptions);
  await client.chat.postMessage({ channel: installedBy, ...inert(options.welcome) });
}
