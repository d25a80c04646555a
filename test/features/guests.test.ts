import { beforeEach, describe, expect, test } from 'vitest';
import { submitLine } from '../support/filled-form.ts';
import { data, listedPost, listProjects } from '../support/scripted-service.ts';
import { failSlack, setUpBot } from '../support/set-up-bot.ts';
import { ask, askAndPress, askForForm, chooseAndSee, pressAndSee } from '../support/steps.ts';

/** What people read of the guests of a channel. Tom is a guest of the workspace, and isn't in the channel at first. */

const { ana, ben, database, running, setPolicy, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ isEmulated: true });
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Books'));
  running.workspace.admin.remove('#harbour-coffee', 'Tom');
});

const GUESTS = ', including its guests,';
const NOT_CHECKED = ', including any guests (I couldn’t check),';
const inviteTom = () => running.workspace.admin.invite('#harbour-coffee', 'Tom');
const addPeople = (count: number) => {
  for (let index = 0; index < count; index += 1) {
    running.workspace.admin.addPerson({ name: `Person${index} Lind` });
    running.workspace.admin.invite('#harbour-coffee', `Person${index}`);
  }
};

const failMembers = () =>
  failSlack(running, { method: 'conversations.members', fault: 'error', error: 'fatal_error' });

const readBindingForm = async () => {
  const form = await askForForm(ana, '/upnext use', 'This channel’s projects');
  const text = form.text();
  await form.close();
  return text;
};

describe('the form that chooses a channel’s projects', () => {
  test('doesn’t mention guests if there are none', async () => {
    expect(await readBindingForm()).not.toMatch(/guests/i);
  });

  test('says that guests are in the channel', async () => {
    inviteTom();
    expect(await readBindingForm()).toContain(GUESTS);
  });

  test('says that a member who became a single-channel guest is one', async () => {
    running.workspace.admin.changePerson('Ben', { role: 'single-channel-guest' });
    expect(await readBindingForm()).toContain(GUESTS);
  });

  test('says that it couldn’t check if Slack doesn’t return the members', async () => {
    failMembers();
    expect(await readBindingForm()).toContain(NOT_CHECKED);
  });

  test('finds guests among many people, and knows that there are none', async () => {
    addPeople(60);
    expect(await readBindingForm()).not.toMatch(/guests/i);
    running.workspace.admin.addPerson({ name: 'Gus Guest', role: 'guest' });
    running.workspace.admin.invite('#harbour-coffee', 'Gus');
    expect(await readBindingForm()).toContain(GUESTS);
  });

  test('says that it couldn’t check if Slack doesn’t list the people of the workspace', async () => {
    addPeople(60);
    failSlack(running, { method: 'users.list', fault: 'error', error: 'fatal_error' });
    expect(await readBindingForm()).toContain(NOT_CHECKED);
  });
});

test('/upnext use with a name says that guests are in the channel', async () => {
  inviteTom();
  await ask(ana, '/upnext use Harbour Coffee', GUESTS);
});

test('the form of a digest says that guests are in its channel', async () => {
  inviteTom();
  const form = await askForForm(ana, '/upnext digest', 'Digest');
  expect(form.text()).toContain(GUESTS);
  await form.close();
});

test('the answer to a share says that guests are in the channel', async () => {
  inviteTom();
  running.service.on(
    'GET /upnext-post',
    data(listedPost('New roast', '2026-12-01T09:00:00+01:00', { Id: 'a' })),
  );
  await ana.type('/upnext use Harbour Coffee');
  await askAndPress(ana, '/upnext', 'Share with channel', 'Guests are in it, and can see it too.');
});

/** What people read if a policy keeps guests out of a channel, and they are in it or that couldn’t be found out. */
const KEPT_OUT = [
  ['guests are in it', inviteTom, 'Guests are in this channel, and the project’s policy keeps them out'],
  [
    'Slack doesn’t say who is in it',
    failMembers,
    'I couldn’t find out just now whether guests are in this channel, and the project’s policy keeps them out',
  ],
] as const;

