import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { parse } from 'yaml';
import type { ApiClient } from '../../src/api/client.ts';
import { listLogs } from '../../src/api/logs.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import {
  createPost,
  getUpnextPost,
  listPosts,
  readScheduleDate,
  writeScheduleDate,
} from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import type { operations as Operations } from '../../src/api/schema.d.ts';
import { listSources, updateSource } from '../../src/api/sources.ts';
import { getTemplate, listTemplates } from '../../src/api/templates.ts';
import { inviteUser, updateProjectUser } from '../../src/api/users.ts';
import { deleteFile } from '../../src/features/files/files.ts';
import { createPrompt } from '../../src/features/prompts/prompts.ts';
import { deleteWebhook } from '../../src/features/webhook/webhook.ts';
import { createResponder, createTestClient, startServer, TOKEN } from './scripted-server.ts';

const instant = new Date('2026-12-01T08:00:00.900Z');

interface OperationCase {
  send: (client: ApiClient, projectId: string) => Promise<Outcome<unknown>>;
  request: string;
  body?: unknown;
}

const operations: Record<string, OperationCase> = {
  listProjects: { send: (client) => listProjects(client), request: 'GET /api/v1/projects' },
  listPosts: {
    send: (client, projectId) => listPosts(client, { projectId }),
    request: 'GET /api/v1/projects/{project_id}/posts',
  },
  createPost: {
    send: (client, projectId) =>
      createPost(client, {
        projectId,
        content: 'Hello',
        media: 'cat.png',
        templateId: 't1',
        promptId: 'q1',
        schedule: { instant, zone: 'Europe/Berlin' },
        platforms: ['X', 'LINKEDIN'],
        status: 'SCHEDULED',
      }),
    request: 'POST /api/v1/projects/{project_id}/posts',
    body: {
      Content: 'Hello',
      Media: 'cat.png',
      TemplateId: 't1',
      PromptId: 'q1',
      ScheduleDate: '2026-12-01T09:00:00+01:00',
      Timezone: 'Europe/Berlin',
      Platforms: ['X', 'LINKEDIN'],
      Status: 'SCHEDULED',
    },
  },
  addNonPlatformUserToProject: {
    send: (client, projectId) =>
      inviteUser(client, { projectId, firstName: 'Ana', lastName: 'F', email: 'a@b.example', role: 'ADMIN' }),
    request: 'POST /api/v1/projects/{project_id}/users/invite',
    body: { FirstName: 'Ana', LastName: 'F', Email: 'a@b.example', Role: 'ADMIN' },
  },
  updateProjectUser: {
    send: (client, projectId) => updateProjectUser(client, { projectId, userId: 'u1', status: 'ACTIVE' }),
    request: 'PUT /api/v1/projects/{project_id}/users/u1',
    body: { Status: 'ACTIVE' },
  },
  createPrompt: {
    send: (client, projectId) =>
      createPrompt(client, { projectId, title: 'T', promptText: 'P', description: 'D' }),
    request: 'POST /api/v1/projects/{project_id}/prompts',
    body: { Title: 'T', PromptText: 'P', Description: 'D' },
  },
  listTemplates: {
    send: (client, projectId) => listTemplates(client, projectId),
    request: 'GET /api/v1/projects/{project_id}/templates',
  },
  getTemplate: {
    send: (client, projectId) => getTemplate(client, { projectId, templateId: 't1' }),
    request: 'GET /api/v1/projects/{project_id}/templates/t1',
  },
  listSources: {
    send: (client, projectId) => listSources(client, projectId),
    request: 'GET /api/v1/projects/{project_id}/sources',
  },
  updateSource: {
    send: (client, projectId) =>
      updateSource(client, { projectId, sourceId: 's1', description: 'D', value: 'V' }),
    request: 'PUT /api/v1/projects/{project_id}/sources/s1',
    body: { Description: 'D', Source: { Source: 'V' } },
  },
  listLogs: {
    send: (client, projectId) => listLogs(client, projectId),
    request: 'GET /api/v1/projects/{project_id}/logs',
  },
  getUpnextPost: {
    send: (client, projectId) => getUpnextPost(client, projectId),
    request: 'GET /api/v1/projects/{project_id}/dashboard/upnext-post',
  },
  deleteWebhook: {
    send: (client, projectId) => deleteWebhook(client, projectId),
    request: 'DELETE /api/v1/projects/{project_id}/webhook',
  },
  deleteFile: { send: (client) => deleteFile(client), request: 'DELETE /api/v1/common/file' },
};

test('every operation of the API contract has a test', () => {
  const document: unknown = parse(
    readFileSync(new URL('../../openapi/scheduling-service.yaml', import.meta.url), 'utf8'),
  );
  const ids = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(14);
  expect(Object.keys(operations).sort()).toEqual(ids.sort());
});

describe.each(Object.entries(operations))('%s', (operation, { send, request, body }) => {
  test('the operation sends its method, path and body, with the token', async () => {
    const { url, requests } = await startServer(createResponder(200, { success: true, data: null }));
    const { client, calls } = createTestClient(`${url}/`);
    const outcome = await send(client, 'p1');
    expect(outcome.kind).toBe('done');
    expect(calls).toMatchObject([{ operation, status: 200, outcome: 'done' }]);
    const [sentRequest] = requests;
    expect(`${sentRequest?.method} ${sentRequest?.url}`).toBe(request.replace('{project_id}', 'p1'));
    expect(sentRequest?.body === '' ? undefined : JSON.parse(sentRequest?.body ?? '')).toEqual(body);
    expect(sentRequest?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    expect(sentRequest?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json',
    });
  });
});

const inProject = Object.entries(operations).filter(([, { request }]) => request.includes('{project_id}'));

