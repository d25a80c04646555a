import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { findProjectStop } from '../../../src/submissions/project-stop.ts';
import { openFilledForm, submitAndClose, submitLine } from '../../support/filled-form.ts';
import { expectParts, submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { data, json, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, seeAll } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, ben, database, running, startBot } = setUpBot();

const HARBOUR = { workspace: 'T01HARBOUR', project: 'a' };
const BEN = 'U02BENOKAF';
const MIRA = 'U03MIRAVOS';
const PROJECT = { id: 'a', name: 'Harbour Coffee' };
const findStop = (project = HARBOUR.project) => findProjectStop(database.db, { ...HARBOUR, project });

const holdForBen = () =>
  holdPost(running, { text: 'Ben keeps this', at: '2026-12-03T09:00:00Z', author: BEN, project: PROJECT });

async function stopHarbour(reason = '') {
  await submitWith(await askForForm(ana, '/upnext stop', 'Stop sending?'), { Reason: reason });
  await ana.sees('is stopped.');
  await (await ana.modal('Stopped')).close();
  return ana;
}

describe('with one project', () => {
  beforeEach(async () => {
    await startBot();
    running.service.on('GET /projects', data([{ Id: 'a', Name: 'Harbour Coffee' }]));
    running.service.on('GET /posts', data([]));
  });

  test('/upnext stop says what stops and how many posts wait, and stops only after the confirmation', async () => {
    running.service.on('POST /posts', json(429, {}));
    const { ana } = await submitAndClose(running);
    const form = await askForForm(ana, '/upnext stop', 'Stop sending?');
    expect(form.text()).toContain(
      'I’ll send nothing more for Harbour Coffee until a Manager resumes it. 1 post is waiting',
    );
    expect(await findStop()).toBeUndefined();
    await submitWith(form, { Reason: 'wrong <!channel> *copy*' });
    const stopped = await ana.modal('Stopped');
    const view = stopped.text();
    expect(view).toContain('Harbour Coffee is stopped.');
    expect(view).toMatch(/Stopped by @Ana.*: “wrong <!channel> ∗copy∗”/);
    expect(await findStop()).toMatchObject({ reason: 'wrong <!channel> *copy*', stopped_by: 'U01ANAFERR' });
    expect(running.logged.join('\n')).not.toContain('copy');
    const actions = await database.db.selectFrom('audit_entry').select('action').execute();
    expect(actions).toContainEqual({ action: 'stop project' });
    // Whoever may resume it does so from there.
    expect(view).not.toContain('A Manager can resume it');
    await stopped.press('Resume…');
    await ana.sees('1 post goes out as planned when you resume.');
  });

  test('an invitation that waits isn’t called a post', async () => {
    running.service.on('POST /invite', json(429, {}));
    const user = running.workspace.as('Ana').in('#harbour-coffee');
    await user.type('/invite-user cleo@harbour.example Cleo Marsh');
    const invitation = await user.modal('Invite to service');
    const submitted = await submitWith(invitation, { 'Role in the scheduling service': ['EDITOR'] });
    await (await submitted.view?.submit())?.view?.close();
    const form = await askForForm(user, '/upnext stop', 'Stop sending?');
    expect(form.text()).toContain('1 submission is waiting');
    await form.submit();
    await (await user.modal('Stopped')).close();
    await user.sees('1 submission waits until a Manager resumes it');
    await ask(user, '/upnext resume', '1 submission goes out as planned when you resume.');
  });

  test('the answer lists what can’t be stopped: calls in flight, and posts that the service has', async () => {
    running.service.on('POST /posts', json(500, {}));
    const { ana } = await submitAndClose(running);
    running.service.on(
      'GET /posts',
      data([listedPost('Second', '2026-11-22T09:00:00Z'), listedPost('First', '2026-11-21T09:00:00Z')]),
    );
    await (await askForForm(ana, '/upnext stop', 'Stop sending?')).submit();
    const view = (await ana.modal('Stopped')).text();
    expectParts(view, 'Upnext can’t stop these', '1 submission was on the way to the service:');
    expect(view).toContain('Post for Harbour Coffee, Tue 1 Dec, 09:00 (Lisbon)');
    expect(view).toContain('The scheduling service has 2 posts to publish. Change them there.');
    expect(view).toContain('Sat 21 Nov, 09:00 First');
    expect(view.indexOf('First')).toBeLessThan(view.indexOf('Second'));
  });

  test('the channel and every author with a post that waits are told, once, and all posts are named', async () => {
    running.service.on('POST /posts', json(429, {}));
    for (const day of [1, 2]) {
      const { view } = await submitLine(ben, `/schedule-post ${day} Dec 9am on x: Ben’s post ${day}`);
      expect(view?.text()).toContain('Saved, not sent yet.');
      await view?.close();
    }
    await holdForBen();
    await holdPost(running, { text: 'Ana keeps this', at: '2026-12-04T09:00:00Z', project: PROJECT });
    const ana = await stopHarbour('*wrong* copy');
    await ben.sees(
      'Ana Ferreira stopped sending for Harbour Coffee: “∗wrong∗ copy”. 4 posts wait until a Manager resumes it',
    );
    const direct = await running.workspace.as('Ben').inDirectMessage();
    await direct.sees('3 of your posts wait until it’s resumed:');
    for (const text of ['Ben’s post 1', 'Ben’s post 2', 'Ben keeps this']) await direct.sees(text);
    expect(direct.read()).not.toContain('Ana keeps this');
    // Who stopped it knows it, and another press changes nothing.
    await (await askForForm(ana, '/upnext stop', 'Stop sending?')).submit();
    await seeAll(ana, 'Harbour Coffee is stopped already.', 'Nothing is on its way to the service.');
    await (await ana.modal('Stopped')).close();
    const count = (person: { messages(): string[] }) =>
      person.messages().filter((message) => message.includes('stopped sending for')).length;
    expect(count(running.workspace.as('Ben').in('#harbour-coffee'))).toBe(1);
    expect(count(await running.workspace.as('Ana').inDirectMessage())).toBe(0);
  });

  test('of very many posts all are counted, and the author of the last one is told too', async () => {
    await holdForBen();
    // Made by the database: 20,000 parameters occupy this thread for so long that Slack's pongs are read too late.
    const last = JSON.stringify({ author: MIRA, publish_at: '2026-12-09T09:00:00Z' });
    await sql`insert into held_post select copy.* from held_post post cross join generate_series(1, 510) number
      cross join lateral jsonb_populate_record(post, jsonb_build_object('id', gen_random_uuid(), 'origin', gen_random_uuid())
        || case when number = 510 then ${last}::jsonb else '{}' end) copy`.execute(database.db);
    await stopHarbour();
    await ben.sees('Ana Ferreira stopped sending for Harbour Coffee. 511 posts wait');
    await (await running.workspace.as('Mira').inDirectMessage()).sees(
      'One of your posts waits until it’s resumed:',
    );
    const direct = await running.workspace.as('Ben').inDirectMessage();
    await direct.sees('510 of your posts wait until it’s resumed:');
    await direct.sees('…and 490 more. See them with /upnext outbox and /upnext posts scheduled.');
  });

  test('the answer lists all posts that can’t be stopped', async () => {
    running.service.on(
      'GET /posts',
      data(
        Array.from({ length: 12 }, (_, index) =>
          listedPost(
            `Post ${index + 1} ${'&'.repeat(90)}`,
            `2026-11-${21 + Math.floor(index / 2)}T09:0${index % 2}:00Z`,
          ),
        ),
      ),
    );
    await (await askForForm(ana, '/upnext stop', 'Stop sending?')).submit();
    const view = (await ana.modal('Stopped')).text();
    for (let index = 1; index <= 12; index += 1) expect(view).toContain(`Post ${index} &`);
  });

  test('whoever names another project than the only one isn’t told to choose', async () => {
    const text = (await askForForm(ana, '/upnext stop Corner Shop', 'Stop sending?')).text();
    expect(text).toContain('I know no project “Corner Shop” that you may stop.');
    expect(text).not.toContain('Choose one.');
  });

  test('a project can be stopped and resumed while nobody can read the service’s projects', async () => {
    await ask(ana, '/upnext projects', 'Harbour Coffee');
    running.service.on('GET /projects', data(7));
    const form = await askForForm(ana, '/upnext stop Harbour Coffee', 'Stop sending?');
    expect(form.text()).toContain('I’ll send nothing more for Harbour Coffee');
    await form.submit();
    await (await ana.modal('Stopped')).close();
    expect(await findStop()).toBeDefined();
    await ask(ana, '/upnext resume Harbour Coffee', 'Resume Harbour Coffee?');
  });

  test('a project can be stopped while the service is down, and the answer says what isn’t known', async () => {
    const form = await askForForm(ana, '/upnext stop', 'Stop sending?');
    await running.service.stop();
    await form.submit();
    await ana.sees(
      'I don’t know which posts the service already has. The scheduling service isn’t answering.',
    );
    expect(await findStop()).toBeDefined();
  });

  test.each([
    ['at once', 0],
    ['after the answer', 400],
  ])('the authors are told although reading the service’s posts fails %s', async (_, delayMs) => {
    await startBot({ pace: { acknowledgementTimeoutMs: 200 } });
    running.service.on('GET /projects', data([{ Id: 'a', Name: 'Harbour Coffee' }]));
    await holdForBen();
    const form = await askForForm(ana, '/upnext stop', 'Stop sending?');
    const call = async () => {
      await delay(delayMs);
      throw new Error('no such client');
    };
    Object.assign(running.settings.api ?? {}, { call });
    await form.submit();
    await ana.sees('I don’t know which posts the service already has.');
    await (await running.workspace.as('Ben').inDirectMessage()).sees(
      'One of your posts waits until it’s resumed:',
    );
    expect(running.logged.join('\n')).toContain('no such client');
  });

  test.each([
    ['what is on its way', 500, 'I don’t know which posts are on their way to the service.'],
    ['what waits', 429, 'Nothing is on its way to the service.'],
  ])('people are told although %s can’t be read', async (_, status, text) => {
    running.service.on('POST /posts', json(status, {}));
    await submitAndClose(running);
    const form = await askForForm(ana, '/upnext stop', 'Stop sending?');
    await holdForBen();
    const unreadable = sql<Date>`'infinity'`;
    await database.db.updateTable('submission').set({ created_at: unreadable, next_at: null }).execute();
    await form.submit();
    await ana.sees(text);
    await (await ana.modal('Stopped')).close();
    await ana.sees('Ana Ferreira stopped sending for Harbour Coffee.');
    await (await running.workspace.as('Ben').inDirectMessage()).sees(
      'One of your posts waits until it’s resumed:',
    );
  });

  test('people are told of a stop after which a post may still be sent, and the next press ends that', async () => {
    running.service.on('POST /posts', json(429, {}));
    await submitAndClose(running);
    await holdForBen();
    const form = await askForForm(ana, '/upnext stop', 'Stop sending?');
    const setFence = (fence: number) =>
      database.db.updateTable('submission').set({ fence, next_at: null }).execute();
    // There is no number after it.
    await setFence(2 ** 31 - 1);
    const { view } = await form.submit();
    expect(view?.text()).not.toContain('is stopped');
    await (await running.workspace.as('Ben').inDirectMessage()).sees(
      'One of your posts waits until it’s resumed:',
    );
    const readActions = () => database.db.selectFrom('audit_entry').select('action').execute();
    await expect.poll(readActions).toContainEqual({ action: 'stop project' });
    await setFence(1);
    await (await askForForm(ana, '/upnext stop', 'Stop sending?')).submit();
    await seeAll(ana, 'Harbour Coffee is stopped already.', 'Nothing is on its way to the service.');
    expect(await database.db.selectFrom('submission').select('fence').execute()).toEqual([{ fence: 2 }]);
  });

  test('a project can be stopped while the service refuses the token', async () => {
    await ask(ana, '/upnext projects', 'Harbour Coffee');
    running.service.on('GET /projects', json(401, {}));
    await (await askForForm(ana, '/upnext stop', 'Stop sending?')).submit();
    await ana.sees('Harbour Coffee is stopped.');
    expect(await findStop()).toBeDefined();
  });

  test('a post that is submitted while its project is stopped is saved, and says who stopped it', async () => {
    const ana = await stopHarbour('wrong copy');
    await (await openFilledForm(running)).form.submit();
    const view = (await ana.modal('Stopped')).text();
    expect(view).toContain('Sending is stopped, so it waits. I’ll send it if that ends in time.');
    expect(view).toMatch(/Stopped by @Ana.*: “wrong copy” · I’ll wait until .*, then ask you what to do\./);
    expect(view).toContain('A Manager of the project can resume it with /upnext resume.');
    expect(running.service.created()).toEqual([]);
  });

  test('a project that is stopped already says who stopped it, also if stop is pressed twice', async () => {
    const form = await askForForm(ana, '/upnext stop', 'Stop sending?');
    await (await askForForm(ben, '/upnext stop', 'Stop sending?')).submit();
    await ben.sees('Harbour Coffee is stopped.');
    await form.submit();
    await seeAll(ana, 'Harbour Coffee is stopped already.', 'Stopped by @Ben');
    await (await ana.modal('Stopped')).close();
    expect((await askForForm(ana, '/upnext stop harbour coffee', 'Stop sending?')).text()).toMatch(
      /Harbour Coffee is stopped already\.\s+Stopped by @Ben/,
    );
  });

  test('Home and /upnext status say that a project is stopped', async () => {
    const ana = await stopHarbour();
    await ask(ana, '/upnext status', '1 issue: Harbour Coffee is stopped.');
    await ana.sees(
      'Harbour Coffee: Ana Ferreira stopped it Fri 20 Nov, 12:00 (Lisbon). A Manager can resume it',
    );
    const home = await running.workspace.as('Ana').home('Commands');
    expectParts(home.text(), 'Harbour Coffee is stopped. Nothing new goes out.', '[Resume…]');
  });
});

