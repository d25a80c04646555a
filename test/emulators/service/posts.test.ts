import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HARBOUR, problemsOf, type Received, type RunningService, runService } from './running-service.ts';

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

const create = (body: object) => service.send('POST', POSTS, { body });
const list = async (query: string) => (await service.send('GET', `${POSTS}?${query}`)).json.data;
const contents = (posts: { Content: string }[]) => posts.map(({ Content }) => Content);

function scheduled(more: object = {}): object {
  return {
    Content: 'A post',
    Status: 'SCHEDULED',
    ScheduleDate: '2026-12-01T09:00:00+01:00',
    Timezone: 'Europe/Berlin',
    Platforms: ['X'],
    ...more,
  };
}

describe('a new post', () => {
  test('is returned as it was written, and is first in the list', async () => {
    const created = await create(
      scheduled({ Content: 'Čau 👋🏽', Media: 'media-1', Platforms: ['X', 'INSTAGRAM', 'X'] }),
    );
    expect(created.status).toBe(200);
    expect(created.json).toMatchObject({
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
    expect(await list('limit=1')).toEqual([created.json.data]);
  });

  test('defaults to a draft, which needs no date and no platform', async () => {
    const { json } = await create({ Content: 'Some day' });
    expect(json.data).toMatchObject({ Status: 'DRAFT', ScheduleDate: null, Timezone: null, Platforms: [] });
  });

  test('may have a template instead of text', async () => {
    const [template] = (await service.send('GET', `${HARBOUR}/templates`)).json.data;
    expect((await create({ TemplateId: template.Id })).json.data.TemplateId).toBe(template.Id);
  });

  test('is logged by its id, without its text', async () => {
    const { json } = await create({ Content: 'a secret plan' });
    const logs = await service.send('GET', `${HARBOUR}/logs`);
    expect(logs.json.data[0]).toMatchObject({ Event: 'post.created' });
    expect(logs.json.data[0].Message).toContain(json.data.Id);
    expect(JSON.stringify(logs.json)).not.toContain('a secret plan');
  });

  test.each([
    ['without anything to say', {}, ['body.Content missing']],
    ['with only blanks to say', { Content: ' \n' }, ['body.Content missing']],
    ['as PUBLISHED', { Content: 'a', Status: 'PUBLISHED' }, ['body.Status value_error']],
    ['with a status that nobody knows', { Content: 'a', Status: 'draft' }, ['body.Status enum']],
    [
      'as SCHEDULED without date, zone and platform',
      { Content: 'a', Status: 'SCHEDULED' },
      ['body.ScheduleDate missing', 'body.Timezone missing', 'body.Platforms missing'],
    ],
    ['for no platform at all', scheduled({ Platforms: [] }), ['body.Platforms too_short']],
    [
      'for a platform that nobody knows',
      scheduled({ Platforms: ['X', 'MYSPACE'] }),
      ['body.Platforms.1 enum'],
    ],
    [
      'for this very moment',
      scheduled({ ScheduleDate: '2026-11-20T12:00:00Z' }),
      ['body.ScheduleDate value_error'],
    ],
    [
      'for a zone that does not exist',
      scheduled({ Timezone: 'Europe/Berlim' }),
      ['body.Timezone value_error'],
    ],
    [
      'for 29 February of 2027',
      scheduled({ ScheduleDate: '2027-02-29T09:00:00' }),
      ['body.ScheduleDate datetime_parsing'],
    ],
    [
      'for the year 10000',
      scheduled({ ScheduleDate: '9999-12-31T23:59:59-01:00' }),
      ['body.ScheduleDate value_error'],
    ],
    [
      'with a draft’s date before 1970',
      { Content: 'a', ScheduleDate: '0001-01-01T00:00:00Z' },
      ['body.ScheduleDate value_error'],
    ],
    [
      'with a template of another project',
      { TemplateId: 'template_000000000001' },
      ['body.TemplateId value_error'],
    ],
    ['with a prompt that is none', { PromptId: 'template_000000000003' }, ['body.PromptId value_error']],
    ['with NUL in its text', { Content: 'a\0b' }, ['body.Content value_error']],
    ['with half an emoji', { Content: 'a\ud83d' }, ['body.Content string_unicode']],
    [
      'with a text longer than any platform takes',
      { Content: 'x'.repeat(65_537) },
      ['body.Content string_too_long'],
    ],
    ['with null for a text', { Content: null, Media: 'm' }, ['body.Content string_type']],
  ])('is refused %s', async (_name, body, expected) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual(expected);
  });

  test('is answered with all of its errors at once', async () => {
    const answer = await create({
      Content: 3,
      Platforms: ['Y'],
      Status: 'SCHEDULED',
      Timezone: 'Nowhere',
      TemplateId: 'unknown',
    });
    expect(problemsOf(answer)).toEqual([
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
  ])('may be scheduled for %s, read in its zone', async (_name, ScheduleDate, expected) => {
    expect((await create(scheduled({ ScheduleDate }))).json.data.ScheduleDate).toBe(expected);
  });
});

describe('the list of posts', () => {
  test('is newest first, and complete with pagination', async () => {
    for (const Content of ['first', 'second', 'third']) await create({ Content });
    expect(contents(await list('limit=3'))).toEqual(['third', 'second', 'first']);
    const all = await list('limit=1000');
    const pages = await Promise.all([0, 4, 8, 12].map((skip) => list(`skip=${skip}&limit=4`)));
    expect(pages.flat()).toEqual(all.slice(0, 16));
    expect(await list(`skip=${all.length}`)).toEqual([]);
  });

  test('includes both bounds of a range, and reads bounds without an offset as UTC', async () => {
    await create(scheduled({ Content: 'nine', ScheduleDate: '2030-05-01T09:00:00Z' }));
    await create(scheduled({ Content: 'ten', ScheduleDate: '2030-05-01T10:00:00Z' }));
    const within = (from: string, to: string) => list(`schedule_date_from=${from}&schedule_date_to=${to}`);
    expect(contents(await within('2030-05-01T09:00:00', '2030-05-01T12:00:00%2B02:00'))).toEqual([
      'ten',
      'nine',
    ]);
    expect(contents(await within('2030-05-01T09:00:00.001Z', '2030-05-01T10:00:00Z'))).toEqual(['ten']);
    expect(contents(await within('2030-05-01T08:59:59Z', '2030-05-01T09:59:59.999Z'))).toEqual(['nine']);
    expect(await within('0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z')).toEqual([]);
  });

  test('matches any of several platforms and statuses, and all kinds of filters together', async () => {
    const ScheduleDate = '2031-01-01T00:00:00Z';
    await create(scheduled({ Content: 'reddit', ScheduleDate, Platforms: ['REDDIT'] }));
    await create(scheduled({ Content: 'draft', ScheduleDate, Platforms: ['PINTEREST'], Status: 'DRAFT' }));
    await create(scheduled({ Content: 'both', ScheduleDate, Platforms: ['REDDIT', 'PINTEREST'] }));
    const day = `schedule_date_from=${ScheduleDate}&schedule_date_to=${ScheduleDate}`;
    expect(contents(await list(`${day}&platforms=REDDIT&platforms=PINTEREST`))).toEqual([
      'both',
      'draft',
      'reddit',
    ]);
    expect(contents(await list(`${day}&platforms=PINTEREST`))).toEqual(['both', 'draft']);
    expect(contents(await list(`${day}&platforms=PINTEREST&status=SCHEDULED&status=PUBLISHED`))).toEqual([
      'both',
    ]);
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
  ])('is refused with %s', async (query, expected) => {
    const answer: Received = await service.send('GET', `${POSTS}?${query}`);
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual(expected);
  });
});

describe('a post whose moment has come', () => {
  test('is PUBLISHED everywhere and no longer up next, and the log says that nothing was delivered', async () => {
    const ScheduleDate = '2026-11-20T12:00:30Z';
    const { Id } = (await create(scheduled({ Content: 'soon', ScheduleDate }))).json.data;
    const upNext = async () => (await service.send('GET', `${HARBOUR}/dashboard/upnext-post`)).json.data;
    expect(await upNext()).toMatchObject({ Id, Status: 'SCHEDULED' });

    clock = START + 30_000;
    expect((await upNext()).Id).not.toBe(Id);
    const at = `schedule_date_from=${ScheduleDate}&schedule_date_to=${ScheduleDate}`;
    expect(await list(`${at}&status=SCHEDULED`)).toEqual([]);
    expect(await list(`${at}&status=PUBLISHED`)).toMatchObject([{ Id, Status: 'PUBLISHED' }]);
    const { json } = await service.send('GET', `${HARBOUR}/logs`);
    expect(json.data[0]).toMatchObject({
      Event: 'post.published',
      Message: `${Id} reached its ScheduleDate and is PUBLISHED. This is a practice service: nothing was delivered to any platform.`,
    });
  });

  test('up next is null if nothing is scheduled', async () => {
    clock = Date.parse('9999-12-31T23:59:59.999Z');
    const { json } = await service.send('GET', `${HARBOUR}/dashboard/upnext-post`);
    expect(json).toEqual({ data: null, success: true });
  });
});
