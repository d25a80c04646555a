import { beforeEach, describe, expect, test } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import { findPolicy } from '../../src/preferences/project-policy.ts';
import { discardSubmission } from '../../src/submissions/sql/submissions.ts';
import { listAuditRows } from '../support/audit-record.ts';
import { NOW } from '../support/bot.ts';
import { captureSubmission, copyLastRequest, deliver, submitThrice } from '../support/doubled-form.ts';
import { giveXOwnText } from '../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../support/form-steps.ts';
import { changeHeldPosts, editAsBen, holdPost, listHeldPosts, reviewedBy } from '../support/hold-posts.ts';
import { data, invalid, json } from '../support/scripted-service.ts';
import { FAST_RETRIES, RECEIPT_PACE, setUpBot } from '../support/set-up-bot.ts';
import { ask, askAndPress, askForForm, chooseAndSee, pressAndSee, pressForForm } from '../support/steps.ts';
import { startWithTwoProjects } from '../support/two-projects.ts';

// Each form is delivered twice at the same moment, as a proxy might do, and again after its answer.

const { ana, ben, database, running, setPolicy, startBot } = setUpBot();
const KEY = { workspace: 'T01HARBOUR', project: 'p1' };
let earlierAuditIds: readonly string[] = [];

beforeEach(async () => {
  await startWithTwoProjects(startBot, { mode: 'http', pace: RECEIPT_PACE, allowFileDeletion: true });
  earlierAuditIds = (await listAuditRows(database.db)).map(({ id }) => id);
});

const thrice = (text: string) => [text, text, text].map((part) => expect.stringContaining(part));
/** The answer to a copy of a form that was handled before. */
const HANDLED = 'I already have this form.';
const isNotHandled = (answer: string) => !answer.includes(HANDLED);
const countRows = async (table: 'submission' | 'held_post' | 'held_post_event' | 'digest' | 'zone') =>
  (await database.db.selectFrom(table).selectAll().execute()).length;
const countDeletions = () => running.service.calls.filter(({ method }) => method === 'DELETE').length;
const listActions = async () =>
  (await listAuditRows(database.db))
    .filter(({ id, decision }) => !earlierAuditIds.includes(id) && decision === 'done')
    .map(({ action }) => action);

