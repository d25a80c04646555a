import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { findViolations } from '../support/find-violations.ts';
import { openServer, openWorkspace } from '../support/fixtures.ts';
import { startWithOAuth } from '../support/workspace-oauth.ts';
import { findComposer } from './page-driver.ts';
import { openBrowser } from './page-fixture.ts';

const browser = await openBrowser();

describe('installing an app in a browser', () => {
  it('the app is installed in the workspace of the person selected on the consent page', async () => {
    const { workspace, installUrl, installations } = await startWithOAuth();
    const books = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    const page = await browser.newPage();
    await page.goto(installUrl);
    await page.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Tester is requesting access to a workspace' }).waitFor();
    await page.getByLabel('Workspace and approver').selectOption({ label: 'Rosa Lima' });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Thank you').waitFor();
    expect(installations.get(books.id)?.bot?.token).toBe(books.botToken);
    expect([...installations.keys()]).toEqual([books.id]);
  });

  it('a further app is installed on its own consent page, and then stands in the sidebar', async () => {
    const { url: redirectUrl } = await openServer((_, response) => void response.end('Thank you'));
    const manifest = {
      display_information: { name: 'Helper' },
      features: { bot_user: { display_name: 'helper' } },
      oauth_config: { redirect_urls: [redirectUrl], scopes: { bot: ['chat:write'] } },
    };
    const { workspace } = await openWorkspace({ otherApps: [{ manifest, installed: false }] });
    const [helper] = workspace.otherApps;
    const page = await browser.newPage();
    await page.goto(`${workspace.url}/?as=ana`);
    await findComposer(page).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Workspace' });
    expect(await sidebar.getByText('Helper').count()).toBe(0);
    const consentPage = await browser.newPage();
    await consentPage.goto(`${workspace.authorizeUrl}?client_id=${helper?.clientId}&scope=chat:write`);
    await consentPage.getByRole('heading', { name: 'Helper is requesting access to a workspace' }).waitFor();
    await consentPage.getByRole('button', { name: 'Allow' }).click();
    await consentPage.getByText('Thank you').waitFor();
    const { access_token: token } = await new WebClient(undefined, {
      slackApiUrl: workspace.apiUrl,
    }).oauth.v2.access({
      client_id: helper?.clientId ?? '',
      client_secret: helper?.clientSecret ?? '',
      code: new URL(consentPage.url()).searchParams.get('code') ?? '',
    });
    expect(workspace.team.botTokenOf({ app: 'Helper' })).toBe(token);
    await sidebar.getByRole('button', { name: 'Helper' }).waitFor();
  });

  it('the consent page is accessible', async () => {
    const { workspace, installUrl } = await startWithOAuth();
    const page = await browser.newPage();
    await page.goto(installUrl);
    const href = (await page.getByRole('link').first().getAttribute('href')) ?? '';
    expect(href).toContain(workspace.authorizeUrl);
    // The page's own policy forbids scripts, and axe needs to run in the page.
    const context = await browser.browser.newContext({ bypassCSP: true });
    const consentPage = await context.newPage();
    await consentPage.goto(href);
    expect(await findViolations(consentPage)).toEqual([]);
  });
});
