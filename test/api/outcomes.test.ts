import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listPosts } from '../../src/api/posts.ts';
import { createPrompt } from '../../src/features/prompts/prompts.ts';
import { createResponder, createTestClient, startServer, TOKEN } from './scripted-server.ts';

const prompt = { projectId: 'p1', title: 'Tone', promptText: 'Be brief' };

async function findOutcome(respond: Parameters<typeof startServer>[0], options = {}) {
  const { url, requests } = await startServer(respond);
  const { client, calls } = createTestClient(url, options);
  const outcome = await createPrompt(client, prompt);
  expect(requests).toHaveLength(1);
  expect(outcome.requestId).toBe(requests[0]?.headers['x-request-id']);
  expect(calls).toEqual([
    expect.objectContaining({
      operation: 'createPrompt',
      outcome: outcome.kind,
      requestId: outcome.requestId,
    }),
  ]);
  expect(JSON.stringify([outcome, calls])).not.toContain(TOKEN);
  const { requestId, ...details } = outcome;
  return details;
}

describe('the status of a response', () => {
  for (const status of [401, 403, 404, 413]) {
    test(`a response with status ${status} is refused`, async () => {
      expect(await findOutcome(createResponder(status, { detail: 'no' }))).toEqual({
        kind: 'refused',
        status,
        problems: [],
      });
    });
  }

  for (const status of [400, 402, 409]) {
    test(`a response with status ${status} is refused, with the service’s reason`, async () => {
      expect(await findOutcome(createResponder(status, { detail: { reason: 'no' } }))).toMatchObject({
        kind: 'refused',
        status,
        problems: [{ field: undefined, message: 'no' }],
      });
      expect(await findOutcome(createResponder(status, '<h1>Oh</h1>'))).toEqual({
        kind: 'refused',
        status,
        problems: [],
      });
    });
  }

  test.each([
    [400, 'unknown'],
    [402, 'unknown'],
    [409, 'unknown'],
  ])('with the status %d and half a body, a response is %s', async (status, kind) => {
    const outcome = await findOutcome((response) => {
      response.writeHead(status, { 'content-length': '1000' });
      response.write('{"detail": "This', () => response.destroy());
    });
    expect(outcome.kind).toBe(kind);
  });

  test.each([
    { detail: 'This post already exists.' },
    { message: 'duplicate' },
    { detail: 'Conflict', data: { Id: 'p7' } },
    { error: { existing_post_id: 7 } },
    { detail: 'Conflict', prompt: { Title: 'Tone' } },
  ])('after a conflict with a record that may be the new one, the outcome is unknown: %j', async (body) => {
    for (const status of [400, 402, 409])
      expect(await findOutcome(createResponder(status, body))).toMatchObject({
        kind: 'unknown',
        cause: 'unexpected-status',
        status,
      });
  });

  test('an uncertain conflict has the service’s reason', async () => {
    const body = {
      detail: [{ loc: ['body'], msg: 'A post already exists at this time.', input: { Id: 1 } }],
    };
    expect(await findOutcome(createResponder(409, body))).toMatchObject({
      kind: 'unknown',
      problems: [{ message: 'A post already exists at this time.' }],
    });
  });

  test.each([
    { detail: [{ loc: ['body', 'ScheduleDate'], msg: 'is in the past', input: { TemplateId: 7 } }] },
    { detail: [{ msg: 'is too long', ctx: { post_id: 'p7', error: 'It was created' } }] },
    { errors: [{ msg: 'is too long', path: 'Content', body: { project_id: 'p1' } }] },
  ])('the request in a refusal isn’t mistaken for a record: %j', async (body) => {
    for (const status of [400, 409])
      expect(await findOutcome(createResponder(status, body))).toMatchObject({ kind: 'refused', status });
  });

  test('texts by field aren’t mistaken for a record', async () => {
    const body = { content: ['This field is required.'], title: ['Not valid.', 'Too long.'] };
    expect(await findOutcome(createResponder(400, body))).toMatchObject({ kind: 'refused', status: 400 });
  });

  for (const status of [
    300, 301, 302, 304, 307, 308, 405, 406, 407, 408, 415, 418, 421, 425, 500, 502, 503, 504,
  ]) {
    test(`a response with status ${status} is unknown, and the request isn't sent again`, async () => {
      const headers = { location: 'http://127.0.0.1:1/elsewhere', 'www-authenticate': 'Basic' };
      const details = await findOutcome(
        createResponder(status, status === 304 ? '' : '<h1>Oh</h1>', headers),
      );
      expect(details).toEqual({ kind: 'unknown', cause: 'unexpected-status', status });
    });
  }

  test('a 200 or 201 with the expected envelope is a success', async () => {
    for (const status of [200, 201]) {
      const details = await findOutcome(
        createResponder(status, { success: true, data: { Id: 'q1', Title: 'Tone' } }),
      );
      expect(details).toMatchObject({ kind: 'done', data: 'q1' });
    }
  });

  test('a success without data has no record and isn’t an error', async () => {
    const details = await findOutcome(createResponder(200, { success: true }));
    expect(details).toEqual({ kind: 'done', data: undefined });
  });
});

