import { beforeEach, describe, expect, it } from 'vitest';
import { createButtonRow } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';

let now = Date.UTC(2026, 10, 20);
const button = createButtonRow('field', 'Press');
const fixture = await openBolt({ now: () => now });
let url = '';
fixture.app.command('/say', async ({ ack, body }) => {
  url = body.response_url;
  await ack({ response_type: 'ephemeral', text: 'Choose', blocks: [button] });
});
fixture.app.action('field', async ({ ack, body }) => {
  if (body.type === 'block_actions') url = body.response_url;
  await ack();
});

describe('a response_url', () => {
  beforeEach(async () => {
    await fixture.workspace.as('Ana').in('#general').type('/say');
  });

  const sendResponse = async (body: object | string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: await response.text() };
  };

  it('a response_url works five times', async () => {
    for (const attempt of [1, 2, 3, 4, 5])
      expect(await sendResponse({ text: `answer ${attempt}` })).toEqual({ status: 200, body: 'ok' });
    expect(await sendResponse({ text: 'answer 6' })).toEqual({
      status: 404,
      body: '{"ok":false,"error":"used_url"}',
    });
    const visibleText = fixture.workspace.as('Ana').read();
    expect(visibleText).toContain('answer 5');
    expect(visibleText).not.toContain('answer 6');
  });

  it('a response_url works for thirty minutes', async () => {
    now += 30 * 60_000;
    expect((await sendResponse({ text: 'in time' })).status).toBe(200);
    now += 1;
    expect(await sendResponse({ text: 'too late' })).toEqual({
      status: 404,
      body: '{"ok":false,"error":"expired_url"}',
    });
  });

  it('a response is visible to one person, or to everybody on request', async () => {
    await sendResponse({ text: 'for Ana' });
    await sendResponse({ text: 'for all', response_type: 'in_channel' });
    const ben = fixture.workspace.as('Ben').in('#general');
    await ben.sees('for all');
    expect(ben.read()).not.toContain('for Ana');
  });

  it('a response can replace or delete the message whose button was pressed, even an ephemeral message', async () => {
    const ana = fixture.workspace.as('Ana');
    await ana.press('Press');
    await sendResponse({ replace_original: true, text: 'Pressed it', blocks: [] });
    await ana.sees('Pressed it');
    await fixture.workspace.as('Ana').type('/say');
    await ana.press('Press');
    const countBefore = ana.messages().length;
    await sendResponse({ delete_original: true });
    expect(ana.messages()).toHaveLength(countBefore - 1);
  });

  it('an invalid response is refused', async () => {
    expect((await sendResponse('not JSON')).status).toBe(400);
    expect((await sendResponse({})).body).toContain('no_text');
    expect((await sendResponse({ blocks: [{ type: 'fancy' }] })).body).toContain('unsupported type: fancy');
  });

  it('an unknown response_url is refused', async () => {
    url = `${fixture.workspace.url}/response/invented`;
    expect((await sendResponse({ text: 'x' })).status).toBe(404);
  });
});
