import { afterAll, beforeAll, expect, test } from 'vitest';
import { HARBOUR, type RunningService, runService } from '../running-service.ts';

let service: RunningService;
let clock = new Date('2027-02-22T08:00:00Z');

beforeAll(async () => {
  service = await runService({ now: () => clock });
});
afterAll(() => service.close());

const fetchData = async (path: string) => (await service.send('GET', `${HARBOUR}${path}`)).json.data;

test('a post that the service fails to publish is listed as failed, and has a log line', async () => {
  const body = {
    Content: 'Hello',
    Platforms: ['X'],
    Status: 'SCHEDULED',
    ScheduleDate: '2027-02-22T09:00:00Z',
    Timezone: 'UTC',
  };
  const { Id } = (await service.send('POST', `${HARBOUR}/posts`, { body })).json.data;
  await service.practice.faults.set({ failsToPublish: true });
  clock = new Date('2027-02-22T09:00:01Z');
  expect(await fetchData('/posts?status=FAILED')).toMatchObject([{ Id, Status: 'FAILED' }]);
  expect(JSON.stringify(await fetchData('/posts?status=PUBLISHED&limit=1000'))).not.toContain(Id);
  const [line] = await fetchData('/logs');
  expect(line).toMatchObject({ Event: 'post.failed', Message: expect.stringContaining(Id) });
});
