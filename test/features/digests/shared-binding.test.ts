import { beforeEach, expect, test } from 'vitest';
import { listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';

const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ membersDefaultRole: 'manager' });
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
});

const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
const findStoredDigests = () => database.db.selectFrom('digest').select('shared_with').execute();

async function saveInForm(name: string) {
  await as(name).type('/upnext digest');
  const form = await as(name).modal('Digest');
  await form.choose('Shared channel', ['People outside may see these posts']);
  return form.submit();
}

test('only an owner can set up a digest of projects that a channel had before it was shared', async () => {
  await ask(as('Ben'), '/upnext use Harbour Coffee', 'This channel now follows Harbour Coffee.');
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await saveInForm('Ben');
  await as('Ben').sees('shared with Roastery North, so only an Owner can choose what its digest shows');
  expect(await findStoredDigests()).toEqual([]);
  await saveInForm('Ana');
  expect(await findStoredDigests()).toEqual([{ shared_with: '["T02ROASTER"]' }]);
});

test('only an owner can save a digest if its channel was shared while the form was open', async () => {
  const form = await askForForm(as('Ben'), '/upnext digest', 'Digest');
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await form.submit();
  expect(await findStoredDigests()).toEqual([]);
});

test('if an organisation joins while the form is open, the owner reads its name before confirming', async () => {
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  const form = await askForForm(as('Ana'), '/upnext digest', 'Digest');
  await form.choose('Shared channel', ['People outside may see these posts']);
  const team = running.workspace.admin.addTeam({
    name: 'Night Market Books',
    people: [{ name: 'Rosa Lima' }],
  });
  running.workspace.admin.share('#harbour-coffee', team.id);
  const { view: updatedForm } = await form.submit();
  expect(updatedForm?.text()).toContain('Night Market Books');
  expect(await findStoredDigests()).toEqual([]);
  await updatedForm?.submit();
  expect(await findStoredDigests()).toEqual([
    { shared_with: JSON.stringify(['T02ROASTER', team.id].toSorted()) },
  ]);
});