describe.each(inProject)('the project id of %s', (_, { send, request }) => {
  test('a project id is encoded as one path segment', async () => {
    const { url, requests } = await startServer(createResponder(404));
    const { client } = createTestClient(url);
    const ids = ['../common', '..%2F..', 'a/b', 'a?b#c', '%2e%2e', 'ü ', '\\', "x'; drop", '...'];
    for (const id of ids) await send(client, id);
    expect(requests.map((sentRequest) => sentRequest.url)).toEqual(
      ids.map((id) => request.split(' ')[1]?.replace('{project_id}', encodeURIComponent(id))),
    );
  });

  test('a project id that is invalid in a path isn’t sent', async () => {
    const { url, requests } = await startServer(createResponder(200, { success: true }));
    const { client } = createTestClient(url);
    for (const id of ['', '.', '..', 'a\ud800']) {
      expect(await send(client, id)).toMatchObject({ kind: 'refused', status: 404 });
    }
    expect(requests).toEqual([]);
  });
});

describe('the filter of List Posts', () => {
  test('the filter of List Posts repeats the parameters of lists and writes bounds as instants', async () => {
    const { url, requests } = await startServer(createResponder(200, { success: true, data: [] }));
    const { client } = createTestClient(url);
    await listPosts(client, {
      projectId: 'p1',
      skip: 200,
      limit: 50,
      scheduledFrom: instant,
      scheduledTo: new Date('2026-12-31T00:00:00Z'),
      platforms: ['X', 'LINKEDIN'],
      status: ['DRAFT', 'SCHEDULED'],
    });
    const query = new URL(`http://h${requests[0]?.url}`).searchParams;
    expect([...query]).toEqual([
      ['skip', '200'],
      ['limit', '50'],
      ['schedule_date_from', '2026-12-01T08:00:00.900Z'],
      ['schedule_date_to', '2026-12-31T00:00:00.000Z'],
      ['platforms', 'X'],
      ['platforms', 'LINKEDIN'],
      ['status', 'DRAFT'],
      ['status', 'SCHEDULED'],
    ]);
  });

  test('the filter of List Posts omits missing fields and empty lists', async () => {
    const { url, requests } = await startServer(createResponder(200, { success: true, data: [] }));
    const { client } = createTestClient(url);
    await listPosts(client, { projectId: 'p1', skip: 0, platforms: [], status: [] });
    expect(requests[0]?.url).toBe('/api/v1/projects/p1/posts?skip=0');
  });
});

describe('formatting a schedule date', () => {
  const cases: [string, string, string][] = [
    ['2026-12-01T08:00:00.000Z', 'Europe/Berlin', '2026-12-01T09:00:00+01:00'],
    ['2026-07-01T08:00:00.999Z', 'Europe/Berlin', '2026-07-01T10:00:00+02:00'],
    ['2026-12-01T08:00:30.000Z', 'America/New_York', '2026-12-01T03:00:30-05:00'],
    ['2026-12-01T08:00:00.000Z', 'Asia/Kathmandu', '2026-12-01T13:45:00+05:45'],
    ['2026-12-01T08:00:00.000Z', 'UTC', '2026-12-01T08:00:00+00:00'],
    ['2026-12-01T08:00:00.000Z', 'Etc/GMT+5', '2026-12-01T03:00:00-05:00'],
    // The hour that is repeated at the end of summer time. The offset tells the two instants apart.
    ['2026-10-25T00:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
  ];
  for (const [instant, zone, text] of cases) {
    test(`the schedule date for ${instant} in ${zone} is ${text}`, () => {
      expect(writeScheduleDate(new Date(instant), zone)).toBe(text);
      expect(readScheduleDate(text, zone)?.getTime()).toBe(Math.floor(Date.parse(instant) / 1_000) * 1_000);
    });
  }

  test('a schedule date can’t be formatted with an invalid zone or date', () => {
    for (const zone of ['Mars/Olympus', '+03:00', 'local', '', 'UTC+3']) {
      expect(() => writeScheduleDate(new Date(0), zone)).toThrow(RangeError);
    }
    expect(() => writeScheduleDate(new Date(Number.NaN), 'UTC')).toThrow(RangeError);
  });
});

describe('parsing a schedule date', () => {
  const cases: [string, string | undefined, string | undefined][] = [
    ['2026-12-01T09:00:00+01:00', undefined, '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T09:00:00+0100', 'Asia/Tokyo', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T08:00:00Z', 'Asia/Tokyo', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T09:00:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01 09:00:00.123456', 'Europe/Berlin', '2026-12-01T08:00:00.123Z'],
    ['2026-12-01 09:00:00.123456+01:00', undefined, '2026-12-01T08:00:00.123Z'],
    ['2026-12-01', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
    ['2026-12-01T09:00:00', undefined, undefined],
    ['2026-12-01T09:00:00', 'Mars/Olympus', undefined],
    ['2026-13-45T09:00:00Z', undefined, undefined],
    ['tomorrow', 'Europe/Berlin', undefined],
    ['NaN', 'UTC', undefined],
    ['', 'UTC', undefined],
  ];
  for (const [text, zone, instant] of cases) {
    test(`the schedule date "${text}" with zone ${zone} is ${instant ?? 'unreadable'}`, () => {
      expect(readScheduleDate(text, zone)?.toISOString()).toBe(instant);
    });
  }
});

test('a request takes no parameters that its operation doesn’t have', () => {
  expectTypeOf<Operations['listProjects']['parameters']['query']>().toEqualTypeOf<undefined>();
  expectTypeOf<Operations['createPost']['parameters']['query']>().toEqualTypeOf<undefined>();
  expectTypeOf<Operations['listTemplates']['parameters']['header']>().toEqualTypeOf<undefined>();
});
