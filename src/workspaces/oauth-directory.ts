import type { WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import { createInstallRoutes } from './install/install-routes.ts';
import { createInstallStates } from './install/install-state.ts';
import {
  createSlackOAuth,
  INSTALL_PATH,
  type NewInstallation,
  type OAuthSettings,
  publicAddress,
} from './install/slack-oauth.ts';
import { parseProxies } from './install/visitor-address.ts';
import { createInstallations, type Installation } from './installations.ts';
import type { BotAccessLookup, WorkspaceDirectory } from './workspace-directory.ts';

/** The directory of all workspaces where somebody has installed the app by OAuth. */
export function createOAuthDirectory(options: {
  slack: OAuthSettings & { trustedProxies: readonly string[] };
  clientOptions: WebClientOptions;
  scopes: readonly string[];
  db: Kysely<BotSchema>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  onInstalled(installation: NewInstallation): Promise<void>;
}): WorkspaceDirectory {
  const { slack, db, encryption, log, now, onInstalled } = options;
  const oauth = createSlackOAuth(slack, options);
  const installations = createInstallations({
    db,
    encryption,
    now,
    refresh: (token) => oauth.refresh(token),
    onUnusable({ isOver, ...facts }) {
      if (isOver) log.error(facts, 'Slack refused the refresh token: the app must be installed again');
      else log.error(facts, 'could not read or refresh the tokens of an installation');
    },
  });
  const installUrl = publicAddress(slack.publicUrl, INSTALL_PATH);
  const isHttps = installUrl.startsWith('https:');
  const states = createInstallStates(db, { now, isHttps, clientSecret: slack.clientSecret });
  const trusted = parseProxies(slack.trustedProxies);
  let isStarted = false;
  return {
    async start() {
      isStarted = true;
    },
    stop() {
      isStarted = false;
    },
    isReady: () => isStarted,
    find: async (from) => toBotAccess(await installations.find(from)),
    of: async (workspace) => toBotAccess(await installations.of(workspace)),
    isOwn: () => false,
    removal: installations,
    installUrl,
    pages: createInstallRoutes({ oauth, states, installations, trusted, installUrl, log, now, onInstalled }),
  };
}

function toBotAccess(found: Installation | 'unknown' | undefined): BotAccessLookup {
  if (!found || found === 'unknown') return found;
  const { token, botUser, installedBy, id } = found;
  return { token, botUser, installedBy, orgWide: id.startsWith('E') };
}
