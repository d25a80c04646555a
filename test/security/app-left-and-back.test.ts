import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { holdPost, reviewedBy } from '../support/hold-posts.ts';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask } from '../support/steps.ts';

/**
 * The app leaves a workspace and comes back. Its earlier messages are still there, and their buttons and readers get nothing
 * of what they were about, which was deleted.
 */

const database = await setUpBotDatabase();
const [ANA, MIRA, WORKSPACE] = ['U01ANAFERR', 'U03MIRAVOS', 'T01HARBOUR'];
const TEXT = 'Canary that was deleted';
const WAIT = { timeout: WAIT_MS, interval: 50 };
let installed: InstalledBot;
beforeEach(async () => {
  installed = await startInstalledBot({ db: database.db });
});
afterEach(async () => {
  await installed.close();
  for (const table of ['held_post', 'access_grant', 'project_policy', 'installation'] as const)
    await database.db.deleteFrom(table).execute();
});

const as = (name: string) => installed.workspace.as(name);

/** Asks Mira in a direct message to review a post of Ana's. */
async function requestReview() {
  const grant = { workspace: WORKSPACE, subjectKind: 'person', subject: MIRA, project: '' } as const;
  const given = { role: 'publisher', reason: 'given', grantedBy: ANA, grantedAt: new Date() } as const;
  await saveGrant(database.db, { ...grant, ...given });
  const policy = reviewedBy(MIRA);
  await savePolicy(database.db, { workspace: WORKSPACE, project: 'p1' }, { ...DEFAULT_POLICY, ...policy });
  await holdPost(installed, { text: TEXT, at: '2099-01-01T09:00Z', policy });
  const mira = await as('Mira').inDirectMessage();
  await mira.sees(TEXT);
  return mira;
}

test('nothing of a workspace is read after the app was uninstalled and installed again', async () => {
  await as('Ana').install(installed.installUrl);
  const mira = await requestReview();
  installed.workspace.admin.uninstall();
  const listContents = () => database.db.selectFrom('held_post').select('content').execute();
  await expect.poll(listContents, WAIT).toEqual([{ content: null }]);

  const sent: Sent[] = [];
  const watcher = watchSent({ onSent: (each) => void sent.push(each) });
  try {
    await as('Ana').install(installed.installUrl);
    await mira.press('Approve');
    await vi.waitUntil(() => mira.messages().length > 1, WAIT);
    await ask(mira, '/upnext posts', 'role');
    const ana = as('Ana').in('#general');
    await ask(ana, '/upnext policy', 'isn’t connected to a scheduling service');
    await as('Ana').home('isn’t connected to a scheduling service');
    await as('Mira').home('You need a role');
    expect(JSON.stringify(sent)).not.toContain(TEXT);
    // What was given before the app left doesn’t count any more.
    const grants = await database.db.selectFrom('access_grant').select(['subject', 'role']).execute();
    expect(grants).toEqual([{ subject: ANA, role: 'owner' }]);
    expect(await database.db.selectFrom('project_policy').select('project').execute()).toEqual([]);
  } finally {
    watcher.stop();
  }
});

test('after its tokens were revoked and it was installed again, people read what their roles let them read', async () => {
  await as('Ana').install(installed.installUrl);
  const mira = await requestReview();
  installed.workspace.admin.revokeToken();
  const listInstallations = () => database.db.selectFrom('installation').select('id').execute();
  await expect.poll(listInstallations, WAIT).toEqual([]);
  await database.db.deleteFrom('access_grant').where('subject', '=', MIRA).execute();

  const sent: Sent[] = [];
  const watcher = watchSent({ onSent: (each) => void sent.push(each) });
  try {
    await as('Ana').install(installed.installUrl);
    await mira.press('Approve');
    await vi.waitUntil(() => mira.messages().length > 1, WAIT);
    const toMira = sent.filter(({ payload }) => payload.channel !== ANA && payload.user_id !== ANA);
    expect(JSON.stringify(toMira)).not.toContain(TEXT);
    const [post] = await database.db.selectFrom('held_post').select('state').execute();
    expect(post?.state).toBe('awaiting-review');
  } finally {
    watcher.stop();
  }
});
