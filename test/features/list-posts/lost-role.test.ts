import { expect, test } from 'vitest';
import { data, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee } from '../../support/steps.ts';
import { grantBen, revokeBen } from '../../support/two-projects.ts';

const { database, running, startBot } = setUpBot({ membersDefaultRole: null });

test('a file of posts isn’t sent to somebody who loses the role while its pages are read', async () => {
  await startBot({ membersDefaultRole: null });
  await grantBen(database.db, 'viewer', 'p1');
  const ben = running.workspace.as('Ben').in('#harbour-coffee');
  running.service.on('GET /posts', data([listedPost('We open at nine', '2026-11-24T09:00:00Z')]));
  await ask(ben, '/upnext posts 24 nov', 'We open at nine');
  running.service.on('GET /posts', async (call, response) => {
    await revokeBen(database.db, 'p1');
    await data([listedPost('We open at nine', '2026-11-24T09:00:00Z')])(call, response);
  });
  await pressAndSee(
    ben,
    'Export as CSV',
    'Not exported, because you no longer have the Viewer role in Harbour Coffee.',
  );
  expect((await ben.inDirectMessage()).read()).not.toContain('as CSV');
});
