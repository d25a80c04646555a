import { beforeEach, describe, expect, test } from 'vitest';
import { data, listedPost, listProjects } from '../support/scripted-service.ts';
import { failSlack, setUpBot } from '../support/set-up-bot.ts';
import { ask, askAndPress, askForForm } from '../support/steps.ts';

/** What people read of the guests of a channel. Tom is a guest of the workspace, and isn't in the channel at first. */

const { ana, running, startBot } = setUpBot();

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

  test.each([
    [
      'Slack doesn’t return the members',
      () => failSlack(running, { method: 'conversations.members', fault: 'error', error: 'fatal_error' }),
    ],
    ['the channel has too many people', () => addPeople(60)],
  ])('says that it couldn’t check if %s', async (_case, arrange) => {
    arrange();
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
