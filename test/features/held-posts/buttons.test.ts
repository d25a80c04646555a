import { beforeEach, describe, expect, test } from 'vitest';
import { copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { showMoreOptions, submitLine } from '../../support/filled-form.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, editAsBen, holdPost, listHeldPosts } from '../../support/hold-posts.ts';
import { data, listProjects } from '../../support/scripted-service.ts';
import { failSlack, RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, chooseAndSee, pressAndSee, pressForForm } from '../../support/steps.ts';

/** Ana owns the workspace. The project Harbour Coffee keeps its posts until an hour before their time. */
const { ana, ben, database, running, setPolicy, startBot } = setUpBot();

beforeEach(() => start());

async function start(options: Parameters<typeof startBot>[0] = {}) {
  await startBot({ pace: RECEIPT_PACE, ...options });
  await setPolicy({ leadMinutes: 60 });
}

/** Ana writes a post for 1 December, 9:00 in Lisbon. */
async function writePost(line = '1 Dec 9am on x: We open at nine') {
  await submitLine(ana, `/schedule-post ${line}`);
  await ana.sees('Harbour Coffee · by @Ana Ferreira');
  return ana;
}

const readState = async () => (await listHeldPosts(database)).map(({ state }) => state).join();

/** [Hand over now] is in the menu of a card, and asks first. */
async function handOver(person: ReturnType<typeof running.workspace.as>) {
  await person.choose('More options', 'Hand over now');
  await (await person.modal('Hand it over now?')).submit();
}

describe('[Cancel post]', () => {
  test('can be undone after the time of the post, which then needs a new one', async () => {
    const person = await writePost();
    await pressAndSee(person, 'Cancel post', 'It won’t be sent.');
    await changeHeldPosts(database, { publish_at: new Date('2026-11-20T11:00:00Z') });
    await pressAndSee(person, 'Undo', 'Its time has passed, so I didn’t send it.');
    expect(await readState()).toBe('needs-person');
  });

  test('cancels the post, [Undo] restores it, and a copy of the press doesn’t cancel it again', async () => {
    await start({ mode: 'http' });
    const person = await writePost();
    await pressAndSee(person, 'Cancel post', 'It won’t be sent.');
    expect(await readState()).toBe('cancelled');
    const press = copyLastRequest(running);
    await pressAndSee(person, 'Undo', 'Editable until');
    expect(await readState()).toBe('held');
    await deliver(running, press);
    // The copy is answered after everything that it does.
    await person.sees('Editable until');
    expect(await readState()).toBe('held');
    await person.press('Cancel post');
    await expect.poll(readState).toBe('cancelled');
  });
});

describe('[Move to…]', () => {
  async function openMove() {
    const person = await writePost();
    await person.press('Move to…');
    return { person, form: await person.modal('Move to…') };
  }

  test('shows while typing how the time is understood, and can be undone', async () => {
    const { person, form } = await openMove();
    await form.fill('When', '2 Dec 10am');
    await person.sees('Wed 2 Dec, 10:00 (Lisbon)');
    expect(form.value('When')).toBe('2 Dec 10am');
    await form.submit();
    await (await person.modal('Upnext')).press('Undo move');
    await person.sees('Moved back.');
    expect((await listHeldPosts(database)).map(({ publish_at: at }) => at?.toISOString())).toEqual([
      '2026-12-01T09:00:00.000Z',
    ]);
  });

  test('warns if another post on its platforms has the new time', async () => {
    const { person, form } = await openMove();
    await holdPost(running, { text: 'Another post', at: '2026-12-02T10:00:00Z' });
    await submitWith(form, { When: '2 Dec 10am' });
    await person.sees('Moved. :warning: Another post on its platforms has the same time.');
  });

  test('replaces the card, which would keep the old time, by a text that opens the post', async () => {
    const { person, form } = await openMove();
    await submitWith(form, { When: '2 Dec 10am' });
    await (await person.modal('Upnext')).close();
    expect(person.read()).not.toContain('Tue 1 Dec');
    await pressAndSee(person, 'Open', 'Editable until Wed 2 Dec, 09:00');
    await person.press('Cancel post');
    await expect.poll(readState).toBe('cancelled');
  });

  test('moves the post to the earliest possible time for “now”', async () => {
    const { person, form } = await openMove();
    await submitWith(form, { When: 'asap' });
    await person.modal('Upnext');
    const [row] = await listHeldPosts(database);
    expect(row?.publish_at).toEqual(new Date('2026-11-20T12:02:00Z'));
  });

  test.each([
    ['saturday', 'Sat 21 Nov, 20:30 (Lisbon)'],
    ['24 dec', 'Thu 24 Dec, 20:30 (Lisbon)'],
    ['in 3 days', 'Mon 23 Nov, 20:30 (Lisbon)'],
    ['next week', 'Which did you mean: Mon 23 Nov, 20:30 (Lisbon)'],
    ['same time tomorrow', 'Sat 21 Nov, 20:30 (Lisbon)'],
    ['saturday 10am', 'Sat 21 Nov, 10:00 (Lisbon)'],
    ['tomorrow morning', 'Sat 21 Nov, 09:00 (Lisbon)'],
    ['monday in Tokyo', 'Mon 23 Nov, 09:00 (Tokyo)'],
    ['10am', 'Tue 1 Dec, 10:00 (Lisbon)'],
  ])('keeps the post’s day or time of the day if only the other is typed: %s', async (typed, shown) => {
    const person = await writePost('1 Dec 8:30pm on x: We open at nine');
    await (await pressForForm(person, 'Move to…', 'Move to…')).fill('When', typed);
    await person.sees(shown);
  });

  test('leaves a post whose new time is in the form', async () => {
    const { person, form: move } = await openMove();
    await submitWith(move, { When: 'a day later' });
    await (await person.modal('Upnext')).press('Edit');
    const form = await person.modal('Edit post');
    expect(form.value('When')).toBe('Wed 2 Dec, 09:00');
    expect((await submitWith(form, { Text: 'We open at ten' })).errors).toEqual({});
    await person.sees('Editable until Wed 2 Dec, 08:00');
    expect((await listHeldPosts(database)).map(({ version }) => version)).toEqual([3]);
  });

  test('says what is wrong with a time, and moves nothing', async () => {
    const { form } = await openMove();
    for (const [text, error] of [
      ['yesterday', 'I didn’t understand'],
      ['every monday 9am', 'This post goes out once. Pick one date.'],
      ['-1 year', 'Mon 1 Dec 2025, 09:00 (Lisbon) has passed. Pick a later time.'],
      ['three weeks earlier', 'has passed. Pick a later time.'],
      ['blorp', 'Try “'],
    ] as const) {
      await form.fill('When', text);
      expect((await form.submit()).errors, text).toEqual({ When: expect.stringContaining(error) });
    }
    expect((await listHeldPosts(database)).map(({ version }) => version)).toEqual([1]);
  });
});

describe('[Schedule] of a draft without a time, while Slack hides the person’s zone', () => {
  async function openSchedule() {
    const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
    await showMoreOptions(ana, form);
    await fillIn(form, { Text: 'We open at nine', Platforms: ['X'], 'When you submit': ['Save as draft'] });
    await ana.sees('It isn’t sent until somebody schedules it.');
    expect((await form.submit()).errors).toEqual({});
    await ana.sees('Harbour Coffee · by @Ana Ferreira');
    failSlack(running, { method: 'users.info', fault: 'error', error: 'internal_error' });
    return pressForForm(ana, 'Schedule', 'Schedule');
  }
  const listTimes = async () =>
    (await listHeldPosts(database)).map(({ publish_at: time }) => time?.toISOString());

  test.each([
    ['now', '2026-11-20T12:02:00.000Z'],
    ['now in Berlin', '2026-11-20T12:02:00.000Z'],
    ['in 2 hours', '2026-11-20T14:00:00.000Z'],
    ['tomorrow 9am in Berlin', '2026-11-21T08:00:00.000Z'],
  ])('takes “%s”', async (text, time) => {
    const form = await openSchedule();
    const { errors, view } = await submitWith(form, { When: text });
    expect(errors).toEqual({});
    expect(view?.text()).toContain('Saved.');
    expect(await listTimes()).toEqual([time]);
  });

  test('asks for the zone of a time that needs one', async () => {
    const form = await openSchedule();
    for (const text of ['tomorrow 9am', 'next slot after friday']) {
      expect((await submitWith(form, { When: text })).errors).toEqual({
        When: `I don’t know your time zone. Write it too, such as “tomorrow 9am in Berlin”.`,
      });
    }
    await form.fill('When', 'blorp');
    expect(JSON.stringify((await form.submit()).errors)).toContain('I didn’t understand “blorp”.');
    expect(await listTimes()).toEqual([undefined]);
  });
});

test('the history and the audit log say the same, in the same words, and a late result corrects both', async () => {
  running.service.on('POST /posts', (_call, response) => void response.destroy());
  const person = await writePost();
  const row = await database.db.selectFrom('held_post').selectAll().executeTakeFirstOrThrow();
  await handOver(person);
  await person.sees('Checking…');
  const readAudit = () => ask(person, '/upnext audit', 'Audit log');
  await readAudit();
  await person.sees('@Ana Ferreira handed a post over at once in Harbour Coffee (result unknown)');
  expect(person.read()).toMatch(/@Ana Ferreira saved a post in Harbour Coffee(?! \(result)/u);
  const readHistory = async (...parts: string[]) => {
    await ask(person, '/upnext posts 1 dec', 'We open at nine');
    await person.press('Open');
    await chooseAndSee(person, 'More options', 'History', '@Ana Ferreira handed it over at once', ...parts);
  };
  await readHistory('@Ana Ferreira saved it', 'Now: ❔ Checking…');
  await database.db.updateTable('submission').set({ state: 'refused', next_at: null }).execute();
  await readAudit();
  await person.sees(
    '@Ana Ferreira tried to hand a post over at once in Harbour Coffee, but the service refused it',
  );
  await readHistory('Now: ❌ Not accepted');
  expect(row.state).toBe('held');
});

test('[Hand over now] sends the post to the service, and shows that', async () => {
  running.service.on('POST /posts', data({ Id: 'made' }));
  const person = await writePost();
  await handOver(person);
  await person.sees('The scheduling service publishes it at its time.');
  expect([await readState(), running.service.created().length]).toEqual(['delivered', 1]);
});

test('a comment that looks like a command is a comment, and the history lists it', async () => {
  const person = await writePost();
  await person.choose('More options', 'Comment');
  await submitWith(await person.modal('Comment'), { 'Your comment': '/upnext cancel <!channel>' });
  await person.sees('Your comment is in the history.');
  await chooseAndSee(person, 'More options', 'History', 'commented', '/upnext cancel <!channel>');
  expect(await readState()).toBe('held');
});

test('a comment on a post that was deleted meanwhile is shown to whoever wrote it', async () => {
  const person = await writePost();
  await person.choose('More options', 'Comment');
  const form = await person.modal('Comment');
  await form.fill('Your comment', 'Please mention the new opening hours');
  await database.db.deleteFrom('held_post').execute();
  expect((await form.submit()).view?.text()).toContain('Please mention the new opening hours');
});

test('the history has the whole text that somebody else has replaced', async () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  const person = await writePost(`1 Dec 9am on linkedin: ${words}`);
  await editAsBen(running, 'We open at ten');
  await chooseAndSee(person, 'More options', 'History', `Text: “${words}” → “We open at ten”`);
});

test('the history says who changed what', async () => {
  const person = await writePost();
  await submitWith(await pressForForm(person, 'Move to…', 'Move to…'), { When: '+1 day' });
  await (await person.modal('Upnext')).close();
  await person.press('Open');
  await chooseAndSee(person, 'More options', 'History', 'moved it', 'Time: Tue 1 Dec, 09:00');
});

test('a draft is in the outbox, and is scheduled with one press', async () => {
  await submitLine(ana, '/schedule-post draft 1 Dec 9am on x: We open at nine');
  await ana.sees('Saved as a draft');
  await ask(ana, '/upnext outbox', 'It isn’t sent until somebody schedules it.');
  await pressAndSee(ana, 'Schedule', 'Editable until Tue 1 Dec, 08:00');
  expect(await readState()).toBe('held');
});

const countShared = async () =>
  (await database.db.selectFrom('held_post_message').select('ts').where('purpose', '=', 'shared').execute())
    .length;

test('a card is shared with a channel once, and again after somebody has deleted it there', async () => {
  await writePost();
  await chooseAndSee(ana, 'More options', 'Share', 'Shared with #harbour-coffee.');
  await ana.choose('More options', 'Share');
  await ana.sees('I already shared this in #harbour-coffee. That message changes with the post.');
  expect(await countShared()).toBe(1);
  failSlack(running, { method: 'chat.update', fault: 'error', error: 'message_not_found' });
  await ana.press('Cancel post');
  await expect.poll(countShared).toBe(0);
  running.workspace.faults.set({});
  await ana.choose('More options', 'Share');
  await expect.poll(countShared).toBe(1);
});

test('a shared card has the new name of its project from its next change on', async () => {
  await writePost();
  await ana.choose('More options', 'Share');
  await ben.sees('Harbour Coffee');
  running.service.on('GET /projects', listProjects('Harbour Tea'));
  await ask(ana, '/upnext projects', 'Harbour Tea');
  await pressAndSee(ana, 'Cancel post', 'It won’t be sent.');
  await ben.sees('It won’t be sent.');
  expect(ben.read()).toContain('Harbour Tea');
  expect(ben.read()).not.toContain('Harbour Coffee');
});

test('a shared card that outsiders read by now becomes one line, and whoever presses a button reads the result alone', async () => {
  await writePost();
  await chooseAndSee(ana, 'More options', 'Share', 'Shared with #harbour-coffee.');
  await ben.sees('We open at nine');
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await ben.press('Cancel post');
  await ben.sees('I no longer show this here, because of who reads this channel now.');
  await ben.sees('It won’t be sent.');
  const forAll = JSON.stringify(ben.visible().filter(({ ephemeralTo }) => ephemeralTo === undefined));
  expect(forAll).not.toContain('We open at nine');
  expect(forAll).not.toContain('It won’t be sent.');
  running.workspace.admin.unshare('#harbour-coffee', 'T02ROASTER');
  await ben.press('Undo');
  await ana.sees('Editable until');
});

test('in a channel that another organisation reads, only an owner shares a card, after a question', async () => {
  await start({ membersDefaultRole: 'publisher', owners: { kind: 'emulator' } });
  const team = running.workspace.admin.addTeam({ name: 'Roaster Supplies', people: [{ name: 'Rosa Lima' }] });
  running.workspace.admin.share('#harbour-coffee', team.id);
  for (const author of [ben, ana]) {
    await submitLine(author, '/schedule-post 1 Dec 9am on x: We open at nine');
    await chooseAndSee(author, 'More options', 'Share', 'This channel is shared with Roaster Supplies');
  }
  await ben.sees('so only an Owner can share posts here.');
  expect(await countShared()).toBe(0);
  await pressAndSee(ana, 'Share anyway', 'Shared with #harbour-coffee.');
  expect(await countShared()).toBe(1);
});