describe('what the text of a failure says about the record', () => {
  const classify = async (message: string) =>
    Promise.all([
      findOutcome(createResponder(200, { success: false, data: null, message })),
      findOutcome(createResponder(400, { error: 'Bad Request', message: [message] })),
      findOutcome(createResponder(402, message)),
      findOutcome(createResponder(409, { detail: { reason: message } })),
    ]);

  test.each([
    ...['This post has already been scheduled.', 'It had already been created'],
    ...['The request was already received.', 'This title is already taken.'],
    ...['The post is already in the queue.', 'UNIQUE constraint failed: post.title', 'ALREADY_EXISTS'],
    ...['DuplicatePostError', 'The post was created, but the webhook failed', 'Post scheduled'],
    ...['Post published successfully', 'Queued. The thumbnail failed.', 'Saved without its picture'],
    ...['Your post is being stored', 'The post has been posted to X and failed on LinkedIn'],
    ...['The post will be published later, because X failed', 'The post was not approved, but it was saved'],
    ...['No image but post created', 'Partially done'],
  ])('the record may exist: %s', async (message) => {
    for (const outcome of await classify(message))
      expect(outcome).toMatchObject({ kind: 'unknown', problems: [{ message }] });
  });

  test.each([
    ...['The post was not created.', 'The post wasn’t saved', "Your post couldn't be published."],
    ...['The post has not yet been scheduled', 'The post could not be successfully created'],
    ...['It hasn’t been posted', 'Nothing was saved.', 'No post was created.'],
    ...['Posts can only be scheduled in the future', 'Images must be stored first'],
    ...['Scheduled time is in the past', 'scheduled_at must be in the future', 'created-by is required'],
    ...['Your plan allows 10 scheduled posts', 'You have already reached your limit'],
    ...['The time has already passed', 'The project no longer exists', 'The project does not exist'],
    'Your plan has expired.',
  ])('the request was certainly refused: %s', async (message) => {
    for (const outcome of await classify(message))
      expect(outcome).toMatchObject({ kind: 'refused', problems: [{ message }] });
  });
});

