import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../../src/api/client.ts';
import { postContent, toFormValues } from '../../../src/features/schedule-post/sent/post-content.ts';
import { countEqualPosts, postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { data, type ScriptedService, startScriptedService } from '../../support/scripted-service.ts';

const project = { id: 'p1', name: 'Harbour Coffee' };
const moment = { instant: '2026-12-01T08:00:00.000Z', zone: 'Europe/Berlin', notes: [] };

/** The posts as they are stored. Their formats must stay readable. */
const stored = {
  complete: {
    values: {
      project,
      text: ' We open\r\nat nine ',
      furtherTexts: [' and more'],
      platforms: ['X', 'LINKEDIN', 'X'],
      status: 'SCHEDULED',
      when: '1 Dec 9am',
      zone: 'Europe/Berlin',
      media: ' https://example.com/a.png ',
      template: { id: 't1', name: 'Opening' },
      prompt: { id: 'q1', name: 'Mornings' },
    },
    text: ' We open\r\nat nine  and more',
    project,
    actorZone: 'Europe/Lisbon',
    moment,
    draft: 'post_7',
  },
  draft: {
    values: { text: 'Later', platforms: [], status: 'DRAFT', when: '', zone: 'UTC', media: '' },
    project,
  },
};

/** Approvals are bound to a hash of this text, so each of its characters counts. */
const requests = {
  complete:
    '{"projectId":"p1","content":" We open\\r\\nat nine  and more","media":" https://example.com/a.png ","templateId":"t1","promptId":"q1","schedule":{"instant":"2026-12-01T08:00:00.000Z","zone":"Europe/Berlin"},"platforms":["X","LINKEDIN"],"status":"SCHEDULED"}',
  draft: '{"projectId":"p1","content":"Later","platforms":[],"status":"DRAFT"}',
};

/** Rows store a hash of this text, by which authors and equal posts are found. */
const fingerprints = {
  complete:
    '["p1","We open\\nat nine  and more","https://example.com/a.png",["LINKEDIN","X"],29935200,false]',
  draft: '["p1","Later","",[],null,true]',
};

for (const name of ['complete', 'draft'] as const) {
  const read = () => postContent.parse(stored[name]);

  test(`an approval of a stored post stays valid: ${name}`, () =>
    expect(JSON.stringify(postSubmission.post.describeRequest(read()))).toBe(requests[name]));

  test(`a stored post keeps its fingerprint: ${name}`, () => {
    const { unknownOutcome } = postSubmission;
    if (unknownOutcome.strategy !== 'reconcile') expect.unreachable();
    expect(unknownOutcome.computeEqualityKey(read())).toBe(fingerprints[name]);
  });
}

test('a stored post opens in the form with all its values', () => {
  const { values } = stored.complete;
  expect(toFormValues(postContent.parse(stored.complete))).toMatchObject({
    text: values.text,
    text2: ' and more',
    zone: { zone: 'Europe/Berlin' },
    media: values.media,
    template: values.template,
    prompt: values.prompt,
  });
});

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
  test(`a post ${name} is counted`, async () => expect(await count(change)).toBe(1));

test('two equal posts without an id are two', async () =>
  expect(await count({ Id: undefined }, { Id: undefined })).toBe(2));

test('a post with another text, time, platform or status is not counted', async () =>
  expect(
    await count(
      { Content: 'Another' },
      { ScheduleDate: new Date(new Date(instant).getTime() + 120_000).toISOString() },
      { Platforms: ['PINTEREST'] },
      { Status: 'draft' },
    ),
  ).toBe(0));

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
