import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type TestBrowser } from '../../support/browser.ts';
import { startWithOAuth } from '../../support/workspace-oauth.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('installing an app in a browser', () => {
  it('the app is installed in the workspace of the person selected on the consent page', async () => {
    const { workspace, installUrl, installations, stop } = await startWithOAuth();
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
    await stop();
  });

  it('the consent page is accessible', async () => {
    const { workspace, installUrl, stop } = await startWithOAuth();
    const page = await browser.newPage();
    await page.goto(installUrl);
    const href = (await page.getByRole('link').first().getAttribute('href')) ?? '';
    expect(href).toContain(workspace.authorizeUrl);
    // The page's own policy forbids scripts, and axe needs to run in the page.
    const context = await browser.browser.newContext({ bypassCSP: true });
    const consentPage = await context.newPage();
    await consentPage.goto(href);
    await consentPage.evaluate(
      await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'),
    );
    const violations = await consentPage.evaluate(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))",
    );
    expect(violations).toEqual([]);
    await stop();
  });
});
