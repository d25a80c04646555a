import { expect, test } from 'vitest';
import { readSettings } from '../../src/config/config.ts';
import { startService } from '../../src/start/parts.ts';
import { createDataFolder } from '../support/data-folder.ts';

const DAY_MS = 24 * 60 * 60_000;

test('the practice service follows the clock of the practice workspace when it publishes posts', async () => {
  const settings = readSettings({ DATA_DIR: await createDataFolder(), SERVICE_PORT: '0' });
  const fail = (reason: unknown) => expect.unreachable(String(reason));
  const service = await startService(settings, fail, fail);
  const postsUrl = `${service.url}/api/v1/projects/project_000000000002/posts`;
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  const schedule = { ScheduleDate: tomorrow, Timezone: 'UTC', Status: 'SCHEDULED' };
  const body = JSON.stringify({ Content: 'Jumped over', Platforms: ['X'], ...schedule });
  expect((await fetch(postsUrl, { method: 'POST', headers, body })).status).toBe(200);
  const isPublished = async () => {
    const response = await fetch(`${postsUrl}?status=PUBLISHED`, { headers });
    return (await response.text()).includes('Jumped over');
  };
  expect(await isPublished(), 'before the jump').toBe(false);
  service.followClock(2 * DAY_MS);
  await expect.poll(isPublished).toBe(true);
  await service.close();
}, 30_000);
