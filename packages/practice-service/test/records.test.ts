import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HARBOUR, listProblems, type RunningService, runService } from './running-service.ts';

const NIGHT_MARKET = '/api/v1/projects/project_000000000001';
const USER = `${HARBOUR}/users/user_000000000004`;
const SOURCE = `${HARBOUR}/sources/source_000000000003`;

let service: RunningService;

beforeAll(async () => {
  service = await runService({ now: () => new Date('2026-11-20T12:00:00Z') });
});

afterAll(() => service.close());

const fetchData = async (path: string) => (await service.send('GET', path)).json.data;
const fetchLastLog = async () => (await fetchData(`${HARBOUR}/logs`))[0];

test('the first start creates two complete projects', async () => {
  const projects = await fetchData('/api/v1/projects');
  expect(projects.map(({ Name }: { Name: string }) => Name)).toEqual([
    'Harbour Coffee',
    'Night Market Books',
  ]);
  for (const { Id } of projects) {
    const project = `/api/v1/projects/${Id}`;
    const posts = await fetchData(`${project}/posts`);
    for (const Status of ['DRAFT', 'SCHEDULED', 'PUBLISHED'])
      expect(posts).toContainEqual(expect.objectContaining({ Status }));
    for (const kind of ['templates', 'sources', 'logs'])
      expect((await fetchData(`${project}/${kind}`)).length).toBeGreaterThan(0);
    expect(await fetchData(`${project}/dashboard/upnext-post`)).toMatchObject({ Status: 'SCHEDULED' });
  }
});

describe('an invitation', () => {
  const invite = (body: object) => service.send('POST', `${HARBOUR}/users/invite`, { body });
  const person = { FirstName: 'Ola', LastName: 'Nyström', Email: 'Ola@exämple.example' };

  test('an invitation defaults to an active ADMIN, and is logged without the person’s name', async () => {
    const { status, json } = await invite(person);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ ...person, PhoneNumber: null, Role: 'ADMIN', Status: 'ACTIVE' });
    const log = await fetchLastLog();
    expect(log).toMatchObject({ Event: 'user.invited', Message: `${json.data.Id} was invited as ADMIN.` });
  });

  test('an e-mail address can be invited once per project, whatever its case', async () => {
    const sameAddress = { ...person, Email: 'ola@EXÄMPLE.example' };
    expect(listProblems(await invite(sameAddress))).toEqual(['body.Email value_error']);
    expect((await service.send('POST', `${NIGHT_MARKET}/users/invite`, { body: sameAddress })).status).toBe(
      200,
    );
  });

  test('only one of two simultaneous invitations succeeds', async () => {
    const body = { ...person, Email: 'twin@example.org' };
    const statuses = (await Promise.all([invite(body), invite(body)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 422]);
  });

  test.each([
    ['no fields', {}, ['body.FirstName missing', 'body.LastName missing', 'body.Email missing']],
    [
      'a blank name',
      { ...person, FirstName: ' ' },
      ['body.FirstName string_too_short', 'body.Email value_error'],
    ],
    ['an invalid e-mail address', { ...person, Email: 'ola@' }, ['body.Email value_error']],
    [
      'a line break in the e-mail address',
      { ...person, Email: 'a@b.example\r\nBcc: c@d.example' },
      ['body.Email value_error'],
    ],
    [
      'a NUL character as its e-mail address',
      { ...person, Email: '\0' },
      ['body.Email value_error', 'body.Email value_error'],
    ],
    ['an unknown role', { ...person, Email: 'x@y.example', Role: 'SUPERADMIN' }, ['body.Role enum']],
    ['an unknown status', { ...person, Email: 'x@y.example', Status: 'on' }, ['body.Status enum']],
  ])('an invitation with %s is refused', async (_name, body, expected) => {
    const response = await invite(body);
    expect(response.status).toBe(422);
    expect(listProblems(response)).toEqual(expected);
  });
});

describe('a change of a person', () => {
  test('a change sets only the fields in the request', async () => {
    const { json } = await service.send('PUT', USER, { body: { Role: 'VIEWER' } });
    expect(json.data).toMatchObject({ FirstName: 'Ana', Role: 'VIEWER', Status: 'ACTIVE' });
    expect(await fetchLastLog()).toMatchObject({ Event: 'user.updated' });
  });

  test('a change is refused if it is empty or has an unknown role', async () => {
    expect(listProblems(await service.send('PUT', USER, { body: {} }))).toEqual(['body missing']);
    expect(listProblems(await service.send('PUT', USER, { body: { Role: 'OWNER' } }))).toEqual([
      'body.Role enum',
    ]);
  });

  test.each(['user_999999999999', 'user_000000000001', 'user_4', '__proto__', '%00', 'a%2F..'])(
    'a change of the unknown person %s is refused',
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
  expect(await fetchLastLog()).toMatchObject({ Event: 'prompt.created' });
  const post = await service.send('POST', `${HARBOUR}/posts`, { body: { PromptId: json.data.Id } });
  expect(post.status).toBe(200);
  const blank = await service.send('POST', `${HARBOUR}/prompts`, { body: { Title: 'x', PromptText: ' ' } });
  expect(listProblems(blank)).toEqual(['body.PromptText string_too_short']);
});

test('a template can be read by its id, but only in its own project', async () => {
  const [template] = await fetchData(`${HARBOUR}/templates`);
  expect(await fetchData(`${HARBOUR}/templates/${template.Id}`)).toEqual(template);
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
  expect(await fetchData(`${HARBOUR}/sources`)).toContainEqual(second.json.data);
  expect(await fetchLastLog()).toMatchObject({ Event: 'source.updated' });
  expect(listProblems(await service.send('PUT', SOURCE, { body: { Source: {} } }))).toEqual([
    'body.Source.Source missing',
  ]);
  expect(listProblems(await service.send('PUT', SOURCE, { body: { Source: { Source: 'a\0' } } }))).toEqual([
    'body.Source.Source value_error',
  ]);
});

test('a webhook can be deleted only once', async () => {
  expect(await service.send('DELETE', `${HARBOUR}/webhook`)).toMatchObject({
    status: 200,
    json: { success: true },
  });
  expect(await fetchLastLog()).toMatchObject({ Event: 'webhook.deleted' });
  expect((await service.send('DELETE', `${HARBOUR}/webhook`)).status).toBe(404);
});

test('deleting a file succeeds, and the log says that nothing was deleted', async () => {
  expect((await service.send('DELETE', '/api/v1/common/file')).status).toBe(200);
  expect((await fetchLastLog()).Message).toContain('nothing was deleted');
});
