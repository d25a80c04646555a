import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption, Entry } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Log } from '../slack/log.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import { notifyUsers } from '../slack/notify-users.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import type { BotSchema } from '../store/schema.ts';
import { createCredentials } from './credentials.ts';
import { createDepartures, type Departures } from './departures.ts';
import type { NewInstallation } from './install/slack-oauth.ts';
import { createOAuthDirectory } from './oauth-directory.ts';
import { createRefusedTokenNotices } from './refused-token-notices.ts';
import { createRetention } from './retention.ts';
import type { ServiceAccess } from './service-addresses.ts';
import { createServices, type Services } from './services.ts';
import { createSingleDirectory } from './single-directory.ts';
import { createSlackClients } from './slack-clients.ts';
import type { WorkspaceDirectory } from './workspace-directory.ts';

interface WorkspacesOptions {
  slack: SlackConnection;
  clientOptions: WebClientOptions;
  /** The OAuth scopes that the app requests. */
  scopes: readonly string[];
  /** The service that the settings name. */
  api?: ApiClient | undefined;
  access: ServiceAccess;
  onCall?: Parameters<typeof createServices>[0]['onCall'];
  db: Kysely<BotSchema>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  /** Sent to the person who has just installed the app. */
  welcome: Message;
  /** Writes installations and departures to the audit record. */
  record(entry: Entry): void;
  /** Called after each installation, also a repeated one. */
  onInstalled(workspace: string): Promise<void>;
  /** Slack's ids of the people who may connect a service. */
  ownersOf(workspace: string): Promise<readonly string[] | 'unknown'>;
}

/** The workspaces with the app, and each one's clients of Slack and of its scheduling service. */
interface Workspaces {
  directory: WorkspaceDirectory;
  departures: Departures;
  /**
   * Undefined with a single workspace: its bot doesn't run without the settings' token, and its operator decides when
   * its data is deleted.
   */
  retention: ReturnType<typeof createRetention> | undefined;
  services: Services;
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  notifyOwners(workspace: string, message: Message): Promise<void>;
  /** Notifies the owners that submissions are paused because the service refuses a token. */
  notifyPaused: ReturnType<typeof createRefusedTokenNotices>['notifyPaused'];
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { slack, clientOptions, db, encryption, log, now, api, ownersOf } = options;
  const client = new WebClient('botToken' in slack ? slack.botToken : undefined, clientOptions);
  const directory =
    slack.kind === 'oauth'
      ? createOAuthDirectory({ ...options, slack, onInstalled: (made) => recordInstallation(options, made) })
      : createSingleDirectory({ ...options, client, token: slack.botToken });
  const slackFor = createSlackClients(directory, clientOptions, (error) =>
    log.warn({ err: error }, 'installation lookup failed'),
  );
  const notifyOwners = async (workspace: string, message: Message) => {
    const slackClient = await slackFor(workspace);
    if (!slackClient) return;
    const owners = slackClient === 'unknown' ? 'unknown' : await ownersOf(workspace);
    if (slackClient === 'unknown' || owners === 'unknown') throw new Error('could not look up the owners');
    await notifyUsers(slackClient, owners, message);
  };
  const refusedTokens = createRefusedTokenNotices({ db, log, now, notifyOwners });
  const services = createServices({
    credentials: createCredentials({
      db,
      encryption,
      onUnusable: (facts) =>
        log.error(facts, 'could not decrypt the connection to a service: it must be connected again'),
    }),
    access: options.access,
    onCall: options.onCall,
    // The settings' service belongs to the operator, and not to everybody who installs the app.
    settings: api && slack.kind !== 'oauth' ? { api, serves: directory.isOwn } : undefined,
    ownersOf,
    onRefused: (token) =>
      void refusedTokens
        .notifyRefused(token)
        .catch((error) => log.error({ err: error }, 'could not notify owners about a refused token')),
    onTokenReplaced: (token) => refusedTokens.reset(token),
  });
  const departures = createDepartures({
    db,
    log,
    removal: directory.removal,
    onLeft(workspace, kind) {
      const isRevoked = kind === 'tokens-revoked';
      if (!isRevoked) services.forget(workspace);
      // Slack doesn't say which person did it.
      const action = isRevoked ? 'tokens revoked' : 'uninstalled';
      options.record({ workspace, actor: 'slack', action, decision: 'done' });
    },
  });
  const retention = slack.kind === 'oauth' ? createRetention({ db, encryption, log, now }) : undefined;
  return {
    directory,
    departures,
    retention,
    services,
    slackFor,
    notifyOwners,
    notifyPaused: refusedTokens.notifyPaused,
  };
}

async function recordInstallation(options: WorkspacesOptions, made: NewInstallation): Promise<void> {
  options.record({
    workspace: made.id,
    actor: made.installedBy,
    action: 'installed',
    target: made.app,
    decision: 'done',
  });
  await Promise.all([sendWelcome(options, made), options.onInstalled(made.id)]);
}

/** The message goes to a user id, because an installation for a whole organisation names no workspace. */
async function sendWelcome(
  options: WorkspacesOptions,
  { installedBy, tokens }: NewInstallation,
): Promise<void> {
  const client = new WebClient(tokens.bot, options.clientOptions);
  await client.chat.postMessage({ channel: installedBy, ...disableParsing(options.welcome) });
}
