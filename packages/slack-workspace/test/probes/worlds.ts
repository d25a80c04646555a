import { startWorkspace } from '../../src/slack.ts';
import { createOAuthSteps, REDIRECT } from '../support/oauth-steps.ts';
import { TEST_MANIFEST, withScopes } from '../support/workspace.ts';
import { buildOAuthManifest } from '../support/workspace-oauth.ts';
import { createCaller, startWorld, type World } from './world.ts';

/** People install the app by OAuth, and its tokens rotate. */
async function startOAuth() {
  const workspace = await startWorkspace({
    port: 0,
    manifest: buildOAuthManifest(REDIRECT, { token_rotation_enabled: true }),
    delivery: { kind: 'socket' },
    installed: false,
  });
  const steps = createOAuthSteps(workspace);
  const { access_token: expiredToken = '' } = await steps.exchangeCode();
  workspace.clock.advance(13 * 60 * 60_000);
  return { workspace, steps, call: createCaller(workspace), expiredToken };
}

/** Installs the app in another workspace of this world, and returns its token. */
export function installElsewhere({ workspace }: World, name: string): string {
  return workspace.admin.addTeam({ name, people: [{ name: 'Nora Quist' }], installed: true }).botToken;
}

export type Worlds = Awaited<ReturnType<typeof startWorlds>>;

/** Starts the app's workspace, others in which the app has less, and tokens that are good for nothing any more. */
export async function startWorlds() {
  const { features } = TEST_MANIFEST;
  const app_home = { home_tab_enabled: false, messages_tab_enabled: false };
  const [usual, quiet, bare, oauth] = await Promise.all([
    startWorld(),
    startWorld({ ...TEST_MANIFEST, features: { ...features, app_home } }),
    startWorld(withScopes('dnd:read')),
    startOAuth(),
  ]);
  const { workspace, call } = usual;
  const revokedToken = installElsewhere(usual, 'Revoked');
  await call('auth.revoke', { token: revokedToken });
  const uninstalledToken = installElsewhere(usual, 'Uninstalled');
  const credentials = { client_id: workspace.clientId, client_secret: workspace.clientSecret };
  await call('apps.uninstall', { token: uninstalledToken, ...credentials });
  const organisation = workspace.admin.addOrganisation({
    name: 'Starship',
    teams: [{ name: 'Starship North', people: [{ name: 'Yara Dom' }] }],
    installed: true,
  });
  return {
    usual,
    /** Without a Home tab and a Messages tab. */
    quiet,
    /** With a scope that no method asks for. */
    bare,
    oauth,
    /** Of an organisation. */
    orgToken: organisation.botToken(),
    revokedToken,
    uninstalledToken,
    async close() {
      await Promise.all([usual, quiet, bare, oauth.workspace].map((one) => one.close()));
    },
  };
}
