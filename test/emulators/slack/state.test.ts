import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appFacts } from '../../../src/emulators/slack/app-facts.ts';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { makeTokens, saveInto } from '../../../src/emulators/slack/state/folder.ts';
import { sampleTeam } from '../../../src/emulators/slack/state/sample-team.ts';
import { clientFor, startTestWorkspace, TEST_MANIFEST } from '../../support/workspace.ts';

const DAY = 24 * 60 * 60_000;

describe('what a workspace keeps', () => {
  let folder: string;
  beforeEach(async () => {
    await mkdir('.cache', { recursive: true });
    folder = await mkdtemp(join('.cache', 'workspace-'));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rm(folder, { recursive: true });
  });

  async function reopened(workspace: Workspace): Promise<Workspace> {
    await workspace.close();
    return (await startTestWorkspace({ folder })).workspace;
  }

  it('is there again: messages, direct messages, Home and the tokens', async () => {
    const { workspace, client } = await startTestWorkspace({ folder });
    await workspace.as('Ana').in('#general').type('still here');
    await client.chat.postMessage({ channel: 'U01ANAFERR', text: 'only for you' });
    const header = { type: 'header' as const, text: { type: 'plain_text' as const, text: 'Welcome home' } };
    await client.views.publish({ user_id: 'U01ANAFERR', view: { type: 'home', blocks: [header] } });
    const again = await reopened(workspace);
    expect(again.botToken).toBe(workspace.botToken);
    expect(again.as('Ben').in('#general').messages()).toContain('still here');
    expect((await again.as('Ana').inDirectMessage()).messages()).toEqual(['only for you']);
    expect((await again.as('Ana').home('Welcome home')).text()).toBe('Welcome home');
    await again.close();
  });

  it('is there for another app too, which has its own name', async () => {
    const { workspace } = await startTestWorkspace({ folder });
    await workspace.as('Ana').in('#general').type('for @tester');
    await workspace.close();
    const features = { bot_user: { display_name: 'Of others' } };
    const { workspace: again } = await startTestWorkspace({
      folder,
      manifest: { ...TEST_MANIFEST, features },
    });
    expect(again.as('Ana').in('#general').messages()).toContain('for @Of others');
    await again.close();
  });

  it('is there with all its workspaces, organisations and tokens, and with its time', async () => {
    const { workspace } = await startTestWorkspace({ folder });
    const books = workspace.admin.addTeam({
      name: 'Books',
      people: [{ name: 'Rosa Lima' }],
      installed: true,
    });
    const ship = workspace.admin.addOrganisation({
      name: 'Starship',
      teams: [{ name: 'North', people: [{ name: 'Nora Quist' }] }],
      installed: true,
    });
    workspace.clock.advance(DAY);
    const again = await reopened(workspace);
    const info = async (token: string) => (await clientFor(again, token).auth.test()).team;
    expect(await Promise.all([again.botToken, books.botToken, ship.botToken()].map(info))).toEqual([
      'Harbour Coffee',
      'Books',
      'Starship',
    ]);
    expect(again.clock.now() - Date.now()).toBeGreaterThan(DAY - 60_000);
    expect([again.clientId, again.clientSecret]).toEqual([workspace.clientId, workspace.clientSecret]);
    await again.close();
  });

  it('is moved aside where an earlier version kept it, and the tokens stay', async () => {
    const { bot, app, signingSecret } = makeTokens();
    await writeFile(join(folder, 'tokens.json'), JSON.stringify({ bot, app, signingSecret }));
    const earlier = JSON.stringify({ version: 1, people: ['Ana'] });
    const moved: string[] = [];
    const onMovedAside = (to: string) => void moved.push(to);
    for (const file of ['first', 'second']) {
      await mkdir(join(folder, 'files'), { recursive: true });
      await writeFile(join(folder, 'files', file), file);
      await writeFile(join(folder, 'state.json'), earlier);
      const { workspace, client } = await startTestWorkspace({ folder, onMovedAside });
      expect(workspace.botToken).toBe(bot);
      expect((await client.auth.test()).team_id).toBe('T01HARBOUR');
      await workspace.close();
    }
    expect(moved).toEqual([`${folder}-earlier-1`, `${folder}-earlier-2`]);
    expect(await readFile(join(`${folder}-earlier-1`, 'state.json'), 'utf8')).toBe(earlier);
    expect(await readdir(join(`${folder}-earlier-1`, 'files'))).toEqual(['first']);
    expect(await readdir(join(`${folder}-earlier-2`, 'files'))).toEqual(['second']);
    for (const aside of moved) await rm(aside, { recursive: true });
  });

  it('makes a folder that only its owner can open', async () => {
    const made = join(folder, 'data');
    const { workspace } = await startTestWorkspace({ folder: join(made, 'workspace') });
    await workspace.close();
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    expect((await stat(join(made, 'workspace'))).mode & 0o777).toBe(0o700);
  });

  it('is written soon after a change, whole, and its tokens are for nobody else', async () => {
    const { workspace } = await startTestWorkspace({ folder });
    await workspace.as('Ana').in('#general').type('written');
    await expect
      .poll(() => readFile(join(folder, 'state.json'), 'utf8').catch(() => ''))
      .toContain('written');
    for (const name of await readdir(folder)) {
      const { mode } = await stat(join(folder, name));
      expect([name, mode & 0o077]).toEqual([name, 0]);
    }
    await workspace.close();
  });

  it('is written within 100 ms, so that a crash brings back little that was over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let written = 0;
    const saver = saveInto(folder, () => {
      written += 1;
      return sampleTeam(appFacts({}), 0);
    });
    saver.touch();
    saver.touch();
    await vi.advanceTimersByTimeAsync(100);
    expect(written).toBe(1);
    await saver.close();
  });

  it('that cannot be read, or is a newer version’s, is named, and left as it is', async () => {
    await writeFile(join(folder, 'state.json'), '{"half":');
    await expect(startTestWorkspace({ folder })).rejects.toThrow('state.json cannot be read');
    await writeFile(join(folder, 'state.json'), '{"version":99}');
    await expect(startTestWorkspace({ folder })).rejects.toThrow('state.json belongs to a newer version');
    expect(await readFile(join(folder, 'state.json'), 'utf8')).toBe('{"version":99}');
  });

  it('orders messages by a clock that never goes back', async () => {
    let now = Date.UTC(2026, 10, 20);
    const { workspace } = await startTestWorkspace({ folder, now: () => now });
    const client = clientFor(workspace, workspace.botToken);
    const first = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'one' });
    now -= 60_000;
    const second = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'two' });
    expect(Number(second.ts)).toBeGreaterThan(Number(first.ts));
    await workspace.close();
  });
});
