import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  HARBOUR,
  listProblems,
  type RunningService,
  runService,
  type ServiceResponse,
} from './running-service.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const POSTS = `${HARBOUR}/posts`;

let clock = START;
let service: RunningService;

beforeAll(async () => {
  service = await runService({ now: () => new Date(clock) });
});

beforeEach(() => {
  clock = START;
});

afterAll(() => service.close());

const createPost = (body: object) => service.send('POST', POSTS, { body });
const listPosts = async (query: string) => (await service.send('GET', `${POSTS}?${query}`)).json.data;
const listContents = (posts: { Content: string }[]) => posts.map(({ Content }) => Content);

function createScheduledPost(fields: object = {}): object {
  return {
    Content: 'A post',
    Status: 'SCHEDULED',
    ScheduleDate: '2026-12-01T09:00:00+01:00',
    Timezone: 'Europe/Berlin',
    Platforms: ['X'],
    ...fields,
  };
}

describe('a new post', () => {
  test('a new post is returned as it was written, and is first in the list', async () => {
    const createdResponse = await createPost(
      createScheduledPost({ Content: 'Čau 👋🏽', Media: 'media-1', Platforms: ['X', 'INSTAGRAM', 'X'] }),
    );
    expect(createdResponse.status).toBe(200);
    expect(createdResponse.json).toMatchObject({
      success: true,
      data: {
        Content: 'Čau 👋🏽',
        Media: 'media-1',
        ScheduleDate: '2026-12-01T08:00:00.000Z',
        Timezone: 'Europe/Berlin',
        Platforms: ['X', 'INSTAGRAM'],
        Status: 'SCHEDULED',
      },
    });
    expect(await listPosts('limit=1')).toEqual([createdResponse.json.data]);
  });

  test('a new post defaults to a draft, which needs no date and no platform', async () => {
    const { json } = await createPost({ Content: 'Some day' });
    expect(json.data).toMatchObject({ Status: 'DRAFT', ScheduleDate: null, Timezone: null, Platforms: [] });
  });

  test('a new post may have a template instead of text', async () => {
    const [template] = (await service.send('GET', `${HARBOUR}/templates`)).json.data;
    expect((await createPost({ TemplateId: template.Id })).json.data.TemplateId).toBe(template.Id);
  });

  test('a new post is logged by its id, without its text', async () => {
    const { json } = await createPost({ Content: 'a secret plan' });
    const logs = await service.send('GET', `${HARBOUR}/logs`);
    expect(logs.json.data[0]).toMatchObject({ Event: 'post.created' });
    expect(logs.json.data[0].Message).toContain(json.data.Id);
    expect(JSON.stringify(logs.json)).not.toContain('a secret plan');
  });

  test.each([
    ['without content', {}, ['body.Content missing']],
    ['with blank content', { Content: ' \n' }, ['body.Content missing']],
    ['as PUBLISHED', { Content: 'a', Status: 'PUBLISHED' }, ['body.Status value_error']],
    ['with an unknown status', { Content: 'a', Status: 'draft' }, ['body.Status enum']],
    [
      'as SCHEDULED without date, zone and platform',
      { Content: 'a', Status: 'SCHEDULED' },
      ['body.ScheduleDate missing', 'body.Timezone missing', 'body.Platforms missing'],
    ],
    ['without a platform', createScheduledPost({ Platforms: [] }), ['body.Platforms too_short']],
    [
      'for an unknown platform',
      createScheduledPost({ Platforms: ['X', 'MYSPACE'] }),
      ['body.Platforms.1 enum'],
    ],
    [
      'for the current time',
      createScheduledPost({ ScheduleDate: '2026-11-20T12:00:00Z' }),
      ['body.ScheduleDate value_error'],
    ],
    [
      'for an unknown time zone',
      createScheduledPost({ Timezone: 'Europe/Berlim' }),
      ['body.Timezone value_error'],
    ],
    [
      'for 29 February of 2027',
      createScheduledPost({ ScheduleDate: '2027-02-29T09:00:00' }),
      ['body.ScheduleDate datetime_parsing'],
    ],
    [
      'for the year 10000',
      createScheduledPost({ ScheduleDate: '9999-12-31T23:59:59-01:00' }),
      ['body.ScheduleDate value_error'],
    ],
    [
      'with a date before 1970 in a draft',
      { Content: 'a', ScheduleDate: '0001-01-01T00:00:00Z' },
      ['body.ScheduleDate value_error'],
    ],
    [
      'with a template of another project',
      { TemplateId: 'template_000000000001' },
      ['body.TemplateId value_error'],
    ],
    ['with an unknown prompt', { PromptId: 'template_000000000003' }, ['body.PromptId value_error']],
    ['with a NUL character in its text', { Content: 'a\0b' }, ['body.Content value_error']],
    ['with half an emoji', { Content: 'a\ud83d' }, ['body.Content string_unicode']],
    [
      'with a text longer than any platform accepts',
      { Content: 'x'.repeat(65_537) },
      ['body.Content string_too_long'],
    ],
    ['with null as its text', { Content: null, Media: 'm' }, ['body.Content string_type']],
  ])('a new post %s is refused', async (_name, body, expected) => {
    const response = await createPost(body);
    expect(response.status).toBe(422);
    expect(listProblems(response)).toEqual(expected);
  });

  test('a new post with several errors is refused with all of them', async () => {
    const response = await createPost({
      Content: 3,
      Platforms: ['Y'],
      Status: 'SCHEDULED',
      Timezone: 'Nowhere',
      TemplateId: 'unknown',
    });
    expect(listProblems(response)).toEqual([
      'body.Content string_type',
      'body.Platforms.0 enum',
      'body.Timezone value_error',
      'body.ScheduleDate missing',
      'body.TemplateId value_error',
    ]);
  });

  test.each([
    ['the year 9999', '9999-12-31T23:59:59', '9999-12-31T22:59:59.000Z'],
    ['a leap day', '2028-02-29T09:00:00', '2028-02-29T08:00:00.000Z'],
    ['a gap in spring', '2027-03-28T02:30:00', '2027-03-28T01:30:00.000Z'],
    ['an overlap in autumn', '2027-10-31T02:30:00', '2027-10-31T00:30:00.000Z'],
  ])('a new post may be scheduled for %s, in its own time zone', async (_name, ScheduleDate, expected) => {
    expect((await createPost(createScheduledPost({ ScheduleDate }))).json.data.ScheduleDate).toBe(expected);
  });
});

