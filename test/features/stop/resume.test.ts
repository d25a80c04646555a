import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { listAuditRows } from '../../support/audit-record.ts';
import { NOW } from '../../support/bot.ts';
import { copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { submitAndClose, submitFilledForm, submitLine } from '../../support/filled-form.ts';
import { changeHeldPosts, holdPost } from '../../support/hold-posts.ts';
import { copyPosts, followSubmissions } from '../../support/posts-of-submissions.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, confirmAndSee, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, ben, database, running, setPolicy, startBot } = setUpBot();

const HARBOUR = { workspace: 'T01HARBOUR', project: 'a' };
const HOUR_MS = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

beforeEach(async () => {
  await startBot({ mode: 'http' });
  running.service.on('GET /projects', data([{ Id: 'a', Name: 'Harbour Coffee' }]));
  running.service.on('GET /posts', data([]));
  running.service.on('POST /posts', data({ Id: 'made' }));
});

const stopAs = (stoppedBy: string, project = HARBOUR) =>
  stopSending(database.db, { reason: 'wrong copy', since: hoursAgo(2), stoppedBy }, project);

async function submitPost(text: string) {
  const { ana } = await submitFilledForm(running, { text });
  await (await ana.modal('Stopped')).close();
  return ana;
}

/** Submits a post whose time then passes while the project is stopped. */
async function missPost(text: string) {
  const ana = await submitPost(text);
  await database.db
    .updateTable('submission')
    .set({ state: 'blocked', reason: 'overdue', publish_at: hoursAgo(1), next_at: null })
    .where('state', '=', 'retryable')
    .execute();
  await followSubmissions(database.db);
  return ana;
}

/** Stores copies of the only submission. Their times are before NOW too. */
async function copySubmission(count: number, changes: { project?: string } = {}) {
  const row = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, (_, index) => ({
    ...row,
    ...{ id: randomUUID(), origin: randomUUID(), lock_key: null, ...changes },
    publish_at: new Date(hoursAgo(1).getTime() + (index + 1) * 10_000),
  }));
  await database.db.insertInto('submission').values(copies).execute();
  await copyPosts(database.db, row.id, copies);
}

const listStates = async () =>
  (await database.db.selectFrom('submission').select('state').orderBy('created_at').execute()).map(
    ({ state }) => state,
  );

test('/upnext resume shows what waits and who stopped it, and sends it after the press', async () => {
  await stopAs('U02BENOKAF');
  const ana = await submitPost('We open at nine');
  await ask(ana, '/upnext resume', 'Resume Harbour Coffee?', 'Stopped by @Ben');
  await ana.sees('1 post goes out as planned when you resume.');
  expect(running.service.created()).toEqual([]);
  await pressAndSee(ana, 'Resume', 'Harbour Coffee is resumed.');
  await expect.poll(() => running.service.created()).toHaveLength(1);
  const actions = await database.db.selectFrom('audit_entry').select('action').execute();
  expect(actions).toContainEqual({ action: 'resume project' });
});

test('posts that missed their time aren’t sent late, and wait for their authors', async () => {
  await stopAs('U02BENOKAF');
  const ana = await missPost('Good morning');
  await copySubmission(1, { project: 'b' });
  await ask(ana, '/upnext resume Harbour Coffee', '1 post missed its time', '“Good morning”', '[New time]');
  await pressAndSee(ana, 'Resume, keep it for its author', '1 post waits for its author.');
  expect(await listStates()).toEqual(['blocked', 'blocked']);
  expect(running.service.created()).toEqual([]);
});

test('posts that missed their time can be discarded, one or all, and their author is told', async () => {
  await stopAs('U02BENOKAF');
  await missPost('One');
  await missPost('Two');
  await missPost('Three');
  await ask(ben, '/upnext resume', '3 posts missed their time');
  await confirmAndSee(ben, 'Discard', '2 posts missed their time');
  await (await running.workspace.as('Ana').inDirectMessage()).sees('@Ben Okafor cancelled it.');
  // Somebody handles one of the other two meanwhile.
  await database.db
    .updateTable('submission')
    .set({ state: 'saved', reason: null, publish_at: new Date(NOW.getTime() + HOUR_MS), next_at: null })
    .where('id', 'in', (query) =>
      query.selectFrom('submission').select('id').where('state', '=', 'blocked').limit(1),
    )
    .execute();
  await confirmAndSee(ben, 'Resume, discard all', 'Harbour Coffee is resumed.', '1 post discarded.');
  expect((await listStates()).toSorted()).toEqual(['discarded', 'discarded', 'saved']);
  const entries = (await listAuditRows(database.db)).filter(({ action }) => action === 'held-posts cancel');
  expect(entries.map(({ actor }) => actor)).toEqual(['U02BENOKAF', 'U02BENOKAF']);
});