describe('the body of a 2xx response', () => {
  test.each([
    [{ success: false, data: null }, []],
    [{ success: false, data: null, message: 'Your plan has expired.' }, ['Your plan has expired.']],
    [{ success: false, data: 'Your plan has expired.' }, ['Your plan has expired.']],
    [{ success: false, data: { reason: 'Your plan has expired.', code: 7 } }, ['Your plan has expired.']],
    [{ ok: false, error: { message: 'Slow down.', request_id: 'r1' } }, ['Slow down.']],
    [{ status: 'error', message: 'Slow down.' }, ['Slow down.']],
    [{ data: null, errors: [{ detail: 'One.' }, { detail: 'Two.' }] }, ['One.', 'Two.']],
  ])('a 200 that clearly says that the request failed is refused: %j', async (body, messages) => {
    const outcome = await findOutcome(createResponder(200, body));
    expect(outcome).toMatchObject({ kind: 'refused', status: 200 });
    const problems = outcome.kind === 'refused' ? outcome.problems : [];
    expect(problems?.map(({ message }) => message)).toEqual(messages);
  });

  test.each([
    [200, { success: false, data: { Id: 'q1' } }],
    [200, { success: false, data: { Title: 'Tone' } }],
    [200, { success: false, data: [{ Title: 'Tone' }] }],
    [200, { success: false, prompt: { Title: 'Tone' }, message: 'The notification failed.' }],
    [200, { success: false, prompt_id: 7 }],
    [200, { success: false, data: 'q1' }],
    [200, { success: false, status: 'created' }],
    [200, { success: false, message: 'This prompt already exists.' }],
    [200, { success: false, ok: true }],
    [200, { message: 'Post scheduled', errors: ['Thumbnail failed'] }],
    ...['queued', 'pending', 'processing', 'saved', 'partial'].map((word): [number, object] => [
      200,
      { success: false, status: word },
    ]),
    [201, { success: false, data: null }],
    [202, { success: false, data: null }],
  ])('a 2xx with success: false is unknown if the record may exist: %d %j', async (status, body) => {
    expect(await findOutcome(createResponder(status, body))).toMatchObject({ kind: 'unknown', status });
  });

  const unreadable: Record<string, unknown> = {
    'success as text': { success: 'true', data: {} },
    'no success': { data: {} },
    'a number of errors': { errors: 0, data: null },
    'a list': [],
    null: 'null',
    HTML: '<!doctype html><h1>Welcome</h1>',
    'truncated JSON': '{"success": true, "data": {"Id": "q',
    'an empty body': '',
  };
  for (const [name, body] of Object.entries(unreadable)) {
    test(`a 2xx response with this body is unknown: ${name}`, async () => {
      const details = await findOutcome(createResponder(200, body));
      expect(details).toEqual({ kind: 'unknown', cause: 'unreadable-response', status: 200 });
    });
  }

  test('a 204 is unknown, because it has no envelope', async () => {
    const details = await findOutcome(createResponder(204));
    expect(details).toEqual({ kind: 'unknown', cause: 'unreadable-response', status: 204 });
  });

  test('a response in an unrequested encoding is unknown', async () => {
    const body = zstdCompressSync(JSON.stringify({ success: true }));
    const details = await findOutcome(createResponder(200, body, { 'content-encoding': 'zstd' }));
    expect(details).toEqual({ kind: 'unknown', cause: 'unreadable-response', status: 200 });
  });

  for (const [encoding, compress] of Object.entries({
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  })) {
    test(`a response in ${encoding} is read`, async () => {
      const body = compress(JSON.stringify({ success: true }));
      expect(await findOutcome(createResponder(200, body, { 'content-encoding': encoding }))).toMatchObject({
        kind: 'done',
      });
    });
  }
});

describe('a response with status 429', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const cases: [string, number | undefined][] = [
    ['30', 30_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 12:01:30 GMT', 90_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['7200', 300_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 300_000],
    ['Fri, 20 Nov 2099 12:00:00 GMT', 300_000],
    ['1000000000', 300_000],
    [`${'9'.repeat(400)}`, 300_000],
    ['1e9', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
  ];
  for (const [value, retryAfterMs] of cases) {
    test(`a 429 with Retry-After "${value.slice(0, 40)}" is not applied, with a wait of ${retryAfterMs ?? 'unspecified'} ms`, async () => {
      const details = await findOutcome(createResponder(429, '', { 'retry-after': value }), {
        now: () => now,
      });
      const expectedWait = retryAfterMs === undefined ? {} : { retryAfterMs };
      expect(details).toEqual({ kind: 'not-applied', cause: 'rate-limited', ...expectedWait });
    });
  }
});

test('a 503 may have a Retry-After, and its outcome is still unknown', async () => {
  expect(await findOutcome(createResponder(503, '', { 'retry-after': '120' }))).toEqual({
    kind: 'unknown',
    cause: 'unexpected-status',
    status: 503,
    retryAfterMs: 120_000,
  });
});

test('a read is classified like a write', async () => {
  const { url } = await startServer(createResponder(503));
  const { client } = createTestClient(url);
  const outcome = await listPosts(client, { projectId: 'p1' });
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unexpected-status', status: 503 });
});

test('a redirect to another host is not followed, and that host never sees the token', async () => {
  const other = await startServer(createResponder(200, { success: true, data: [] }));
  const { url } = await startServer(createResponder(307, '', { location: `${other.url}/api/v1/projects` }));
  const { client } = createTestClient(url);
  const readResult = await listPosts(client, { projectId: 'p1' });
  const write = await createPrompt(client, prompt);
  expect([readResult.kind, write.kind]).toEqual(['unknown', 'unknown']);
  expect(other.requests).toEqual([]);
});
