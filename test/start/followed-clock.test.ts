import { expect, test } from 'vitest';
import { readSettings } from '../../src/config/config.ts';
import { startService } from '../../src/start/parts.ts';
import { newDataFolder } from '../support/data-folder.ts';

const DAY = 24 * 60 * 60_000;

test('the practice service publishes by the practice workspace’s clock', async () => {
  const settings = readSettings({ DATA_DIR: await newDataFolder(), SERVICE_PORT: '0' });
  const fail = (reason: unknown) => expect.unreachable(String(reason));
  const service = await startService(settings, fail, fail);
  const posts = `${service.url}/api/v1/projects/project_000000000002/posts`;
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const tomorrow = new Date(Date.now() + DAY).toISOString();
  const when = { ScheduleDate: tomorrow, Timezone: 'UTC', Status: 'SCHEDULED' };
  const body = JSON.stringify({ Content: 'Jumped over', Platforms: ['X'], ...when });
  expect((await fetch(posts, { method: 'POST', headers, body })).status).toBe(200);
  const isPublished = async () => {
    const answer = await fetch(`${posts}?status=PUBLISHED`, { headers });
    return (await answer.text()).includes('Jumped over');
  };
  expect(await isPublished(), 'before the jump').toBe(false);
  service.followClock(2 * DAY);
  await expect.poll(isPublished).toBe(true);
  await service.close();
}, 30_000);