describe('a form for a post', () => {
  async function openPostForm() {
    const form = await askForForm(ana, '/schedule-post 1 dec 9am We open at nine', 'Schedule a post');
    await fillIn(form, { Platforms: ['X'] });
    return form;
  }

  test('schedules it once', async () => {
    expect(await submitThrice(running, await openPostForm())).toEqual(thrice('{"response_action":"clear"}'));
    expect(running.service.created()).toHaveLength(1);
  });

  test('tells once what became of several texts', async () => {
    // No press reads the outcome, whether it waits for one second or for eight.
    const shortWaits = { acknowledgementTimeoutMs: 1_000, notificationDelayMs: 2_000 };
    const pace = { ...RECEIPT_PACE, ...FAST_RETRIES, ...shortWaits };
    await startWithTwoProjects(startBot, { mode: 'http', pace });
    running.service.on('POST /posts', json(429, {}));
    const form = await openPostForm();
    await giveXOwnText(ana, form, 'At nine!');
    await submitThrice(running, form);
    // An update for an earlier change of the form may come meanwhile. A result may be read while a text is sent.
    const listResults = () =>
      running.workspace.app
        .calls('views.update')
        .map((call) => JSON.stringify(call))
        .filter((call) => !call.includes('"callback_id":"schedule-post"'));
    await expect.poll(listResults).toHaveLength(3);
    const messages = await running.workspace.as('Ana').inDirectMessage();
    await messages.sees('Saved, not sent yet.');
    running.service.on('POST /posts', data({ Id: 'post_1' }));
    await messages.sees('Scheduled');
    expect(messages.messages()).toHaveLength(1);
  });

  test('saves it once while the service is unavailable, and says so each time', async () => {
    running.service.on('POST /posts', json(429, {}));
    expect(await submitThrice(running, await openPostForm())).toEqual(thrice('Saved, not sent yet.'));
    expect(await countRows('submission')).toBe(1);
  });

  test('says each time why the service refuses it', async () => {
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too long' }));
    expect(await submitThrice(running, await openPostForm())).toEqual(thrice('is too long'));
  });

  test('shows a changed text that comes while the first one is on its way, because it isn’t saved', async () => {
    running.service.on('POST /posts', json(429, {}));
    const form = await openPostForm();
    // Its answer is lost, and the author changes the text before they press the button again.
    await deliver(running, await captureSubmission(running, form));
    const { view } = await submitWith(form, { Text: 'We open at ten' });
    expectParts(view?.text(), 'Your change isn’t saved.', 'We open at ten', 'We open at nine');
    expect(await countRows('submission')).toBe(1);
  });

  test('doesn’t send it after its author has cancelled it', async () => {
    running.service.on('POST /posts', json(429, {}));
    const payload = await captureSubmission(running, await openPostForm());
    await deliver(running, payload);
    await ana.type('/upnext outbox');
    await pressAndSee(ana, 'Cancel post', 'It won’t be sent.');
    await deliver(running, payload);
    expect(await countRows('submission')).toBe(1);
    expect(await database.db.selectFrom('post').select('state').execute()).toEqual([{ state: 'cancelled' }]);
  });

  test('sends it again if its author discards the refused post, and presses the button in the open form', async () => {
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too long' }));
    const form = await openPostForm();
    expect((await form.submit()).errors).toEqual({ Text: 'is too long' });
    const row = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    await discardSubmission(database.db, row, NOW, null);
    running.service.on('POST /posts', data({ Id: 'made' }));
    expect((await form.submit()).closed).toBe(true);
    expect(running.service.created()).toHaveLength(2);
  });

  test('stores it once in a project that holds posts', async () => {
    await setPolicy({ leadMinutes: 60 });
    expect(await submitThrice(running, await openPostForm())).toEqual(thrice('{"response_action":"clear"}'));
    expect(await countRows('held_post')).toBe(1);
  });

  test('says where the post is if a colleague has edited it since its lost answer', async () => {
    await setPolicy({ leadMinutes: 60 });
    const payload = await captureSubmission(running, await openPostForm());
    await deliver(running, payload);
    await editAsBen(running, 'We open at ten');
    const changed = JSON.stringify(payload).replaceAll('We open at nine', 'We open at eleven');
    const { body } = await deliver(running, JSON.parse(changed));
    const [, command = ''] =
      /edit the post in `(.+?)`/.exec(JSON.stringify(body)) ?? expect.unreachable(JSON.stringify(body));
    await ask(ana, command, 'Harbour Coffee: 1 post', 'We open at ten');
  });
});

