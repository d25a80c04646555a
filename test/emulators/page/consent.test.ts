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
  it('goes from the app’s page over Slack’s and back, for the person that was chosen', async () => {
    const { workspace, installUrl, installations, stop } = await startWithOAuth();
    const books = workspace.admin.addTeam({ name: 'Night Market Books', people: [{ name: 'Rosa Lima' }] });
    const page = await browser.newPage();
    await page.goto(installUrl);
    await page.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Tester asks to come into a workspace' }).waitFor();
    await page.getByLabel('Workspace, and who allows it').selectOption({ label: 'Rosa Lima' });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Thank you').waitFor();
    expect(installations.get(books.id)?.bot?.token).toBe(books.botToken);
    expect([...installations.keys()]).toEqual([books.id]);
    await stop();
  });

  it('is a page that everybody can use', async () => {
    const { workspace, installUrl, stop } = await startWithOAuth();
    const page = await browser.newPage();
    await page.goto(installUrl);
    const href = (await page.getByRole('link').first().getAttribute('href')) ?? '';
    expect(href).toContain(workspace.authorizeUrl);
    // Its own policy lets no script in; axe has to come past it.
    const context = await browser.browser.newContext({ bypassCSP: true });
    const seen = await context.newPage();
    await seen.goto(href);
    await seen.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
    const broken = await seen.evaluate(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))",
    );
    expect(broken).toEqual([]);
    await stop();
  });
});
