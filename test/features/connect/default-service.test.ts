import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

test('a project that was deleted and made again with its id is asked about', async () => {
  await ask(ana, '/upnext projects', '2 projects');
  const { id } = await database.db
    .selectFrom('known_project')
    .select('project as id')
    .orderBy('project')
    .executeTakeFirstOrThrow();
  expect(await service.remakeProject(id)).toBe(true);
  await ask(ana, '/upnext projects', 'One project');
  const message = await running.workspace.as('Ana').inDirectMessage();
  await message.sees('was gone from the scheduling service, or was made again there.');
  await confirmAndSee(message, 'New project', 'It’s a new project.');
  await ask(ana, '/upnext projects', '2 projects');
});
