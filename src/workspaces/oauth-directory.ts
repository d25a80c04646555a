import type { WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import { createInstallRoutes } from './install/install-routes.ts';
import { createInstallStates } from './install/install-state.ts';
import {
  buildPublicUrl,
  createSlackOAuth,
  INSTALL_PATH,
  type NewInstallation,
  type OAuthSettings,
} from './install/slack-oauth.ts';
import { parseProxies } from './install/visitor-address.ts';
import { createInstallations, type Installation } from './installations.ts';
import type { EndDeliveries } from './sql/forget-workspace.ts';
import type { WorkspaceTables } from './tables.ts';
import type { BotAccessLookup, WorkspaceDirectory } from './workspace-directory.ts';

/** The directory of all workspaces where the app was installed by OAuth. */
export function createOAuthDirectory(options: {
  slack: OAuthSettings & { trustedProxies: readonly string[] };
  clientOptions: WebClientOptions;
  scopes: readonly string[];
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  endDeliveries: EndDeliveries;
  onInstalled(installation: NewInstallation): Promise<void>;
}): WorkspaceDirectory {
  const { slack, db, encryption, log, now, onInstalled } = options;
  const oauth = createSlackOAuth(slack, options);
  const installations = createInstallations({
    endDeliveries: options.endDeliveries,
    db,
    encryption,
    now,
    refresh: (token) => oauth.refresh(token),
    onUnusable({ isRefreshRefused, ...fields }) {
      if (isRefreshRefused)
        log.error(fields, 'Slack refused the refresh token: the app must be installed again');
      else log.error(fields, 'could not read or refresh the tokens of an installation');
    },
  });
  const installUrl = buildPublicUrl(slack.publicUrl, INSTALL_PATH);
  const isHttps = installUrl.startsWith('https:');
  const states = createInstallStates(db, { now, isHttps, clientSecret: slack.clientSecret });
  const trustedProxies = parseProxies(slack.trustedProxies);
  let isStarted = false;
  return {
    async start() {
      isStarted = true;
    },
    stop() {
      isStarted = false;
    },
    isReady: () => isStarted,
    find: async (origin) => toBotAccess(await installations.find(origin)),
    findForWorkspace: async (workspace) => toBotAccess(await installations.findForWorkspace(workspace)),
    isConfiguredWorkspace: () => false,
    removal: installations,
    installUrl,
    serveInstallPage: createInstallRoutes({
      oauth,
      states,
      installations,
      trustedProxies,
      installUrl,
      log,
      now,
      onInstalled,
    }),
  };
}

function toBotAccess(installation: Installation | 'unknown' | undefined): BotAccessLookup {
  if (!installation || installation === 'unknown') return installation;
  const { token, botUser, installedBy, id } = installation;
  return { token, botUser, installedBy, isOrgWide: id.startsWith('E') };
}
