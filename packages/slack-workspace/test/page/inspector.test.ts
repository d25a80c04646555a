import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatCurl } from '../../src/page/inspector/traffic-entry.ts';
import type { TrafficRecord } from '../../src/protocol.ts';
import { openPageFixture, type PageFixture, typeCommand } from './page-driver.ts';

let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

/** Opens the page and the inspector after a command to the app and a call by it. */
async function openInspector() {
  const page = await fixture.open();
  await typeCommand(page, '/card ');
  await page.getByText('Up next in Harbour Coffee').last().waitFor();
  await fixture.examples.client.chat.postMessage({ channel: 'C01GENERAL', text: 'Up next: nothing' });
  await page.getByRole('button', { name: 'Inspector' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  return { page, inspector, entries: inspector.getByRole('listitem') };
}

/** Copies the newest record, and returns the text in the clipboard. */
async function copy(page: Page, label: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const button = page.getByRole('button', { name: label });
  if (!(await button.first().isVisible())) await page.locator('.traffic-entry summary').first().click();
  await button.first().click();
  await page.getByText('Copied').first().waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

test('the inspector shows requests to the app and its calls', async () => {
  const { entries } = await openInspector();
  await expect
    .poll(() =>
      entries.locator('.traffic-head').evaluateAll((all) => all.map(({ textContent }) => textContent)),
    )
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Sent to the app:\s*\/card\s*\d+ ms/),
        expect.stringMatching(/Called by the app:\s*chat\.postMessage\s*\d+ ms/),
      ]),
    );
  const call = entries.filter({ hasText: 'chat.postMessage' }).first();
  await call.locator('summary').click();
  await call.getByText('chat:write').waitFor();
  expect(await call.getByLabel('Arguments').innerText()).toContain('"channel": "C01GENERAL"');
  expect(await call.getByLabel('Answer').innerText()).toContain('"ok": true');
});

test('records are filtered by text, by kind, and by errors', async () => {
  const { page, inspector, entries } = await openInspector();
  const listed = () => entries.locator('.traffic-label').allInnerTexts();
  await inspector.getByLabel('Filter by method, event or text').fill('postmessage up next');
  await expect.poll(async () => new Set(await listed())).toEqual(new Set(['chat.postMessage']));
  await inspector.getByLabel('Filter by method, event or text').fill('');
  await inspector.getByLabel('Kind').selectOption('Requests to the app');
  await expect.poll(async () => (await listed()).every((label) => label.startsWith('/'))).toBe(true);
  await inspector.getByLabel('Kind').selectOption('Everything');
  await fixture.examples.client.chat.postMessage({ channel: 'C0NOWHERE', text: 'Hello' }).catch(() => {});
  await inspector.getByLabel('Errors only').check();
  await expect.poll(() => entries.first().innerText()).toContain('failed: channel_not_found');
  await inspector.getByLabel('Filter by method, event or text').fill('nothing has this');
  await page.getByText('No matches.').waitFor();
});

test('a call is copied as a cURL command without its token', async () => {
  const { page, inspector } = await openInspector();
  await inspector.getByLabel('Kind').selectOption('Web API');
  const { workspace } = fixture.examples;
  const text = await copy(page, 'Copy as cURL');
  expect(text).toContain(`curl -X POST '${workspace.url}/api/chat.postMessage'`);
  expect(text).toContain('-H "Authorization: Bearer $SLACK_BOT_TOKEN"');
  expect(text).toContain("--data-urlencode 'channel=C01GENERAL'");
  expect(text).not.toContain('xoxb-');
});

test('a request is copied as a fixture with the body and the acknowledgement', async () => {
  const { page, inspector } = await openInspector();
  await inspector.getByLabel('Kind').selectOption('slash_commands');
  expect(JSON.parse(await copy(page, 'Copy as fixture'))).toMatchObject({
    type: 'slash_commands',
    body: { command: '/card', user_name: 'ana' },
  });
});

describe('a cURL command', () => {
  const record: TrafficRecord = {
    id: 'r',
    app: 'Tester',
    direction: 'from-app',
    at: 0,
    kind: 'Web API',
    label: 'chat.postMessage',
    payload: JSON.stringify({ text: "Ana's", blocks: [{ type: 'divider' }] }),
    outcome: 'answered',
    call: { token: 'bot', accepted: [], granted: [] },
  };

  test('a call’s texts are quoted, and nested arguments are JSON', () => {
    expect(formatCurl(record, 'http://localhost:1')).toBe(
      [
        "curl -X POST 'http://localhost:1/api/chat.postMessage' \\",
        '  -H "Authorization: Bearer $SLACK_BOT_TOKEN" \\',
        "  --data-urlencode 'text=Ana'\\''s' \\",
        `  --data-urlencode 'blocks=[{"type":"divider"}]'`,
      ].join('\n'),
    );
  });

  test('secrets of an installation are variables', () => {
    const { call: _, ...rest } = record;
    const payload = JSON.stringify({ client_id: '1.2', client_secret: '…' });
    expect(formatCurl({ ...rest, label: 'oauth.v2.access', payload }, '')).toContain(
      '--data-urlencode "client_secret=$SLACK_CLIENT_SECRET"',
    );
  });

  test('a request to the app is signed with its signing secret', () => {
    const payload = JSON.stringify({ type: 'block_actions' });
    const text = formatCurl({ ...record, direction: 'to-app', kind: 'block_actions', payload }, '');
    expect(text).toContain(`body='payload=${encodeURIComponent(payload)}'`);
    expect(text).toContain('-hmac "$SLACK_SIGNING_SECRET"');
    expect(text).toContain('-H "X-Slack-Signature: v0=$signature"');
  });
});