describe('a form for held posts', () => {
  const AT = '2026-12-01T09:00:00Z';
  const findTimes = async () => (await listHeldPosts(database)).map(({ publish_at: time }) => time);

  const listComments = () =>
    database.db.selectFrom('held_post_event').selectAll().where('kind', '=', 'commented').execute();

  async function openCard() {
    await setPolicy({ leadMinutes: 60 });
    await holdPost(running, { text: 'We open at nine', at: AT });
    await askAndPress(ana, '/upnext posts 1 dec', 'Open', 'Harbour Coffee · by @Ana Ferreira');
  }

  test('moves the post once', async () => {
    await openCard();
    const form = await pressForForm(ana, 'Move to…', 'Move to…');
    await form.fill('When', '+1 day');
    const answers = await submitThrice(running, form);
    expect(answers.find((answer) => answer.includes('Moved.'))).toContain('Undo move');
    // A copy may say that nothing more was done: it was the person who changed it.
    expect(answers.filter((answer) => answer.includes('nothing was done'))).toEqual([]);
    // Each copy shows the post with its new time.
    expect(answers).toEqual(thrice('Wed 2 Dec, 09:00'));
    expect(await findTimes()).toEqual([new Date('2026-12-02T09:00:00Z')]);
  });

  test('moves the post back once, and says afterwards that its person did', async () => {
    await openCard();
    await submitWith(await pressForForm(ana, 'Move to…', 'Move to…'), { When: '+1 day' });
    await (await ana.modal('Upnext')).press('Undo move');
    await ana.sees('Moved back.');
    await deliver(running, copyLastRequest(running));
    await ana.sees('This post has changed since, so nothing more was done. You moved it, ');
    expect(await findTimes()).toEqual([new Date(AT)]);
  });

  test('approves the post for a new time once, and says afterwards that its person did', async () => {
    const policy = { ...reviewedBy('U02BENOKAF'), channel: 'C02HARBOUR' };
    await setPolicy(policy);
    await holdPost(running, { text: 'We open at nine', at: AT, policy });
    await ben.sees('Please review this post');
    await changeHeldPosts(database, { state: 'needs-person', reason: 'not-approved', next_at: null });
    // A press of its author changes only the request.
    await running.workspace.as('Ana').in('#harbour-coffee').press('Approve');
    await ben.sees('Not approved in time');
    const form = await pressForForm(ben, 'Approve and schedule for…', 'Approve for…');
    await form.fill('When', '2 Dec 9am');
    const answers = await submitThrice(running, form);
    expect(answers.filter((answer) => answer.includes('Approved for'))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('You approved it, '))).toHaveLength(2);
    expect(await findTimes()).toEqual([new Date('2026-12-02T09:00:00Z')]);
  });

  const captureMove = async (when: string) => {
    await openCard();
    const form = await pressForForm(ana, 'Move to…', 'Move to…');
    await form.fill('When', when);
    const payload = await captureSubmission(running, form);
    return async () => JSON.stringify((await deliver(running, payload)).body);
  };

  test('says each time that a colleague has changed the post that it was to move', async () => {
    const move = await captureMove('+1 day');
    await editAsBen(running, 'We open at ten');
    const refusal = expect.stringContaining('This post has changed since, so nothing was done.');
    expect([await move(), await move()]).toEqual([refusal, refusal]);
  });

  test('that has moved the post to its hand-over doesn’t say afterwards that nothing was done', async () => {
    const move = await captureMove('in 30 minutes');
    expect(await move()).toContain('Moved.');
    await expect.poll(() => running.service.created()).toHaveLength(1);
    const copy = await move();
    expect(copy).toContain('nothing more was done. I handed it over to the service, ');
  });

  test('adds its comment once', async () => {
    await openCard();
    await ana.choose('More options', 'Comment');
    const form = await ana.modal('Comment');
    await form.fill('Your comment', 'Is nine right?');
    expect(await submitThrice(running, form)).toEqual(thrice('Your comment is in the history.'));
    expect(await listComments()).toHaveLength(1);
  });

  test('adds every comment that is written on top of three modals', async () => {
    await setPolicy({ leadMinutes: 60 });
    await holdPost(running, { text: 'We open at nine', at: '2026-11-21T09:00:00Z' });
    const person = running.workspace.as('Ana');
    await (await person.home('Commands')).press('All posts');
    await (await person.modal('All posts')).press('Harbour Coffee');
    await person.sees('We open at nine');
    await (await person.modal('All posts')).choose('More options', 'Open');
    let card = await person.modal('Open');
    // The third modal shows the form and the card in turn.
    for (const text of ['One', 'Two', 'Three']) {
      await card.choose('More options', 'Comment');
      await submitWith(await person.modal('Comment'), { 'Your comment': text });
      card = await person.modal('Upnext');
    }
    expect(await listComments()).toHaveLength(3);
  });

  test('adds a comment whose text was changed after the first answer was lost', async () => {
    await openCard();
    await ana.choose('More options', 'Comment');
    const form = await ana.modal('Comment');
    await form.fill('Your comment', 'Is nine right?');
    await deliver(running, await captureSubmission(running, form));
    await submitWith(form, { 'Your comment': 'Is ten right?' });
    expect(await listComments()).toHaveLength(2);
  });

  test('is shared once with the channel by a press that comes twice', async () => {
    await openCard();
    await chooseAndSee(ana, 'More options', 'Share', 'Shared with');
    const payload = copyLastRequest(running);
    await database.db.deleteFrom('held_post_message').where('purpose', '=', 'shared').execute();
    const countShared = () => running.workspace.app.calls('chat.postMessage').length;
    const count = countShared();
    await Promise.all([deliver(running, payload), deliver(running, payload)]);
    await expect.poll(countShared).toBeGreaterThan(count);
    expect(countShared()).toBe(count + 1);
  });

  test('moves all posts of a list once, and shows only the result of the move', async () => {
    for (const text of ['One', 'Two']) await holdPost(running, { text, at: AT, policy: { leadMinutes: 60 } });
    const form = await askForForm(ana, '/upnext posts 1 dec', 'Move all posts', 'Move all…');
    await form.fill('By how long', '+1 day');
    expect(await submitThrice(running, form)).toEqual(thrice('Moving the posts…'));
    await expect
      .poll(findTimes)
      .toEqual([new Date('2026-12-02T09:00:00Z'), new Date('2026-12-02T09:00:00Z')]);
    await expect.poll(() => running.workspace.app.calls('views.update')).not.toEqual([]);
    const updates = JSON.stringify(running.workspace.app.calls('views.update'));
    expect(updates).toContain('2 posts moved.');
    expect(updates).not.toContain('had changed');
  });

  test('returns the post to its author once', async () => {
    const policy = { ...reviewedBy('U02BENOKAF'), channel: 'C02HARBOUR' };
    await setPolicy(policy);
    await holdPost(running, { text: 'We open at nine', at: AT, policy });
    const form = await pressForForm(ben, 'Request changes', 'Request changes');
    await form.fill('What should change?', 'Say where.');
    const answers = await submitThrice(running, form);
    expect(answers.filter((answer) => answer.includes('You requested changes, '))).toHaveLength(2);
    const events = database.db
      .selectFrom('held_post_event')
      .select('id')
      .where('kind', '=', 'changes-requested');
    expect(await events.execute()).toHaveLength(1);
  });
});