test('the channel is told of a resumption, and each author of what became of their posts', async () => {
  await stopAs('U01ANAFERR');
  await missPost('Too late');
  await submitPost('In time');
  await ben.type('/upnext resume');
  await ben.press('Resume, discard it', { dialog: 'confirm' });
  await ben.sees('Ben Okafor resumed sending for Harbour Coffee. 1 post goes out as planned.');
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await seeAll(ana, 'One of your posts goes out as planned:', '“In time”');
  await seeAll(ana, '@Ben Okafor cancelled it.', 'Too late');
  expect((await running.workspace.as('Ben').inDirectMessage()).read()).not.toContain('resumed sending');
});

test('an author of several held posts that are discarded with one press is told once', async () => {
  await stopAs('U01ANAFERR');
  for (const text of ['One', 'Two'])
    await holdPost(running, {
      text,
      at: '2026-12-01T09:00:00Z',
      project: { id: 'a', name: 'Harbour Coffee' },
    });
  await changeHeldPosts(database, {
    state: 'needs-person',
    reason: 'overdue',
    publish_at: hoursAgo(1),
    next_at: null,
    notify_at: null,
  });
  await ben.type('/upnext resume');
  await confirmAndSee(ben, 'Resume, discard all', '2 posts discarded.');
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ana.sees('@Ben Okafor cancelled 2 of your posts:');
  expect(ana.messages()).toHaveLength(1);
});

test('more posts than fit into a message can be opened from it', async () => {
  await stopAs('U02BENOKAF');
  await database.db.deleteFrom('submission').execute();
  await missPost('Post 1');
  await copySubmission(16);
  await ask(ana, '/upnext resume', '17 posts missed their time');
  const countShown = () => (ana.messages().at(-1) ?? '').split('[Discard]').length - 1;
  expect(countShown()).toBe(10);
  await ana.press('Next page');
  await expect.poll(countShown).toBe(7);
  await confirmAndSee(ana, 'Discard', '16 posts missed their time, 11 to 16');
  expect(countShown()).toBe(6);
  await ana.press('Previous page');
  await expect.poll(countShown).toBe(10);
});

test('/upnext resume says that nothing is stopped, or that a project isn’t', async () => {
  await ask(ana, '/upnext resume', 'No project that you manage is stopped.');
  await ask(ana, '/upnext resume harbour coffee', 'Harbour Coffee isn’t stopped.');
  await ask(ana, '/upnext resume Corner Shop', 'I know no stopped project “Corner Shop” that you manage.');
});

test('a button about an earlier stop changes nothing', async () => {
  await stopAs('U02BENOKAF');
  await ask(ana, '/upnext resume', 'Resume Harbour Coffee?');
  await resumeSending(database.db, CAPABILITIES, NOW, HARBOUR);
  await stopSending(database.db, { reason: 'again', since: hoursAgo(1), stoppedBy: 'U02BENOKAF' }, HARBOUR);
  await pressAndSee(ana, 'Resume', 'It was resumed and stopped again meanwhile. Nothing was changed.');
  await resumeSending(database.db, CAPABILITIES, NOW, HARBOUR);
  await pressAndSee(ana, 'Resume', 'Harbour Coffee is no longer stopped. Nothing was changed.');
});

test('while an operator has stopped all sending, all answers say that nothing goes out yet', async () => {
  await stopSending(database.db, { reason: '', since: hoursAgo(1) });
  for (const [name, answer] of [
    ['', 'No project that you manage is stopped.'],
    [' Harbour Coffee', 'Harbour Coffee isn’t stopped.'],
  ]) {
    await ana.type(`/upnext resume${name}`);
    await ana.sees(
      `${answer}\nBut an operator has stopped all sending, and only an operator can resume that.`,
    );
  }
  await stopAs('U02BENOKAF');
  await askAndPress(ana, '/upnext resume', 'Resume');
  await ana.sees('An operator has stopped all sending too, so nothing goes out until that ends.');
  await resumeSending(database.db, CAPABILITIES, NOW);
});

describe('if the service refuses the token', () => {
  /** Submits a post, before or after the project was stopped. */
  async function submitPost({ isStopped }: { isStopped: boolean }) {
    if (isStopped) await stopAs('U02BENOKAF');
    else running.service.on('POST /posts', json(401, {}));
    const { ana } = await submitAndClose(running);
    if (!isStopped) await stopAs('U02BENOKAF');
    return ana;
  }

  test.each([
    ['from before it was stopped', false],
    ['since then', true],
  ])('%s, nobody reads that posts just go out', async (_when, isStopped) => {
    const ana = await submitPost({ isStopped });
    running.service.on('GET /projects', json(401, {}));
    await ana.type('/upnext resume');
    await ana.sees(
      'The scheduling service refuses my access, so posts wait until an Owner replaces the token',
    );
    await ana.press('Resume');
    await ana.sees('1 post goes out as planned, once the scheduling service accepts my access.');
  });

  test('only until it was stopped, people read that posts go out', async () => {
    const ana = await submitPost({ isStopped: false });
    await ask(ana, '/upnext resume', '1 post goes out as planned when you resume.');
    expect(ana.read()).not.toContain('refuses my access');
  });
});

