import { beforeEach, expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  // Ben is a manager of Harbour Coffee, and a viewer of everything else.
  await grantBen(database.db, 'manager', 'p1');
});

const as = (person: string) => running.workspace.as(person).in('#harbour-coffee');

test('a person who doesn’t manage a digest’s project can only preview the digest', async () => {
  await as('Ana').type('/upnext digest weekdays 8:30 for Night Market Books');
  await as('Ana').sees('Saved.');
  await as('Ben').type('/upnext digest list');
  await as('Ben').sees('Night Market Books');
  const list = as('Ben').messages().at(-1) ?? '';
  expect(list).toContain('[Preview for me]');
  for (const label of ['Edit', 'More options']) expect(list).not.toContain(`[${label}]`);
});