describe('if the policy of a project keeps guests out, and', () => {
  beforeEach(async () => {
    running.service.on(
      'GET /upnext-post',
      data(listedPost('New roast', '2026-12-01T09:00:00+01:00', { Id: 'a' })),
    );
    await ask(ana, '/upnext use Harbour Coffee', 'now follows Harbour Coffee');
    await setPolicy({ leadMinutes: 60, guests: 'kept-out' });
  });

  /** What everybody in the channel can read. */
  const readAsBen = () => ben.messages().join();

  describe.each(KEPT_OUT)('%s', (_case, arrange, reason) => {
    test('the next post isn’t shared', async () => {
      arrange();
      await askAndPress(ana, '/upnext', 'Share with channel', `Not shared. ${reason}.`);
      expect(readAsBen()).not.toMatch(/New roast|We open at nine/);
    });

    test('the card of a post isn’t shared', async () => {
      arrange();
      await submitLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
      await chooseAndSee(ana, 'More options', 'Share', `Not shared. ${reason}.`);
      expect(readAsBen()).not.toMatch(/New roast|We open at nine/);
    });

    test('the form of a digest doesn’t save one for it', async () => {
      arrange();
      const form = await askForForm(ana, '/upnext digest', 'Digest');
      expect((await form.submit()).errors).toEqual({ Channel: `${reason}. Choose another channel.` });
      expect(await database.db.selectFrom('digest').select('id').execute()).toEqual([]);
      await form.close();
    });

    test('the policy doesn’t get it for review requests', async () => {
      arrange();
      const form = await askForForm(ana, '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
      await form.press('More options');
      await ana.sees('Where requests and problems go');
      await form.choose('Where requests and problems go', '#harbour-coffee');
      expect((await form.submit()).errors).toEqual({
        'Where requests and problems go': `${reason}. Choose another, or none.`,
      });
      await form.close();
    });
  });

  test('there are none, its posts are shared', async () => {
    await askAndPress(ana, '/upnext', 'Share with channel', 'Shared with #harbour-coffee.');
    expect(readAsBen()).toContain('New roast');
  });

  test('guests are in it, the form that chooses its projects says so', async () => {
    inviteTom();
    expect(await readBindingForm()).toContain(
      'as soon as its guests have left, because a policy keeps guests out.',
    );
    failMembers();
    expect(await readBindingForm()).toContain('unless guests are in it, whom a policy keeps out');
  });

  test('guests come, its digest is paused, and resumes after they have left', async () => {
    await ask(ana, '/upnext digest weekdays 8:30', 'The first digest comes on');
    inviteTom();
    running.service.on('GET /posts', data([]));
    await ana.type('/upnext digest list');
    await ana.choose('More options', 'Send now');
    await pressAndSee(ana, 'Send now', 'On its way.');
    const direct = await running.workspace.as('Ana').inDirectMessage();
    await direct.sees('guests are in the channel, and the policy of a project keeps them out');
    expect(readAsBen()).not.toContain('Harbour Coffee');
    await pressAndSee(direct, 'Resume', 'Not resumed. Guests are in this channel');
    running.workspace.admin.remove('#harbour-coffee', 'Tom');
    await pressAndSee(direct, 'Resume', 'Resumed');
  });
});

test('a manager keeps guests out in the form of the policy, which says so afterwards', async () => {
  const form = await askForForm(ana, '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
  await form.press('More options');
  await ana.sees('Guests of this workspace');
  await form.choose('Guests of this workspace', 'Kept out: I post nothing where guests are');
  const { view } = await form.submit();
  expect(view?.text()).toContain('Nothing is posted where guests are.');
  await view?.close();
  await ask(ana, '/upnext policy Harbour Coffee', 'Nothing is posted where guests are.');
  await ask(ana, '/upnext audit policy', 'guests from allowed to kept out');
});
