import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { saveCredential } from '../../../src/workspaces/credentials.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, confirmAndSee } from '../../support/steps.ts';

/** The practice service is that of the settings, which a workspace without a connection uses. */

const { ana, database, running, startBot } = setUpBot();
let service: Awaited<ReturnType<typeof startPracticeService>>;
beforeAll(async () => {
  service = await startPracticeService();
});
afterAll(() => service.close());
beforeEach(() => startBot({ isEmulated: true, service, membersDefaultRole: 'owner' }));

test('right after [Disconnect], the owner reads that the workspace uses the practice service', async () => {
  const workspace = 'T01HARBOUR';
  const connection = JSON.stringify({ url: 'https://posts.example.com', token: 'a-token' });
  await saveCredential(database.db, {
    ...{ id: 'c1', workspace, project: '', connected_by: 'U01ANAFERR', connected_at: new Date() },
    connection: running.settings.encryption.encrypt(connection, workspace, ''),
  });
  await ask(ana, '/upnext connect', 'This workspace is connected to posts.example.com');
  await confirmAndSee(ana, 'Disconnect', 'This workspace uses the practice service');
});
