import { expect, test } from 'vitest';
import type { Credentials } from '../../src/workspaces/credentials.ts';
import { createServices } from '../../src/workspaces/services.ts';

test('a workspace has the same client, although thousands of other workspaces use theirs', async () => {
  const connection = {
    url: 'https://service.example',
    token: 'token',
    connectedBy: 'U1',
    connectedAt: new Date(),
  };
  const credentials: Credentials = {
    list: async (workspace) => [{ id: workspace, ...connection }],
    save: async () => undefined,
    remove: async () => true,
  };
  const services = createServices({ credentials, addressRules: { allowPrivate: false } });
  const { api } = await services.resolveService('T0');
  for (let index = 1; index < 5_000; index += 1) await services.resolveService(`T${index}`);
  expect((await services.resolveService('T0')).api).toBe(api);
});
