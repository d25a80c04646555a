import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HARBOUR, problemsOf, type RunningService, runService } from './running-service.ts';

const NIGHT_MARKET = '/api/v1/projects/project_000000000001';
const USER = `${HARBOUR}/users/user_000000000004`;
const SOURCE = `${HARBOUR}/sources/source_000000000003`;

let service: RunningService;

beforeAll(async () => {
  service = await runService({ now: () => new Date('2026-11-20T12:00:00Z') });
});

afterAll(() => service.close());

const get = async (path: string) => (await service.send('GET', path)).json.data;
const lastLog = async () => (await get(`${HARBOUR}/logs`))[0];

test('the first start creates two complete projects', async () => {
  const projects = await get('/api/v1/projects');
  expect(projects.map(({ Name }: { Name: string }) => Name)).toEqual([
    'Harbour Coffee',
    'Night Market Books',
  ]);
  for (const { Id } of projects) {
    const project = `/api/v1/projects/${Id}`;
    const posts = await get(`${project}/posts`);
    for (const Status of ['DRAFT', 'SCHEDULED', 'PUBLISHED'])
      expect(posts).toContainEqual(expect.objectContaining({ Status }));
    for (const kind of ['templates', 'sources', 'logs'])
      expect((await get(`${project}/${kind}`)).length).toBeGreaterThan(0);
    expect(await get(`${project}/dashboard/upnext-post`)).toMatchObject({ Status: 'SCHEDULED' });
  }
});

describe('an invitation', () => {
  const invite = (body: object) => service.send('POST', `${HARBOUR}/users/invite`, { body });
  const person = { FirstName: 'Ola', LastName: 'Nyström', Email: 'Ola@exämple.example' };

  test('defaults to an active ADMIN, and is logged without the person’s name', async () => {
    const { status, json } = await invite(person);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ ...person, PhoneNumber: null, Role: 'ADMIN', Status: 'ACTIVE' });
    const log = await lastLog();
    expect(log).toMatchObject({ Event: 'user.invited', Message: `${json.data.Id} was invited as ADMIN.` });
  });

  test('is refused if the e-mail exists in the project in any case; other projects may invite it', async () => {
    const again = { ...person, Email: 'ola@EXÄMPLE.example' };
    expect(problemsOf(await invite(again))).toEqual(['body.Email value_error']);
    expect((await service.send('POST', `${NIGHT_MARKET}/users/invite`, { body: again })).status).toBe(200);
  });

  test('succeeds once if two arrive at the same moment', async () => {
    const body = { ...person, Email: 'twin@example.org' };
    const statuses = (await Promise.all([invite(body), invite(body)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 422]);
  });

  test.each([
    ['nothing', {}, ['body.FirstName missing', 'body.LastName missing', 'body.Email missing']],
    [
      'a blank name',
      { ...person, FirstName: ' ' },
      ['body.FirstName string_too_short', 'body.Email value_error'],
    ],
    ['an address that is none', { ...person, Email: 'ola@' }, ['body.Email value_error']],
    [
      'a line break in the address',
      { ...person, Email: 'a@b.example\r\nBcc: c@d.example' },
      ['body.Email value_error'],
    ],
    ['a role that nobody knows', { ...person, Email: 'x@y.example', Role: 'SUPERADMIN' }, ['body.Role enum']],
    ['a status that nobody knows', { ...person, Email: 'x@y.example', Status: 'on' }, ['body.Status enum']],
  ])('is refused with %s', async (_name, body, expected) => {
    const answer = await invite(body);
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual(expected);
  });
});

describe('a change of a person', () => {
  test('changes the given fields only', async () => {
    const { json } = await service.send('PUT', USER, { body: { Role: 'VIEWER' } });
    expect(json.data).toMatchObject({ FirstName: 'Ana', Role: 'VIEWER', Status: 'ACTIVE' });
    expect(await lastLog()).toMatchObject({ Event: 'user.updated' });
  });

  test('is refused if it changes nothing or the role is unknown', async () => {
    expect(problemsOf(await service.send('PUT', USER, { body: {} }))).toEqual(['body missing']);
    expect(problemsOf(await service.send('PUT', USER, { body: { Role: 'OWNER' } }))).toEqual([
      'body.Role enum',
    ]);
  });

  test.each(['user_999999999999', 'user_000000000001', 'user_4', '__proto__', '%00', 'a%2F..'])(
    'is 404 for %s',
    async (id) => {
      expect((await service.send('PUT', `${HARBOUR}/users/${id}`, { body: { Role: 'ADMIN' } })).status).toBe(
        404,
      );
    },
  );
});

test('a prompt is stored and can then be used by a post', async () => {
  const body = { Title: 'Title', PromptText: 'Write something.' };
  const { json } = await service.send('POST', `${HARBOUR}/prompts`, { body });
  expect(json.data).toMatchObject({ ...body, Description: null });
  expect(await lastLog()).toMatchObject({ Event: 'prompt.created' });
  const post = await service.send('POST', `${HARBOUR}/posts`, { body: { PromptId: json.data.Id } });
  expect(post.status).toBe(200);
  const blank = await service.send('POST', `${HARBOUR}/prompts`, { body: { Title: 'x', PromptText: ' ' } });
  expect(problemsOf(blank)).toEqual(['body.PromptText string_too_short']);
});

test('a template is read by its id, in its own project only', async () => {
  const [template] = await get(`${HARBOUR}/templates`);
  expect(await get(`${HARBOUR}/templates/${template.Id}`)).toEqual(template);
  expect((await service.send('GET', `${NIGHT_MARKET}/templates/${template.Id}`)).status).toBe(404);
});

test('a source accepts a new description, a new value or both', async () => {
  const first = await service.send('PUT', SOURCE, { body: { Description: '' } });
  expect(first.json.data).toMatchObject({
    Description: '',
    Source: { Source: expect.stringContaining('https://') },
  });
  const second = await service.send('PUT', SOURCE, { body: { Source: { Source: 'https://new.example' } } });
  expect(second.json.data).toMatchObject({ Description: '', Source: { Source: 'https://new.example' } });
  expect(await get(`${HARBOUR}/sources`)).toContainEqual(second.json.data);
  expect(await lastLog()).toMatchObject({ Event: 'source.updated' });
  expect(problemsOf(await service.send('PUT', SOURCE, { body: { Source: {} } }))).toEqual([
    'body.Source.Source missing',
  ]);
  expect(problemsOf(await service.send('PUT', SOURCE, { body: { Source: { Source: 'a\0' } } }))).toEqual([
    'body.Source.Source value_error',
  ]);
});

test('a webhook is deleted once and then gone', async () => {
  expect(await service.send('DELETE', `${HARBOUR}/webhook`)).toMatchObject({
    status: 200,
    json: { success: true },
  });
  expect(await lastLog()).toMatchObject({ Event: 'webhook.deleted' });
  expect((await service.send('DELETE', `${HARBOUR}/webhook`)).status).toBe(404);
});

test('deleting a file succeeds, and the log says that nothing was deleted', async () => {
  expect((await service.send('DELETE', '/api/v1/common/file')).status).toBe(200);
  expect((await lastLog()).Message).toContain('nothing was deleted');
});
