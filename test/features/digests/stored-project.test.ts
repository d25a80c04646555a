import { beforeEach, expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressForForm } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  // Ben is a manager of Harbour Coffee, and a viewer of everything else.
  await grantBen(database.db, 'manager', 'p1');
});

const as = (person: string) => running.workspace.as(person).in('#harbour-coffee');

const findStoredDigest = () =>
  database.db.selectFrom('digest').select(['projects', 'minute', 'state']).execute();

/** Moves the only digest from Harbour Coffee to Night Market Books. */
async function moveToOtherProject(): Promise<void> {
  await database.db.updateTable('digest').set({ projects: '["p2"]' }).execute();
}

async function createAndListAsBen() {
  await ask(as('Ben'), '/upnext digest weekdays 8:30 for Harbour Coffee', 'Saved.');
  await ask(as('Ben'), '/upnext digest list', '[Edit]');
}

const UNCHANGED = [{ projects: '["p2"]', minute: 510, state: 'on' }];

test('a digest of somebody’s only project is about it, also if its channel follows none', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await grantBen(database.db, 'manager', 'p1');
  await ask(as('Ben'), '/upnext digest weekdays 8:30', 'Saved.');
  expect(await findStoredDigest()).toMatchObject([{ projects: '["p1"]' }]);
});

test('a digest from the form of a person with one project is about it, also if its channel follows none', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await grantBen(database.db, 'manager', 'p1');
  const ben = running.workspace.as('Ben').in('#general');
  const form = await askForForm(ben, '/upnext digest', 'Digest');
  expect(form.text()).toContain('Project: Harbour Coffee');
  await form.submit();
  await expect.poll(findStoredDigest).toMatchObject([{ projects: '["p1"]' }]);
});

test('for people who don’t manage the channel’s project, the form begins with a digest of their own', async () => {
  await grantBen(database.db, 'viewer', 'p2');
  for (const [channel, where] of [
    ['#harbour-coffee', 'A channel'],
    ['#night-market-books', 'Only me, in a direct message'],
  ] as const) {
    const ben = running.workspace.as('Ben').in(channel);
    const form = await askForForm(ben, '/upnext digest', 'Digest');
    expect(form.value('For')).toBe(where);
    await form.close();
  }
});

test('a person who doesn’t manage a digest’s project can only preview the digest', async () => {
  await ask(as('Ana'), '/upnext digest weekdays 8:30 for Night Market Books', 'Saved.');
  await ask(as('Ben'), '/upnext digest list', 'Night Market Books');
  const list = as('Ben').messages().at(-1) ?? '';
  expect(list).toContain('[Preview for me]');
  for (const label of ['Edit', 'More options']) expect(list).not.toContain(`[${label}]`);
});

test.each(['Edit', 'Pause', 'Send now', 'Delete'])(
  '“%s” in an old list doesn’t change a digest that has moved to another project',
  async (label) => {
    await createAndListAsBen();
    await moveToOtherProject();
    await (label === 'Edit' ? as('Ben').press(label) : as('Ben').choose('More options', label));
    await as('Ben').sees('You need the ');
    expect(await findStoredDigest()).toEqual(UNCHANGED);
  },
);

test('an open form does not overwrite a digest that has moved to another project', async () => {
  await createAndListAsBen();
  const form = await pressForForm(as('Ben'), 'Edit', 'Digest');
  await form.fill('Time', '7:15');
  await moveToOtherProject();
  expect((await form.submit()).view?.text()).toContain('You need the');
  expect(await findStoredDigest()).toEqual(UNCHANGED);
});
