import type { WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { Log } from '../slack/log.ts';
import type { BotSchema } from '../store/schema.ts';
import { installRoutes } from './install/install-routes.ts';
import { installStates } from './install/install-state.ts';
import {
  type Granted,
  INSTALL_PATH,
  type OAuthSettings,
  publicAddress,
  slackOAuth,
} from './install/slack-oauth.ts';
import { trustedProxies } from './install/visitor-address.ts';
import { createInstallations, type Installation } from './installations.ts';
import type { Found, Presence } from './presence.ts';

/** The app wherever somebody has installed it by OAuth. */
export function manyWorkspaces(options: {
  slack: OAuthSettings & { trustedProxies: readonly string[] };
  clientOptions: WebClientOptions;
  scopes: readonly string[];
  db: Kysely<BotSchema>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  onInstalled(granted: Granted): Promise<void>;
}): Presence {
  const { slack, db, encryption, log, now, onInstalled } = options;
  const oauth = slackOAuth(slack, options);
  const installations = createInstallations({
    db,
    encryption,
    now,
    refresh: (token) => oauth.refresh(token),
    onUnusable({ isOver, ...facts }) {
      if (isOver) log.error(facts, 'an installation cannot be used: the app must be installed anew');
      else log.error(facts, 'an installation cannot be used for now');
    },
  });
  const installUrl = publicAddress(slack.publicUrl, INSTALL_PATH);
  const isHttps = installUrl.startsWith('https:');
  const states = installStates(db, { now, isHttps, clientSecret: slack.clientSecret });
  const trusted = trustedProxies(slack.trustedProxies);
  let isOn = false;
  return {
    async start() {
      isOn = true;
    },
    stop() {
      isOn = false;
    },
    isReady: () => isOn,
    find: async (from) => here(await installations.find(from)),
    of: async (workspace) => here(await installations.of(workspace)),
    isOwn: () => false,
    leaving: installations,
    installUrl,
    pages: installRoutes({ oauth, states, installations, trusted, installUrl, log, now, onInstalled }),
  };
}

function here(found: Installation | 'unknown' | undefined): Found {
  if (!found || found === 'unknown') return found;
  const { token, botUser, installedBy, id } = found;
  return { token, botUser, installedBy, orgWide: id.startsWith('E') };
}
