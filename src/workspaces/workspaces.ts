import { WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { AuditEntry, Encryption } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Project } from '../api/projects.ts';
import { limitEntries } from '../cache/cache.ts';
import { claimOnce } from '../engine/once-claim.ts';
import type { Actor } from '../slack/actor.ts';
import { isDeactivated } from '../slack/fetch-people.ts';
import type { Log } from '../slack/log.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { getSlackErrorCode, SlackRefused } from '../slack/slack-errors.ts';
import { createCredentials, createRefusedTokenNotifications, hasCredential } from './credentials.ts';
import { createServiceRecords } from './known-projects.ts';
import { createOAuthDirectory } from './oauth-directory.ts';
import { createRetention, createUninstallations } from './retention.ts';
import { createServices, type ServiceAddressRules } from './services.ts';
import type { NewInstallation } from './slack-oauth.ts';
import { deleteRevokedTokens, type EndDeliveries, forgetWorkspace } from './sql/forget-workspace.ts';
import { clearUninstallation } from './sql/uninstalled-workspaces.ts';
import type { WorkspaceTables } from './tables.ts';
import type { BotAccess, WorkspaceDirectory } from './workspace-directory.ts';

interface WorkspacesOptions {
  slack: SlackConnection;
  clientOptions: WebClientOptions;
  scopes: readonly string[];
  /** The scheduling service in the settings, what identifies it in place of its address, and whether it is built in. */
  api?: ApiClient | undefined;
  apiName?: string | undefined;
  isEmulated: boolean;
  addressRules: ServiceAddressRules;
  onCall?: Parameters<typeof createServices>[0]['onCall'];
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  endDeliveries: EndDeliveries;
  /** The interval between attempts of uninstallations that have failed, and between scans for expired data, ms. */
  scanIntervalMs?: number | undefined;
  /** Renders the message to the person who has just installed the app. */
  renderWelcome(data: InstalledData): Message;
  /**
   * Renders the question whether projects of a service are the same as before. They have the service's ids. `at`: when the
   * owners are asked.
   */
  renderReturnedProjects(asked: { service: string; projects: readonly Project[]; at: Date }): Message;
  /** Writes installations and uninstallations to the audit log. */
  record(entry: AuditEntry): void;
  /** Called after each installation, including repeated ones. */
  onInstalled(workspace: string): Promise<void>;
  /** Slack's ids of the people who may connect a service. */
  listOwners(workspace: string): Promise<readonly string[] | 'unknown'>;
}

/** In the audit log, of which nothing is deleted with the app. */
const UNINSTALLED = 'uninstalled';

