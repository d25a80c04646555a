import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from './support/fixtures.ts';
import { SMALL_PNG } from './support/small-png.ts';
import { createSlackClient, startTestWorkspace } from './support/workspace.ts';
import { openLivePage } from './support/workspace-page.ts';

const HARBOUR = 'C02HARBOUR';

interface PageMessage {
  ts: string;
  text: string;
  files?: { url: string }[];
  replyCount?: number;
}

type Found = { messages: PageMessage[]; hasMore: boolean };

describe('a page of the practice workspace', () => {
  it('the page gets the newest messages of a channel, and older messages on request', async () => {
    const { workspace } = await openWorkspace();
    const ben = workspace.as('Ben').in('#harbour-coffee');
    for (let count = 1; count <= 420; count += 1) await ben.type(`no. ${count}`);
    const page = await openLivePage(workspace, '?person=ana');
    const { messages, older } = (await page.receiveMessage()) as {
      messages: Record<string, PageMessage[]>;
      older: string[];
    };
    expect(older).toEqual([HARBOUR]);
    const newest = messages[HARBOUR] ?? [];
    expect([newest.length, newest[0]?.text]).toEqual([200, 'no. 221']);
    const requestMessagesBefore = async (ts: string | undefined) =>
      (await page.request({ act: 'history', channel: HARBOUR, before: ts })).data as Found;
    const first = await requestMessagesBefore(newest[0]?.ts);
    expect([first.messages[0]?.text, first.messages.at(-1)?.text, first.hasMore]).toEqual([
      'no. 121',
      'no. 220',
      true,
    ]);
    const last = await requestMessagesBefore(
      (await requestMessagesBefore(first.messages[0]?.ts)).messages[0]?.ts,
    );
    expect([last.messages.at(-1)?.text, last.hasMore]).toEqual(['no. 20', false]);
  });

  it('the page gets a thread and its number of replies', async () => {
    const { workspace } = await openWorkspace();
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.type('Who comes?');
    await ana.reply('Who comes?', 'I do');
    const page = await openLivePage(workspace, '?person=ana');
    const { messages } = (await page.receiveMessage()) as { messages: Record<string, PageMessage[]> };
    const first = messages[HARBOUR]?.find(({ text }) => text === 'Who comes?');
    expect(first).toMatchObject({ replyCount: 1, replyUsers: ['U01ANAFERR'] });
    const { data } = await page.request({ act: 'replies', channel: HARBOUR, ts: first?.ts });
    expect((data as Found).messages.map(({ text }) => text)).toEqual(['Who comes?', 'I do']);
  });

  it('the page gets the files of a message even after a restart, and none after a reset', async () => {
    await mkdir('.cache', { recursive: true });
    const folder = await mkdtemp(join('.cache', 'workspace-'));
    const { workspace, client } = await startTestWorkspace({ folder });
    await client.files.uploadV2({ channel_id: HARBOUR, file: SMALL_PNG, filename: 'roast.png' });
    await workspace.close();
    const restarted = (await startTestWorkspace({ folder })).workspace;
    const page = await openLivePage(restarted, '?person=ana');
    const { messages } = (await page.receiveMessage()) as { messages: Record<string, PageMessage[]> };
    const newest = messages[HARBOUR]?.at(-1);
    const [file] = newest?.files ?? [];
    expect(file).toMatchObject({ name: 'roast.png', mimetype: 'image/png', size: SMALL_PNG.length });
    const readStatus = async () => (await fetch(`${restarted.url}${file?.url}`)).status;
    expect(await readStatus()).toBe(200);
    await fetch(`${restarted.url}/page/reset`, { method: 'POST' });
    expect(await readStatus()).toBe(404);
    expect((await createSlackClient(restarted).auth.test()).ok).toBe(true);
    page.close();
    await restarted.close();
    await rm(folder, { recursive: true });
  });
});
