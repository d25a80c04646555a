import { expect, test } from 'vitest';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, startBot } = setUpBot();

test('in a channel without a project, a viewer sees the next posts of all projects and can’t share them', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  running.service.on('GET /upnext-post', data({ Id: 'a', Content: 'New roast', Platforms: ['X'] }));
  const ben = running.workspace.as('Ben').in('#general');
  await ask(ben, '/upnext', 'Night Market Books');
  const card = ben.messages().at(-1) ?? '';
  expect(card).toContain('Harbour Coffee');
  expect(card).not.toContain('Which project');
  expect(card).not.toContain('[Share with channel]');
});

test('a manager who unbinds a channel’s projects reads that projects of other managers stay bound', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  await grantBen(database.db, 'manager', 'p1');
  const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
  await ask(as('Ana'), '/upnext use p1, p2', 'This channel now follows');
  await as('Ben').type('/upnext use none');
  await as('Ben').sees(
    'This channel no longer follows your projects. 1 other project stays, because you don’t manage it.',
  );
});
