import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { startWorkspace } from '../../src/slack.ts';
import { closeAfterwards, openWorkspace } from '../support/fixtures.ts';
import { findFreePort } from '../support/listening-port.ts';
import { TEST_MANIFEST } from '../support/workspace.ts';

const SECTION = { type: 'section', text: { type: 'mrkdwn', text: 'A card' } };

const workspace = await startWorkspace({ manifest: TEST_MANIFEST });
closeAfterwards(workspace.close);
const client = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });

describe('a workspace that a test starts with a manifest alone', () => {
  it('a failed expectation shows within a second the visible text', async () => {
    const ana = workspace.as('Ana').in('#general');
    await client.chat.postMessage({ channel: 'C01GENERAL', text: 'A card', blocks: [SECTION] });
    const startedAt = performance.now();
    await expect(ana.sees('A post')).rejects.toThrow(
      /^Waited 1 s for “A post”\. Visible instead:\n[\s\S]*A card$/,
    );
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await expect(ana.press('Go', { timeoutMs: 10 })).rejects.toThrow(
      'Waited 0.01 s for a message with [Go] in #general. Visible instead:',
    );
  });

  it('a person waits until something is no longer visible', async () => {
    const ana = workspace.as('Ana').in('#general');
    const { ts = '' } = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Only for now' });
    await ana.sees('Only for now');
    const waiting = ana.seesNoLonger('Only for now');
    await client.chat.delete({ channel: 'C01GENERAL', ts });
    await waiting;
  });

  it('a reset restores the workspace of the manifest, and the app’s tokens stay valid', async () => {
    const before = workspace.as('Ana').in('#general').messages();
    workspace.admin.addPerson({ name: 'Zoe Lind' });
    workspace.admin.addChannel('#launch', { members: ['Ana', 'Zoe', 'tester'] });
    const ana = workspace.as('Ana').in('#launch');
    await ana.type('/unknown');
    workspace.faults.set({ webApi: [{ fault: 'status', status: 500 }] });
    workspace.clock.advance(3_600_000);

    workspace.reset();

    expect(() => workspace.as('Zoe')).toThrow('Nobody in this workspace is called Zoe');
    expect(() => ana.in('#launch')).toThrow('There is no channel #launch');
    expect(ana.read()).toBe('Good morning! The spring menu is on the shelf.');
    expect(before).not.toEqual(ana.messages());
    expect(Math.abs(workspace.clock.now() - Date.now())).toBeLessThan(5_000);
    expect(workspace.faults.counts()).toEqual({ calls: {}, faults: {} });
    await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Here again' });
    await ana.in('#general').sees('Here again');
  });

  it('a message that was scheduled before a reset is never sent', async () => {
    const post_at = Math.floor(workspace.clock.now() / 1000) + 60;
    await client.chat.scheduleMessage({ channel: 'C01GENERAL', text: 'Too late', post_at });
    workspace.reset();
    workspace.clock.advance(120_000);
    await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Later' });
    expect(workspace.as('Ana').in('#general').messages()).not.toContain('Too late');
  });

  it('twenty workspaces run at once, each with a port of its own', async () => {
    const workspaces = await Promise.all(
      Array.from({ length: 20 }, () => startWorkspace({ manifest: TEST_MANIFEST })),
    );
    expect(new Set(workspaces.map(({ url }) => url)).size).toBe(20);
    await Promise.all(
      workspaces.map(async (each, index) => {
        const own = new WebClient(each.botToken, { slackApiUrl: each.apiUrl });
        await own.chat.postMessage({ channel: 'C01GENERAL', text: `Workspace ${index}` });
        expect(each.as('Ana').in('#general').messages().at(-1)).toBe(`Workspace ${index}`);
      }),
    );
    await Promise.all(workspaces.map((each) => each.close()));
  });

  it('a workspace closes at the end of its block', async () => {
    let url = '';
    {
      await using own = await startWorkspace({ manifest: TEST_MANIFEST });
      url = own.url;
      expect((await fetch(url)).status).toBe(200);
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

it('over HTTP, a workspace waits until the app listens', async () => {
  const port = await findFreePort();
  const { workspace: own } = await openWorkspace({
    delivery: { kind: 'http', url: `http://127.0.0.1:${port}/slack/events` },
  });
  const connected = own.waitForApp();
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await connected;
  expect(server.listening).toBe(true);
  server.close();
});