test('/upnext stop asks which project, among those that the person may stop', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  await grantBen(database.db, 'publisher', 'p2');
  const form = await askForForm(ben, '/upnext stop', 'Stop sending?');
  expect(form.text()).toContain('Night Market Books');
  expect(form.text()).not.toContain('Harbour Coffee');
  await form.submit();
  await ben.sees('Night Market Books is stopped.');
  expect(await findStop('p1')).toBeUndefined();
  expect(await findStop('p2')).toBeDefined();
});

test('the project in the command is preselected, and an unknown one isn’t stopped', async () => {
  await startWithTwoProjects(startBot);
  running.service.on('GET /posts', data([]));
  const ana = running.workspace.as('Ana').in('#general');
  const form = await askForForm(ana, '/upnext stop Corner Shop', 'Stop sending?');
  expect(form.text()).toContain('I know no project “Corner Shop” that you may stop. Choose one.');
  expect(form.value('Reason')).toBe('');
  expect((await form.submit()).errors).toEqual({ Project: 'Please complete this required field.' });
  await form.choose('Project', 'Harbour Coffee');
  await ana.sees('I’ll send nothing more for Harbour Coffee');
  await form.close();
  const secondForm = await askForForm(ana, '/upnext stop night market books', 'Stop sending?');
  expect(secondForm.text()).toContain('I’ll send nothing more for Night Market Books');
  await secondForm.submit();
  await ana.sees('Night Market Books is stopped.');
});

test.each([
  ['night market books', ''],
  ['night market books wrong prices', 'wrong prices'],
  ['wrong prices at night market books', 'wrong prices at night market books'],
  ['Corner Shop', ''],
  ['The Old Corner Shop', ''],
  ['corner shop', ''],
  ['nigth market boks', ''],
  ['the prices are wrong', 'the prices are wrong'],
  ['Wrong prices in the launch posts', 'Wrong prices in the launch posts'],
])('of “/upnext stop %s”, only what isn’t like a name is the announced reason', async (words, reason) => {
  await startWithTwoProjects(startBot);
  const ana = running.workspace.as('Ana').in('#general');
  const form = await askForForm(ana, `/upnext stop ${words}`, 'Stop sending?');
  const isKnown = words.includes('night market books');
  expect(form.text()).toContain(
    isKnown ? 'I’ll send nothing more for Night Market Books' : `I know no project “${words}”`,
  );
  expect(form.value('Reason')).toBe(reason);
});