describe('a form for a policy', () => {
  test('saves it once, and says each time that it is saved', async () => {
    const form = await askForForm(ana, '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
    await form.choose(
      'When posts go to the scheduling service',
      'Keep them editable until shortly before their time',
    );
    await expect.poll(() => form.labels()).toContain('Hand posts over this long before they go out');
    const answers = await submitThrice(running, form);
    expect(answers.filter(isNotHandled)).toEqual(
      answers.filter((text) => text.includes('Saved for Harbour')),
    );
    expect(answers.at(-1)).toContain(HANDLED);
    expect(await listActions()).toEqual(['policy set']);
  });

  test('saves it once with a decision about waiting posts', async () => {
    await setPolicy({ leadMinutes: 60 });
    await holdPost(running, { text: 'Hello', at: '2026-12-01T09:00:00Z' });
    const form = await askForForm(ana, '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
    await submitWith(form, { 'Hand posts over this long before they go out': '3 hours' });
    const question = await ana.modal('Waiting posts');
    expect(question.text()).toContain('Upnext keeps 1 post of Harbour Coffee.');
    await question.choose('What should happen to it?', 'Keep it editable until 3 hours before it goes out');
    const payload = await captureSubmission(running, question);
    expect(JSON.stringify((await deliver(running, payload)).body)).toContain('Saved for Harbour Coffee.');
    expect(await findPolicy(database.db, KEY)).toMatchObject({ leadMinutes: 180 });
    // A colleague undoes the change. A copy of the decision doesn't repeat it.
    await setPolicy({ leadMinutes: 60 });
    expect(JSON.stringify((await deliver(running, payload)).body)).toContain('I already have this decision');
    expect(await findPolicy(database.db, KEY)).toMatchObject({ leadMinutes: 60 });
    expect(await listActions()).toEqual(['policy set']);
  });
});

describe('a form for roles', () => {
  async function openRoleForm() {
    const form = await askForForm(ana, '/upnext roles', 'Give a role', 'Give a role');
    await fillIn(form, { People: ['Ben'], Role: ['Publisher'] });
    return form;
  }

  test('gives the role once, and tells its person once', async () => {
    const answers = await submitThrice(running, await openRoleForm());
    expect(answers.filter(isNotHandled)).toEqual(
      answers.filter((text) => text.includes('is now a Publisher')),
    );
    expect(answers.at(-1)).toContain(HANDLED);
    expect(await listActions()).toEqual(['roles give']);
    const ben = await running.workspace.as('Ben').inDirectMessage();
    expect(ben.messages().filter((text) => text.includes('made you a Publisher'))).toHaveLength(1);
  });

  test('doesn’t give back a role that was changed since', async () => {
    const payload = await captureSubmission(running, await openRoleForm());
    await deliver(running, payload);
    const grant = { subjectKind: 'person', subject: 'U02BENOKAF', project: '', role: 'viewer' } as const;
    const given = { reason: 'given', grantedBy: 'U01ANAFERR', grantedAt: NOW } as const;
    await saveGrant(database.db, { ...grant, ...given, workspace: KEY.workspace });
    await deliver(running, payload);
    const grants = await database.db.selectFrom('access_grant').select('role').execute();
    expect(grants).toEqual([{ role: 'viewer' }]);
  });
});

test('a form for a webhook deletes it once', async () => {
  running.service.on('DELETE /webhook', data(null));
  await ana.type('/upnext webhook Harbour Coffee');
  const form = await ana.modal('Delete the webhook');
  await form.fill('Type the project’s name', 'Harbour Coffee');
  expect(await submitThrice(running, form)).toEqual(thrice('Harbour Coffee has no webhook now.'));
  expect(countDeletions()).toBe(1);
});

test('a form for a file deletes one file', async () => {
  running.service.on('DELETE /file', data(null));
  const form = await askForForm(ana, '/upnext file', 'Delete a file');
  await form.fill('Type DELETE FILE', 'DELETE FILE');
  expect(await submitThrice(running, form)).toEqual(thrice('The service deleted a file.'));
  expect(countDeletions()).toBe(1);
});

test('a form for a digest creates one digest', async () => {
  const form = await askForForm(ana, '/upnext digest', 'Digest');
  await form.choose('Projects', ['Harbour Coffee']);
  const answers = await submitThrice(running, form);
  expect(answers.filter(isNotHandled)).toEqual(
    answers.filter((text) => text.includes('Saved. The first digest comes')),
  );
  expect(answers.at(-1)).toContain(HANDLED);
  expect(await countRows('digest')).toBe(1);
});

test('a form for a digest changes it if its first answer was lost, and shows what is saved', async () => {
  const form = await askForForm(ana, '/upnext digest', 'Digest');
  await form.choose('Projects', ['Harbour Coffee']);
  const forms = database.db.selectFrom('open_form').select('content').where('kind', '=', 'digest.2');
  const { content } = await forms.executeTakeFirstOrThrow();
  await deliver(running, await captureSubmission(running, form));
  // As if the instance had ended before it stored that the form is handled.
  await database.db.updateTable('open_form').set({ content }).where('kind', '=', 'digest.2').execute();
  expect((await submitWith(form, { Time: '10:15' })).view?.text()).toContain('10:15');
  expect(await countRows('digest')).toBe(1);
});

test('a form that stops a project stops it once, and says so', async () => {
  await ana.type('/upnext stop Harbour Coffee');
  const answers = await submitThrice(running, await ana.modal('Stop sending?'));
  expect(answers.filter((text) => text.includes('is stopped.'))).toHaveLength(1);
  expect(answers.filter(isNotHandled)).toEqual(answers.filter((text) => text.includes('is stopped')));
  expect(await listActions()).toEqual(['stop project']);
});

test('a command for a digest creates one digest', async () => {
  await ask(ana, '/upnext use harbour', 'This channel now follows Harbour Coffee');
  await ask(ana, '/upnext digest weekdays 8:30', 'Saved. The first digest comes');
  const payload = copyLastRequest(running, 'slash_commands');
  await deliver(running, payload);
  expect(await countRows('digest')).toBe(1);
  // Somebody removes it. A copy of the command doesn't bring it back.
  await database.db.deleteFrom('digest').execute();
  expect(JSON.stringify((await deliver(running, payload)).body)).toContain('I already have this command.');
  expect(await countRows('digest')).toBe(0);
});
