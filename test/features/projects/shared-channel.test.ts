import { beforeEach, expect, test } from 'vitest';
import { expectParts, submitWith } from '../../support/form-steps.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ membersDefaultRole: 'manager' });
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
});

const listBoundProjects = () => database.db.selectFrom('channel_project').select('project').execute();
const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');

test('an owner who types the projects of a channel with outside readers confirms them in the form', async () => {
  const form = await askForForm(as('Ana'), '/upnext use Harbour Coffee', 'This channel’s projects');
  expect(form.text()).toContain('its people are members too');
  expect(await listBoundProjects()).toEqual([]);
  await confirm(form);
});

test('a mention, which can’t open the form, has a button for it', async () => {
  await as('Ana').type('@Upnext use Harbour Coffee');
  await as('Ana').sees('This channel is shared with Roastery North. Nothing has changed yet.');
  await as('Ana').press('Choose');
  await confirm(await as('Ana').modal('This channel’s projects'));
});

test('a manager reads that only an owner can choose the projects of a shared channel', async () => {
  await as('Ben').type('/upnext use Harbour Coffee');
  await as('Ben').sees(
    'This channel is shared with Roastery North, so only an Owner can choose its projects.',
  );
  expect(await listBoundProjects()).toEqual([]);
});

test('a manager reads in the form that only an owner can choose the projects', async () => {
  await (await chooseInForm('Ben'))?.submit();
  await as('Ben').sees('so only an Owner can choose its projects');
  expect(await listBoundProjects()).toEqual([]);
});

test('an owner can confirm the choice of projects in the form', async () => {
  const view = await chooseInForm('Ana');
  expect(view?.text()).toContain('its people are members too');
  await view?.submit();
  expect(await listBoundProjects()).toEqual([{ project: 'p1' }]);
});

test('an owner has to confirm the choice if Slack doesn’t say who reads the channel', async () => {
  failSlack(running, { method: 'conversations.info', fault: 'error', error: 'fatal_error' });
  await as('Ben').type('/upnext use Harbour Coffee');
  await as('Ben').sees('Slack didn’t tell me just now who reads this channel, so only an Owner');
  await confirm(await askForForm(as('Ana'), '/upnext use Harbour Coffee', 'This channel’s projects'));
});

test('an owner is asked again if another organisation joined since the question', async () => {
  const question = await chooseInForm('Ana');
  shareWithAnotherTeam();
  const { view: secondQuestion } = (await question?.submit()) ?? {};
  expectParts(secondQuestion?.text(), 'Nothing was changed.', 'Night Market Books');
  expect(await listBoundProjects()).toEqual([]);
  const { view: thirdQuestion } = (await secondQuestion?.submit()) ?? {};
  expect(thirdQuestion?.text()).toContain('Night Market Books');
  await thirdQuestion?.submit();
  expect(await listBoundProjects()).toEqual([{ project: 'p1' }]);
});

test('a former owner can’t confirm in a form that they opened as an owner', async () => {
  const question = await chooseInForm('Ana');
  running.workspace.admin.changePerson('Ana', { role: 'member' });
  await question?.submit();
  await as('Ana').sees('You need the Owner role for this.');
  expect(await listBoundProjects()).toEqual([]);
});

test('the menu of /upnext also asks an owner for a confirmation', async () => {
  running.service.on('GET /projects', listProjects('Harbour Tea', 'Night Market Books'));
  await as('Ana').type('/upnext');
  await as('Ana').choose('Choose a project', 'Harbour Tea');
  await confirm(await as('Ana').modal('This channel’s projects'));
});

/** Submits the form with the typed projects, and the question about the readers. */
async function confirm(form: Awaited<ReturnType<typeof askForForm>>) {
  await (await form.submit()).view?.submit();
  expect(await listBoundProjects()).toEqual([{ project: 'p1' }]);
}

/** Chooses Harbour Coffee in the form. Returns what the form shows then. */
async function chooseInForm(name: string) {
  const form = await askForForm(as(name), '/upnext use', 'This channel’s projects');
  return (await submitWith(form, { Projects: ['Harbour Coffee'] })).view;
}

function shareWithAnotherTeam(): void {
  const team = running.workspace.admin.addTeam({
    name: 'Night Market Books',
    people: [{ name: 'Rosa Lima' }],
  });
  running.workspace.admin.share('#harbour-coffee', team.id);
}
