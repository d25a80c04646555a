import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../../src/api/client.ts';
import { countEqualPosts } from '../../../src/features/schedule-post/sent/post-submission.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { data, type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';

let service: ScriptedService;
let api: ApiClient;

beforeEach(async () => {
  service = await startScriptedService();
  api = createApiClient({ baseUrl: service.url, token: 'token' });
});
afterEach(async () => {
  await service.stop();
  await api.close();
});

const sent = createPostAt('Line one\nand two', 0);
const [{ instant }, { platforms }] = [sent.moment ?? { instant: '' }, sent.values];
const record = {
  Id: 'post_1',
  Content: 'Line one\nand two',
  Platforms: platforms,
  ScheduleDate: new Date(instant).toISOString(),
  Status: 'SCHEDULED',
};

async function count(...changes: Record<string, unknown>[]) {
  service.on('GET /posts', data(changes.map((change) => ({ ...record, ...change }))));
  const outcome = await countEqualPosts(api, sent);
  return outcome.kind === 'done' ? outcome.data : outcome.kind;
}

for (const [name, change] of Object.entries({
  'as it was sent': {},
  'with platforms in lower case': { Platforms: platforms.map((platform) => platform.toLowerCase()) },
  'with platforms as one text': { Platforms: platforms.join(', ').toLowerCase() },
  'with accounts of the platforms': {
    Platforms: platforms.map((platform) => ({ name: 'Harbour Coffee', platform })),
    attributes: {},
  },
  'with platforms as objects': { Platforms: platforms.map((name) => ({ id: 7, name })) },
  'with the status in lower case': { Status: 'scheduled' },
  'with the time in seconds': { ScheduleDate: new Date(instant).getTime() / 1_000 },
  'with the time in milliseconds': { ScheduleDate: new Date(instant).getTime() },
  'with other line breaks': { Content: 'Line one\r\nand two\r\n' },
}))
  test(`a post ${name} is counted`, async () => {
    expect(await count(change)).toBe(1);
  });

test('two equal posts without an id are two', async () => {
  expect(await count({ Id: undefined }, { Id: undefined })).toBe(2);
});

test('a post with another text, time, platform or status is not counted', async () => {
  expect(
    await count(
      { Content: 'Another' },
      { ScheduleDate: new Date(new Date(instant).getTime() + 120_000).toISOString() },
      { Platforms: ['PINTEREST'] },
      { Status: 'draft' },
    ),
  ).toBe(0);
});

for (const [name, change] of Object.entries({
  'time has no zone': { ScheduleDate: new Date(instant).toISOString().replace('Z', '') },
  'time is a word': { ScheduleDate: 'soon' },
  'platforms are numbers': { Platforms: [7] },
  'platforms are unknown': { Platforms: ['Chirper'] },
  'platforms are accounts': { Platforms: [{ name: 'Harbour Coffee' }] },
  'time is in nanoseconds': { ScheduleDate: new Date(instant).getTime() * 1_000_000 },
  'text is an object': { Content: { html: 'Line one' } },
}))
  test(`a post whose ${name} may be equal, unless another field differs`, async () => {
    expect(await count(change)).toBe('cannot-tell');
    expect(await count({ ...change, Media: 'https://example.com/other.png' })).toBe(0);
  });
