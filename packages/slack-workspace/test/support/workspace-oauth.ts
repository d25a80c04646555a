import { App, type Installation, type InstallationQuery } from '@slack/bolt';
import { startWorkspace, type WorkspaceOptions } from '../../src/slack.ts';
import { listWords } from '../../src/words.ts';
import { closeAfterwards } from './fixtures.ts';
import { findFreePort } from './listening-port.ts';
import { SILENT, TEST_MANIFEST, WAIT_MS } from './workspace.ts';

export const SCOPES = TEST_MANIFEST.oauth_config.scopes.bot;

/** Builds the manifest of an app that people install by OAuth. */
export function buildOAuthManifest(redirectUrl: string, settings: object = {}) {
  return {
    ...TEST_MANIFEST,
    oauth_config: { scopes: TEST_MANIFEST.oauth_config.scopes, redirect_urls: [redirectUrl] },
    settings: {
      event_subscriptions: {
        bot_events: listWords(
          'app_mention app_uninstalled tokens_revoked team_access_granted team_access_revoked',
        ),
      },
      org_deploy_enabled: true,
      ...settings,
    },
  };
}

function getInstallationId({
  isEnterpriseInstall,
  enterpriseId,
  teamId,
}: InstallationQuery<boolean>): string {
  return (isEnterpriseInstall ? enterpriseId : teamId) ?? '';
}

/** Starts an emulated Slack in which no app is installed, and a Bolt app that people install by OAuth. */
export async function startWithOAuth(settings: object = {}, options: Partial<WorkspaceOptions> = {}) {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest: buildOAuthManifest(`${origin}/slack/oauth_redirect`, settings),
    delivery: { kind: 'http', url: `http://127.0.0.1:${port}/slack/events` },
    installed: false,
    ...options,
  });
  /** By the id of the workspace or organisation. */
  const installations = new Map<string, Installation>();
  const app = new App({
    logger: SILENT,
    signingSecret: workspace.signingSecret,
    clientId: workspace.clientId,
    clientSecret: workspace.clientSecret,
    stateSecret: 'only for tests',
    scopes: SCOPES,
    redirectUri: `${origin}/slack/oauth_redirect`,
    clientOptions: { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } },
    installerOptions: {
      redirectUriPath: '/slack/oauth_redirect',
      authorizationUrl: workspace.authorizeUrl,
      clientOptions: { slackApiUrl: workspace.apiUrl },
    },
    installationStore: {
      async storeInstallation(installation) {
        const { team, enterprise, isEnterpriseInstall } = installation;
        installations.set((isEnterpriseInstall ? enterprise?.id : team?.id) ?? '', installation);
      },
      async fetchInstallation(query) {
        const installation =
          installations.get(getInstallationId(query)) ?? installations.get(query.enterpriseId ?? '');
        if (!installation) throw new Error(`the app is not installed in ${getInstallationId(query)}`);
        return installation;
      },
    },
  });
  await app.start(port);
  closeAfterwards(async () => {
    await app.stop();
    await workspace.close();
  });
  return { workspace, app, installUrl: `${origin}/slack/install`, installations };
}
