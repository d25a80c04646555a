import { beforeEach, expect, test } from 'vitest';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { NOW } from '../../support/bot.ts';
import { submitWith } from '../../support/form-steps.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ben, database, running, startBot } = setUpBot();
const HARBOUR_COFFEE_CHANNEL = 'C02HARBOUR';

beforeEach(async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  // Ben manages Harbour Coffee and views everything else.
  await grantBen(database.db, 'manager', 'p1');
});

const listStoredZones = () =>
  database.db.selectFrom('zone').select(['scope', 'zone']).orderBy('scope').execute();

async function bindChannel(projects: string[]): Promise<void> {
  await bindProjects(database.db, {
    ...{ workspace: 'T01HARBOUR', channel: HARBOUR_COFFEE_CHANNEL, projects },
    ...{ boundAt: NOW },
  });
}

test('a manager of one project can set its zone in the form, and not the zone of another project', async () => {
  const ben = running.workspace.as('Ben').in('#general');
  const form = await askForForm(ben, '/upnext zone Tokyo', 'Time zone');
  await form.choose('For', 'The project, in every channel');
  await ben.sees('Choose a project');
  const { view } = await submitWith(form, { Project: ['Night Market Books'] });
  expect(view?.text()).toContain('You need the Manager role');
  expect(await listStoredZones()).toEqual([]);
  const other = await askForForm(ben, '/upnext zone Tokyo', 'Time zone');
  await other.choose('For', 'The project, in every channel');
  await ben.sees('Choose a project');
  await submitWith(other, { Project: ['Harbour Coffee'] });
  expect(await listStoredZones()).toEqual([{ scope: 'project', zone: 'Asia/Tokyo' }]);
});

test('a channel’s zone can be set or cleared only by a manager of all its projects', async () => {
  await bindChannel(['p1']);
  await ask(ben, '/upnext zone here Tokyo', 'Posts from this channel now use Tokyo');
  await bindChannel(['p1', 'p2']);
  await ask(ben, '/upnext zone here off', 'You need the Manager role');
  const form = await askForForm(ben, '/upnext zone Berlin', 'Time zone');
  // Nothing is offered that would be refused.
  expect(form.text()).toContain('This channel: Tokyo');
  expect(form.text()).not.toContain('[Remove]');
  expect(form.value('For')).toBe('My own posts');
  const { view } = await submitWith(form, { For: ['This channel'] });
  expect(view?.text()).toContain('You need the Manager role');
  expect(await listStoredZones()).toEqual([{ scope: 'channel', zone: 'Asia/Tokyo' }]);
});