describe('the list of posts', () => {
  test('the list is newest first, and its pages are complete', async () => {
    for (const Content of ['first', 'second', 'third']) await createPost({ Content });
    expect(listContents(await listPosts('limit=3'))).toEqual(['third', 'second', 'first']);
    const allPosts = await listPosts('limit=1000');
    const pages = await Promise.all([0, 4, 8, 12].map((skip) => listPosts(`skip=${skip}&limit=4`)));
    expect(pages.flat()).toEqual(allPosts.slice(0, 16));
    expect(await listPosts(`skip=${allPosts.length}`)).toEqual([]);
  });

  test('the list includes both bounds of a range, and bounds without an offset mean UTC', async () => {
    await createPost(createScheduledPost({ Content: 'nine', ScheduleDate: '2030-05-01T09:00:00Z' }));
    await createPost(createScheduledPost({ Content: 'ten', ScheduleDate: '2030-05-01T10:00:00Z' }));
    const listPostsWithin = (from: string, to: string) =>
      listPosts(`schedule_date_from=${from}&schedule_date_to=${to}`);
    expect(listContents(await listPostsWithin('2030-05-01T09:00:00', '2030-05-01T12:00:00%2B02:00'))).toEqual(
      ['ten', 'nine'],
    );
    expect(listContents(await listPostsWithin('2030-05-01T09:00:00.001Z', '2030-05-01T10:00:00Z'))).toEqual([
      'ten',
    ]);
    expect(listContents(await listPostsWithin('2030-05-01T08:59:59Z', '2030-05-01T09:59:59.999Z'))).toEqual([
      'nine',
    ]);
    expect(await listPostsWithin('0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z')).toEqual([]);
  });

  test('the list matches any of several platforms or statuses, and all kinds of filters together', async () => {
    const ScheduleDate = '2031-01-01T00:00:00Z';
    await createPost(createScheduledPost({ Content: 'reddit', ScheduleDate, Platforms: ['REDDIT'] }));
    await createPost(
      createScheduledPost({ Content: 'draft', ScheduleDate, Platforms: ['PINTEREST'], Status: 'DRAFT' }),
    );
    await createPost(
      createScheduledPost({ Content: 'both', ScheduleDate, Platforms: ['REDDIT', 'PINTEREST'] }),
    );
    const dateRange = `schedule_date_from=${ScheduleDate}&schedule_date_to=${ScheduleDate}`;
    expect(listContents(await listPosts(`${dateRange}&platforms=REDDIT&platforms=PINTEREST`))).toEqual([
      'both',
      'draft',
      'reddit',
    ]);
    expect(listContents(await listPosts(`${dateRange}&platforms=PINTEREST`))).toEqual(['both', 'draft']);
    expect(
      listContents(await listPosts(`${dateRange}&platforms=PINTEREST&status=SCHEDULED&status=PUBLISHED`)),
    ).toEqual(['both']);
  });

  test.each([
    ['limit=abc', ['query.limit int_parsing']],
    ['limit=1.5', ['query.limit int_parsing']],
    ['limit=0', ['query.limit greater_than_equal']],
    ['limit=1001', ['query.limit less_than_equal']],
    ['skip=-1', ['query.skip greater_than_equal']],
    ['skip=99999999999999999999', ['query.skip int_parsing']],
    ['skip=1&skip=2', ['query.skip value_error']],
    ['schedule_date_from=tomorrow', ['query.schedule_date_from datetime_parsing']],
    ['schedule_date_to=2027-02-29T00:00:00Z', ['query.schedule_date_to datetime_parsing']],
    ['status=DRAFT&status=LATER', ['query.status.1 enum']],
    ['platforms=instagram', ['query.platforms.0 enum']],
    ['limit=&status=%00', ['query.limit int_parsing', 'query.status.0 enum']],
  ])('the list is refused with %s', async (query, expected) => {
    const response: ServiceResponse = await service.send('GET', `${POSTS}?${query}`);
    expect(response.status).toBe(422);
    expect(listProblems(response)).toEqual(expected);
  });
});

