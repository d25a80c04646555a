import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readManifest } from '../src/app-manifest.ts';
import { createSampleTeam } from '../src/state/new-team.ts';
import { createSaver, createTokens } from '../src/state/state-folder.ts';
import type { Workspace } from '../src/workspace.ts';
import { createSlackClient, startTestWorkspace, TEST_MANIFEST } from './support/workspace.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('the stored state of a practice workspace', () => {
  let folder: string;
  beforeEach(async () => {
    await mkdir('.cache', { recursive: true });
    folder = await mkdtemp(join('.cache', 'workspace-'));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rm(folder, { recursive: true });
  });

  async function reopenWorkspace(workspace: Workspace): Promise<Workspace> {
    await workspace.close();
    return (await startTestWorkspace({ folder })).workspace;
  }

  it('messages, direct messages, Home and tokens are available after a restart', async () => {
    const { workspace, client } = await startTestWorkspace({ folder });
    await workspace.as('Ana').in('#general').type('still here');
    await client.chat.postMessage({ channel: 'U01ANAFERR', text: 'only for you' });
    const header = { type: 'header' as const, text: { type: 'plain_text' as const, text: 'Welcome home' } };
    await client.views.publish({ user_id: 'U01ANAFERR', view: { type: 'home', blocks: [header] } });
    const reopenedWorkspace = await reopenWorkspace(workspace);
    expect(reopenedWorkspace.botToken).toBe(workspace.botToken);
    expect(reopenedWorkspace.as('Ben').in('#general').messages()).toContain('still here');
    expect((await reopenedWorkspace.as('Ana').inDirectMessage()).messages()).toEqual(['only for you']);
    expect((await reopenedWorkspace.as('Ana').home('Welcome home')).text()).toBe('Welcome home');
    await reopenedWorkspace.close();
  });

  it('another app can read the messages, in which mentions have the name of that app', async () => {
    const { workspace } = await startTestWorkspace({ folder });
    await workspace.as('Ana').in('#general').type('for @tester');
    await workspace.close();
    const features = { bot_user: { display_name: 'Of others' } };
    const { workspace: reopened } = await startTestWorkspace({
      folder,
      manifest: { ...TEST_MANIFEST, features },
    });
    expect(reopened.as('Ana').in('#general').messages()).toContain('for @Of others');
    await reopened.close();
  });

  it('workspaces, organisations, tokens and the clock’s setting are available after a restart', async () => {
    const { workspace } = await startTestWorkspace({ folder });
    const books = workspace.admin.addTeam({
      name: 'Books',
      people: [{ name: 'Rosa Lima' }],
      installed: true,
    });
    const starship = workspace.admin.addOrganisation({
      name: 'Starship',
      teams: [{ name: 'North', people: [{ name: 'Nora Quist' }] }],
      installed: true,
    });
    workspace.clock.advance(DAY_MS);
    const reopened = await reopenWorkspace(workspace);
    const readTeamName = async (token: string) => (await createSlackClient(reopened, token).auth.test()).team;
    expect(
      await Promise.all([reopened.botToken, books.botToken, starship.botToken()].map(readTeamName)),
    ).toEqual(['Harbour Coffee', 'Books', 'Starship']);
    expect(reopened.clock.now() - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
    expect([reopened.clientId, reopened.clientSecret]).toEqual([workspace.clientId, workspace.clientSecret]);
    await reopened.close();
  });

  it('the state of an earlier version is moved aside, and the tokens stay', async () => {
    const { bot, app, signingSecret } = createTokens();
    await writeFile(join(folder, 'tokens.json'), JSON.stringify({ bot, app, signingSecret }));
    const earlierState = JSON.stringify({ version: 1, people: ['Ana'] });
    const movedFolders: string[] = [];
    const onMovedAside = (to: string) => void movedFolders.push(to);
    for (const file of ['first', 'second']) {
      await mkdir(join(folder, 'files'), { recursive: true });
      await writeFile(join(folder, 'files', file), file);
      await writeFile(join(folder, 'state.json'), earlierState);
      const { workspace, client } = await startTestWorkspace({ folder, onMovedAside });
      expect(workspace.botToken).toBe(bot);
      expect((await client.auth.test()).team_id).toBe('T01HARBOUR');
      await workspace.close();
    }
    expect(movedFolders).toEqual([`${folder}-earlier-1`, `${folder}-earlier-2`]);
    expect(await readFile(join(`${folder}-earlier-1`, 'state.json'), 'utf8')).toBe(earlierState);
    expect(await readdir(join(`${folder}-earlier-1`, 'files'))).toEqual(['first']);
    expect(await readdir(join(`${folder}-earlier-2`, 'files'))).toEqual(['second']);
    for (const movedFolder of movedFolders) await rm(movedFolder, { recursive: true });
  });

  it('only the owner can open the state’s folder', async () => {
    const dataFolder = join(folder, 'data');
    const { workspace } = await startTestWorkspace({ folder: join(dataFolder, 'workspace') });
    await workspace.close();
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataFolder, 'workspace'))).mode & 0o777).toBe(0o700);
  });

  it('the state is written completely soon after a change, and only its owner can read the tokens', async () => {
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

  it('the state is written within 100 ms, so that little is lost in a crash', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let saveCount = 0;
    const saver = createSaver(folder, () => {
      saveCount += 1;
      return createSampleTeam(readManifest({}), 0);
    });
    saver.touch();
    saver.touch();
    await vi.advanceTimersByTimeAsync(100);
    expect(saveCount).toBe(1);
    await saver.close();
  });

  it('an unreadable state, or the state of a newer version, is reported and not changed', async () => {
    await writeFile(join(folder, 'state.json'), '{"half":');
    await expect(startTestWorkspace({ folder })).rejects.toThrow('state.json cannot be read');
    await writeFile(join(folder, 'state.json'), '{"version":99}');
    await expect(startTestWorkspace({ folder })).rejects.toThrow('state.json belongs to a newer version');
    expect(await readFile(join(folder, 'state.json'), 'utf8')).toBe('{"version":99}');
  });

  it('messages stay in order even if the clock goes back', async () => {
    let now = Date.UTC(2026, 10, 20);
    const { workspace } = await startTestWorkspace({ folder, now: () => now });
    const client = createSlackClient(workspace);
    const first = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'one' });
    now -= 60_000;
    const second = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'two' });
    expect(Number(second.ts)).toBeGreaterThan(Number(first.ts));
    await workspace.close();
  });
});
