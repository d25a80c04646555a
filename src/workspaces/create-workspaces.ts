import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { AuditEntry, Encryption } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import { claimOnce } from '../engine/once-claim.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { createCredentials } from './credentials.ts';
import type { NewInstallation } from './install/slack-oauth.ts';
import { createOAuthDirectory } from './oauth-directory.ts';
import { createRefusedTokenNotifications } from './refused-token-notifications.ts';
import { createRetention } from './retention.ts';
import { createServices, type ServiceAddressRules, type Services } from './services.ts';
import { createSingleTokenDirectory } from './single-directory.ts';
import { createSlackClientLookup, createSlackClients, type SlackClients } from './slack-clients.ts';
import type { EndDeliveries } from './sql/forget-workspace.ts';
import type { WorkspaceTables } from './tables.ts';
import { createUninstallations, type Uninstallations } from './uninstallations.ts';
import type { WorkspaceDirectory } from './workspace-directory.ts';

interface WorkspacesOptions {
  slack: SlackConnection;
  clientOptions: WebClientOptions;
  /** The OAuth scopes that the app requests. */
  scopes: readonly string[];
  /** The scheduling service in the settings. */
  api?: ApiClient | undefined;
  addressRules: ServiceAddressRules;
  onCall?: Parameters<typeof createServices>[0]['onCall'];
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  /** The clock of all instances. */
  readShared: () => Date;
  endDeliveries: EndDeliveries;
  /** The interval between scans for uninstallations that other instances have stored, ms. Has a default. */
  scanIntervalMs?: number | undefined;
  /** Sent to the person who has just installed the app. */
  welcome: Message;
  /** Writes installations and uninstallations to the audit log. */
  record(entry: AuditEntry): void;
  /** Called after each installation, including repeated ones. */
  onInstalled(workspace: string): Promise<void>;
  /** Slack's ids of the people who may connect a service. */
  listOwners(workspace: string): Promise<readonly string[] | 'unknown'>;
}

/** The workspaces with the app, and each workspace's clients for Slack and for the scheduling service. */
interface Workspaces {
  directory: WorkspaceDirectory;
  uninstallations: Uninstallations;
  retention: ReturnType<typeof createRetention>;
  services: Services;
  slackClients: SlackClients;
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  notifyOwners(workspace: string, message: Message): Promise<void>;
  /** Notifies the owners that submissions are paused because the service refuses a token. */
  notifyPaused: ReturnType<typeof createRefusedTokenNotifications>['notifyPaused'];
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { slack, clientOptions, db, encryption, log, now, api, listOwners } = options;
  const client = new WebClient('botToken' in slack ? slack.botToken : undefined, clientOptions);
  const directory =
    slack.kind === 'oauth'
      ? createOAuthDirectory({
          ...options,
          slack,
          onInstalled: (installation) => completeInstallation(options, installation),
        })
      : createSingleTokenDirectory({ ...options, client, token: slack.botToken });
  const slackClients = createSlackClients(clientOptions);
  const findSlackClient = createSlackClientLookup(directory, slackClients, (error) =>
    log.warn({ err: error }, 'installation lookup failed'),
  );
  const notifyOwners = async (workspace: string, message: Message) => {
    const slackClient = await findSlackClient(workspace);
    if (!slackClient) return;
    const owners = slackClient === 'unknown' ? 'unknown' : await listOwners(workspace);
    if (slackClient === 'unknown' || owners === 'unknown') throw new Error('could not look up the owners');
    for (const channel of owners) await slackClient.chat.postMessage({ channel, ...disableParsing(message) });
  };
  const refusedTokens = createRefusedTokenNotifications({ db, log, notifyOwners });
  const services = createServices({
    credentials: createCredentials({
      db,
      encryption,
      onUnusable: (fields) =>
        log.error(fields, 'could not decrypt a service credential; reconnect the service'),
    }),
    addressRules: options.addressRules,
    onCall: options.onCall,
    // The service in the settings belongs to the operator, so other installations don't use it.
    settings:
      api && slack.kind !== 'oauth' ? { api, servesWorkspace: directory.isConfiguredWorkspace } : undefined,
    listOwners,
    onRefused: (token) =>
      void refusedTokens
        .notifyRefused(token)
        .catch((error) => log.error({ err: error }, 'could not notify owners about a refused token')),
    onTokenReplaced: (token) => refusedTokens.reset(token),
  });
  const uninstallations = createUninstallations({
    db,
    log,
    readShared: options.readShared,
    retryMs: options.scanIntervalMs,
    removal: directory.removal,
    onUninstallation(workspace, kind) {
      const isRevoked = kind === 'tokens-revoked';
      if (!isRevoked) services.forget(workspace);
      // Slack doesn't report which person removed the app.
      const action = isRevoked ? 'tokens revoked' : 'uninstalled';
      options.record({ workspace, actor: 'slack', action, decision: 'done' });
    },
  });
  const retention = createRetention({
    scanIntervalMs: options.scanIntervalMs,
    db,
    log,
    now,
    isForMany: slack.kind === 'oauth',
  });
  return {
    directory,
    uninstallations,
    retention,
    services,
    slackClients,
    findSlackClient,
    notifyOwners,
    notifyPaused: refusedTokens.notifyPaused,
  };
}

async function completeInstallation(
  options: WorkspacesOptions,
  installation: NewInstallation,
): Promise<void> {
  options.record({
    workspace: installation.id,
    actor: installation.installedBy,
    action: 'installed',
    target: installation.app,
    decision: 'done',
  });
  await Promise.all([sendWelcome(options, installation), options.onInstalled(installation.id)]);
}

/** Addresses the welcome to a user id, because an installation for an organisation names no channel or workspace. */
async function sendWelcome(
  options: WorkspacesOptions,
  { id: workspace, installedBy, tokens }: NewInstallation,
): Promise<void> {
  // The result doesn't matter: somebody who installs the app again needs the next steps again.
  await claimWelcome(options.db, { workspace, user: installedBy });
  const client = new WebClient(tokens.bot, options.clientOptions);
  await client.chat.postMessage({ channel: installedBy, ...disableParsing(options.welcome) });
}

/**
 * Claims the welcome message for a person. It is sent after the person installs the app or first uses it. Resolves with
 * false if the person was welcomed before.
 */
export function claimWelcome(db: Kysely<WorkspaceTables>, { workspace, user }: Actor): Promise<boolean> {
  return claimOnce(db, { workspace, name: `welcome.${user}` });
}