test('with several stopped projects, /upnext resume asks which', async () => {
  await startWithTwoProjects(startBot);
  await stopAs('U02BENOKAF', { ...HARBOUR, project: 'p1' });
  await stopAs('U01ANAFERR', { ...HARBOUR, project: 'p2' });
  const ana = running.workspace.as('Ana').in('#general');
  await ask(ana, '/upnext resume', 'Which project?', 'Night Market Books');
  await pressAndSee(ana, 'Resume…', 'Nothing is waiting.');
});

test('a stopped project that the service doesn’t list is resumed by its id, by its managers only', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await grantBen(database.db, 'manager', 'p1');
  await stopAs('U02BENOKAF', { ...HARBOUR, project: 'p9' });
  const ben = running.workspace.as('Ben').in('#general');
  await ask(ben, '/upnext resume p9', 'I know no stopped project “p9” that you manage.');
  const ana = running.workspace.as('Ana').in('#general');
  await askAndPress(ana, '/upnext resume p9', 'Resume', 'A project is resumed.');
});

test('an equal post that the service has already is not said to wait for the resumption', async () => {
  await setPolicy({ leadMinutes: 60 }, HARBOUR.project);
  const line = '/schedule-post 1 Dec 9am on x: We open at nine';
  await submitLine(ana, line);
  await ana.sees('· Editable until Tue 1 Dec, 08:00.');
  await changeHeldPosts(database, { state: 'delivered', next_at: null });
  await stopAs('U02BENOKAF');
  await submitLine(ana, line);
  await ana.sees('You’ve already saved this post.');
  expect(ana.read()).not.toContain('Sending is stopped, so it waits.');
});

test('a held post that missed its time can be moved or discarded, and is cancelled', async () => {
  await setPolicy({ leadMinutes: 60 }, HARBOUR.project);
  await stopAs('U02BENOKAF');
  await submitLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
  await seeAll(ana, 'Stopped by @Ben', 'Sending is stopped, so it waits.');
  await changeHeldPosts(database, {
    state: 'needs-person',
    reason: 'overdue',
    publish_at: hoursAgo(1),
    next_at: null,
  });
  await ask(ben, '/upnext resume', '1 post missed its time', '“We open at nine”');
  await (await pressForForm(ben, 'New time', 'Move to…')).close();
  await confirmAndSee(ben, 'Resume, discard it', '1 post discarded.');
  const states = await database.db.selectFrom('held_post').select('state').execute();
  expect(states).toEqual([{ state: 'cancelled' }]);
  expect(running.service.created()).toEqual([]);
  const entries = (await listAuditRows(database.db)).filter(({ action }) => action === 'held-posts cancel');
  expect(entries.at(-1)?.actor).toBe('U02BENOKAF');
});

test('a press while somebody else resumes says what it discarded', async () => {
  await stopAs('U01ANAFERR');
  await missPost('Too late');
  await ask(ben, '/upnext resume', '1 post missed its time');
  // The stop ends between the press's look at it and its end of it.
  await sql`create function end_stop() returns trigger language plpgsql as
    $$ begin delete from sending_stop; return new; end $$`.execute(database.db);
  await sql`create trigger end_stop after update on submission for each row
    when (new.state = 'discarded') execute function end_stop()`.execute(database.db);
  await confirmAndSee(ben, 'Resume, discard it', 'Harbour Coffee is no longer stopped. 1 post discarded.');
  expect(ben.read()).not.toContain('Nothing was changed.');
  await sql`drop function end_stop cascade`.execute(database.db);
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ana.sees('@Ben Okafor cancelled it.');
  const audit = '@Ben Okafor discarded a post that missed its time in Harbour Coffee';
  await ask(running.workspace.as('Ana').in('#general'), '/upnext audit ben', audit);
});

test('a copy of a press doesn’t replace its result', async () => {
  await stopAs('U02BENOKAF');
  await missPost('One');
  const ana = await missPost('Two');
  await ask(ana, '/upnext resume', '2 posts missed their time');
  const pressTwice = async (label: string, result: string) => {
    running.workspace.faults.set({ deliveries: [{ fault: 'duplicate', kind: 'block_actions' }] });
    await confirmAndSee(ana, label, result);
    running.workspace.faults.set({});
    const press = copyLastRequest(running);
    await deliver(running, press);
    // The answer to another command comes after all that a copy does.
    await ask(ana, '/upnext resume nothing', 'I know no stopped project “nothing” that you manage.', result);
  };
  await pressTwice('Discard', 'Discarded.');
  await pressTwice('Resume, discard it', '1 post discarded.');
  expect(ana.read()).not.toMatch(/Nothing was (changed|discarded)/);
});

test('all of many posts that missed their time are counted and discarded, and their author isn’t sent to a list without them', async () => {
  await stopAs('U02BENOKAF');
  await missPost('Post 1');
  await copySubmission(110);
  await ask(ben, '/upnext resume', '111 posts missed their time');
  await confirmAndSee(ben, 'Resume, discard all', '111 posts discarded.');
  expect(new Set(await listStates())).toEqual(new Set(['discarded']));
  const direct = await running.workspace.as('Ana').inDirectMessage();
  await seeAll(direct, '@Ben Okafor cancelled 111 of your posts:', '…and 101 more');
  expect(direct.read()).not.toContain('See them with');
});
