import { beforeEach, describe, expect, test } from 'vitest';
import { submitLine } from '../support/filled-form.ts';
import { data, listedPost } from '../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../support/set-up-bot.ts';
import { ask, askAndPress, chooseAndSee, pressAndSee } from '../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../support/two-projects.ts';

/** Who may share posts where. Ana is an owner, Ben has a role in Harbour Coffee, and #general follows no project. */

const { database, running, setPolicy, startBot } = setUpBot();
const ana = () => running.workspace.as('Ana').in('#general');
const ben = () => running.workspace.as('Ben').in('#general');

const REFUSAL =
  'This channel doesn’t follow this project (/upnext use), so only a Manager can share its posts here.';

beforeEach(async () => {
  await startWithTwoProjects(startBot, {
    pace: RECEIPT_PACE,
    membersDefaultRole: null,
    owners: { kind: 'slack' },
  });
  running.service.on(
    'GET /upnext-post',
    data(listedPost('New roast today', '2026-12-01T09:00:00+01:00', { Id: 'a' })),
  );
  running.service.on('POST /posts', data({ Id: 'made' }));
});

const followHarbour = () => ask(ana(), '/upnext use p1', 'now follows Harbour Coffee');

describe('in a channel that doesn’t follow the project of a post', () => {
  test('a Publisher can’t share the card of a post that can be edited, but can once the channel follows it', async () => {
    await grantBen(database.db, 'publisher', 'p1');
    await setPolicy({ leadMinutes: 60 });
    await submitLine(ben(), '/schedule-post 1 Dec 9am on x: We open at nine');
    await chooseAndSee(ben(), 'More options', 'Share', REFUSAL);
    expect(ana().messages().join()).not.toContain('We open at nine');
    await followHarbour();
    await chooseAndSee(ben(), 'More options', 'Share', 'Shared with #general.');
  });

  test('a Publisher can’t share a receipt, but can once the channel follows the project', async () => {
    await grantBen(database.db, 'publisher', 'p1');
    await submitLine(ben(), '/schedule-post 1 Dec 9am on x: We open at nine');
    await pressAndSee(ben(), 'Share', REFUSAL);
    expect(ana().messages().join()).not.toContain('We open at nine');
    await followHarbour();
    await pressAndSee(ben(), 'Share', 'Shared with #general.');
  });

  test('a Manager of the project shares a receipt', async () => {
    await grantBen(database.db, 'manager', 'p1');
    await submitLine(ben(), '/schedule-post 1 Dec 9am on x: We open at nine');
    await pressAndSee(ben(), 'Share', 'Shared with #general.');
  });
});

test('a Publisher shares the only project in a channel that follows none, but not in one that follows another', async () => {
  const only = [{ Id: 'p2', Name: 'Night Market Books' }];
  await grantBen(database.db, 'publisher', 'p2');
  await followHarbour();
  running.service.on('GET /projects', data(only));
  await ask(ben(), '/upnext', 'New roast today');
  expect(ben().read()).not.toContain('Share with channel');
  await submitLine(ben(), '/schedule-post 1 Dec 9am on x: We open at nine');
  await pressAndSee(ben(), 'Share', REFUSAL);
  await ask(ana(), '/upnext use none', 'no longer follows a project');
  await pressAndSee(ben(), 'Share', 'Shared with #general.');
});

test('a Viewer can’t share the next post of a channel', async () => {
  await grantBen(database.db, 'viewer', 'p1');
  await followHarbour();
  await ask(ben(), '/upnext', 'New roast today');
  expect(ben().read()).not.toContain('Share with channel');
});

test('a Contributor shares the next post of a channel', async () => {
  await grantBen(database.db, 'contributor', 'p1');
  await followHarbour();
  await askAndPress(ben(), '/upnext', 'Share with channel', 'Shared with #general.');
});
