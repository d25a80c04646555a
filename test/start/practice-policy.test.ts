import { startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import { expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { DEFAULT_POLICY, listPolicies, savePolicy } from '../../src/preferences/project-policy.ts';
import { createPracticePolicy } from '../../src/start/practice.ts';
import { openBotDatabase } from '../support/bot-database.ts';
import { startPracticeService } from '../support/practice-service.ts';

const WORKSPACE = 'T01HARBOUR';

test('one practice project holds its posts from the first start, and keeps what a manager chooses later', async () => {
  const [{ db, close }, service, { workspace }] = await Promise.all([
    openBotDatabase(),
    startPracticeService(),
    startTestWorkspace(),
  ]);
  const api = createApiClient({ baseUrl: service.url, token: service.token });
  const practice = { address: service.url, findApi: async () => api };
  const start = () => createPracticePolicy(db, practice, workspace);

  await start();
  const policies = await listPolicies(db, WORKSPACE);
  expect([...policies.values()]).toEqual([{ ...DEFAULT_POLICY, leadMinutes: 60 }]);

  const [project = ''] = policies.keys();
  const key = { workspace: WORKSPACE, project };
  await savePolicy(db, key, DEFAULT_POLICY);
  await start();
  expect([...(await listPolicies(db, WORKSPACE)).values()]).toEqual([DEFAULT_POLICY]);

  await api.close();
  await Promise.all([workspace.close(), service.close(), close()]);
});