export function createWorkspaces(options: WorkspacesOptions) {
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
    const results = await Promise.allSettled(
      owners.map(async (channel) => {
        if (await isDeactivated({ client: slackClient, log, reference: workspace }, channel))
          throw new WebAPIPlatformError({ ok: false, error: 'user_disabled' });
        return slackClient.chat.postMessage({ channel, ...disableParsing(message) });
      }),
    );
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    // An owner who can't be reached, such as a deactivated one, must not keep the others from being notified.
    if (errors.length > 0 && errors.length === owners.length) throw errors[0];
    for (const err of errors) log.warn({ workspace, err }, 'could not notify an owner');
  };
  const refusedTokens = createRefusedTokenNotifications({ db, notifyOwners });
  const services = createServices({
    credentials: createCredentials({
      db,
      encryption,
      onUnusable: (fields) =>
        log.error(fields, 'could not decrypt a service credential; reconnect the service'),
    }),
    addressRules: options.addressRules,
    onCall: options.onCall,
    records: createServiceRecords({
      ...{ db, now },
      ask: (workspace, asked) => notifyOwners(workspace, options.renderReturnedProjects(asked)),
      onError: (workspace, err) =>
        log.warn({ workspace, err }, 'could not compare the projects of a service'),
    }),
    // The service in the settings belongs to the operator, so other installations don't use it.
    settings:
      api && slack.kind !== 'oauth'
        ? {
            api,
            name: options.apiName,
            isEmulated: options.isEmulated,
            servesWorkspace: directory.isConfiguredWorkspace,
          }
        : undefined,
    listOwners,
    onOtherDefault: (workspace) =>
      log.warn({ workspace }, 'the scheduling service in the settings is another one than before'),
    onRefused: (token) =>
      void refusedTokens
        .notifyRefused(token)
        .catch((err) =>
          log.error({ workspace: token.workspace, err }, 'could not notify owners about a refused token'),
        ),
    onTokenReplaced: (token) => refusedTokens.reset(token),
  });
  const uninstallations = createUninstallations({
    log,
    now,
    retryMs: options.scanIntervalMs,
    removal: directory.removal,
    onUninstallation(workspace, kind) {
      const isRevoked = kind === 'tokens-revoked';
      if (!isRevoked) services.forget(workspace);
      // Slack doesn't report which person removed the app.
      const action = isRevoked ? 'tokens revoked' : UNINSTALLED;
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
  const message = options.renderWelcome(await findInstalledData(options, { workspace, installedBy }));
  const client = new WebClient(tokens.bot, options.clientOptions);
  await client.chat.postMessage({ channel: installedBy, ...disableParsing(message) });
}

/** What an earlier installation has left: nothing, because there was none or its data were deleted, or everything. */
export type InstalledData = 'none' | 'deleted' | 'kept';

/** After a removal, only installations and refused requests are recorded. The whole log of a workspace may be long. */
const MAX_ENTRIES_SINCE_REMOVAL = 100;

async function findInstalledData(
  { db, listOwners }: WorkspacesOptions,
  { workspace, installedBy }: { workspace: string; installedBy: string },
): Promise<InstalledData> {
  const owners = await listOwners(workspace);
  const isOwnedByOthers = owners !== 'unknown' && owners.some((owner) => owner !== installedBy);
  if (isOwnedByOthers || (await hasCredential(db, workspace))) return 'kept';
  const newest = await db
    .selectFrom('audit_entry')
    .select('action')
    .where('workspace', '=', workspace)
    .orderBy('at', 'desc')
    .limit(MAX_ENTRIES_SINCE_REMOVAL)
    .execute();
  return newest.some(({ action }) => action === UNINSTALLED) ? 'deleted' : 'none';
}

/** Claims a person's welcome message, after an installation or the first use. False if they were welcomed before. */
export function claimWelcome(db: Kysely<WorkspaceTables>, { workspace, user }: Actor): Promise<boolean> {
  return claimOnce(db, { workspace, name: `welcome.${user}` });
}

/** The bot of the token in the settings. `workspace` is undefined if the token is valid for a whole organisation. */
interface BotIdentity extends BotAccess {
  workspace: string | undefined;
}

/** The directory for one bot token. Only the token's workspace, or its organisation's workspaces, have the app. */
export function createSingleTokenDirectory(options: {
  client: WebClient;
  token: string;
  db: Kysely<WorkspaceTables>;
  now: () => Date;
  endDeliveries: EndDeliveries;
}): WorkspaceDirectory {
  const { client, token, db, now, endDeliveries } = options;
  let bot: BotIdentity | undefined;
  const findBotAccess = (workspace: string | undefined): BotAccess | undefined =>
    bot && (bot.workspace === undefined || bot.workspace === workspace) ? bot : undefined;
  return {
    async start() {
      bot = { token, ...(await identifyBot(client)) };
      if (bot.workspace !== undefined) await clearUninstallation(db, bot.workspace);
    },
    stop() {
      bot = undefined;
    },
    isReady: () => bot !== undefined,
    find: async ({ workspace }) => (bot ? findBotAccess(workspace) : 'unknown'),
    findForWorkspace: async (workspace) => (bot ? findBotAccess(workspace) : 'unknown'),
    isConfiguredWorkspace: (workspace) => findBotAccess(workspace) !== undefined,
    // The token in the settings is not deleted. The operator can replace it there.
    removal: {
      async remove(workspace) {
        await forgetWorkspace(db, workspace, now(), endDeliveries);
        return [workspace];
      },
      async deleteTokens(workspace) {
        await deleteRevokedTokens(db, workspace, { workspaces: [workspace], now: now() });
        return [workspace];
      },
      removeWorkspaces: async () => [],
      restoreAccess: async () => [],
    },
  };
}

/** Finds out from Slack which bot the token belongs to. Throws SlackRefused if Slack refuses the token. */
async function identifyBot(client: WebClient): Promise<Omit<BotIdentity, 'token'>> {
  try {
    const identity = await client.auth.test();
    const isOrgWide = identity.is_enterprise_install === true;
    const workspace = isOrgWide ? undefined : identity.team_id;
    return { botId: identity.bot_id, botUser: identity.user_id, isOrgWide, workspace };
  } catch (error) {
    const code = getSlackErrorCode(error);
    throw code === undefined ? error : new SlackRefused(code, 'bot');
  }
}

// What other modules use of this folder, besides what this file declares.
export { describeConnection, IS_CONNECTION_CURRENT } from './connection-check.ts';
export type { Credential } from './credentials.ts';
export { deleteAllWorkspaceData, type Uninstallations } from './retention.ts';
export type { DefaultService, ServiceAddressRules, Services } from './services.ts';
export { type EndDeliveries, forgetInstallation, forgetWorkspace } from './sql/forget-workspace.ts';
export { isKnown, listKnownWorkspaces, restartRetention } from './sql/uninstalled-workspaces.ts';
export type { WorkspaceTables } from './tables.ts';
export {
  type BotAccess,
  createFirstOwnerLookup,
  createRequestBotLookup,
  renderNotInstalledText,
  type WorkspaceDirectory,
  withInstallPages,
} from './workspace-directory.ts';

export type SlackClients = ReturnType<typeof createSlackClients>;

/**
 * Maximum number of clients. A client takes 26 KB, because it creates a function for each of Slack's methods. An evicted
 * client is created again, in a tenth of a millisecond. All clients share the connections of `fetch`.
 */
const MAX_CLIENTS = 1_000;

export function createSlackClients(clientOptions: WebClientOptions) {
  const clients = new LRUCache<string, { token: string; client: WebClient }>(limitEntries(MAX_CLIENTS));
  return {
    get(workspace: string, { token, isOrgWide }: BotAccess): WebClient {
      const current = clients.get(workspace);
      if (current?.token === token) return current.client;
      // Calls with an organisation's token must name the workspace.
      const client = new WebClient(token, { ...clientOptions, ...(isOrgWide && { teamId: workspace }) });
      clients.set(workspace, { token, client });
      return client;
    },
  };
}

/**
 * Returns a lookup of each workspace's Slack client for background work. Its result is undefined if the app isn't
 * installed in the workspace, and `unknown` if the installation lookup failed. `onError` is called for a failed lookup.
 */
function createSlackClientLookup(
  { findForWorkspace }: Pick<WorkspaceDirectory, 'findForWorkspace'>,
  clients: SlackClients,
  onError: (error: unknown) => void,
): (workspace: string) => Promise<WebClient | 'unknown' | undefined> {
  return async (workspace) => {
    const bot = await findForWorkspace(workspace).catch((error: unknown) => {
      onError(error);
      return 'unknown' as const;
    });
    return bot === undefined || bot === 'unknown' ? bot : clients.get(workspace, bot);
  };
}