describe('a post that is due', () => {
  test('a due post is published, and the log says that nothing was delivered', async () => {
    const ScheduleDate = '2026-11-20T12:00:30Z';
    const { Id } = (await createPost(createScheduledPost({ Content: 'soon', ScheduleDate }))).json.data;
    const fetchNextPost = async () =>
      (await service.send('GET', `${HARBOUR}/dashboard/upnext-post`)).json.data;
    expect(await fetchNextPost()).toMatchObject({ Id, Status: 'SCHEDULED' });

    clock = START + 30_000;
    expect((await fetchNextPost()).Id).not.toBe(Id);
    const dateRange = `schedule_date_from=${ScheduleDate}&schedule_date_to=${ScheduleDate}`;
    expect(await listPosts(`${dateRange}&status=SCHEDULED`)).toEqual([]);
    expect(await listPosts(`${dateRange}&status=PUBLISHED`)).toMatchObject([{ Id, Status: 'PUBLISHED' }]);
    const { json } = await service.send('GET', `${HARBOUR}/logs`);
    expect(json.data[0]).toMatchObject({
      Event: 'post.published',
      Message: `${Id} reached its ScheduleDate and is PUBLISHED. This is a practice service: nothing was delivered to any platform.`,
    });
  });

  test('the next post is null if nothing is scheduled', async () => {
    clock = Date.parse('9999-12-31T23:59:59.999Z');
    const { json } = await service.send('GET', `${HARBOUR}/dashboard/upnext-post`);
    expect(json).toEqual({ data: null, success: true });
  });
});
