import { describe, expect, test } from 'vitest';
import { createPost } from '../../src/api/posts.ts';
import { mayHaveRecord, readProblems } from '../../src/api/problems.ts';
import { measureCpuMs } from '../support/cpu-ms.ts';
import { createResponder, createTestClient, startServer } from './scripted-server.ts';

const createEntry = (loc: unknown, msg: unknown = 'too long', type: unknown = 'value_error') => ({
  loc,
  msg,
  type,
});

describe('the field that a problem names', () => {
  const cases: [string, unknown, string | undefined][] = [
    ['a field of the body', ['body', 'Content'], 'Content'],
    ['an item of a list', ['body', 'Platforms', 3], 'Platforms'],
    ['a nested field by its top-level name', ['body', 'Source', 'Source'], 'Source'],
    ['a query parameter', ['query', 'limit'], 'limit'],
    ['a part of the path', ['path', 'project_id'], 'project_id'],
    ['a loc that doesn’t begin with body, query or path', ['Content'], 'Content'],
    ['an unknown field name', ['body', 'Colour'], 'Colour'],
    ['a field of an embedded body', ['body', 'post', 'Content'], 'Content'],
    ['a location in capitals', ['Body', 'POST', 'Content'], 'Content'],
    ['a JSON pointer', '/body/Content', 'Content'],
    ['a JSON pointer in a fragment', '#/post/Platforms/0', 'Platforms'],
    ['a path with dots', 'body.Platforms[0]', 'Platforms'],
    ['the whole post', ['body', 'post'], undefined],
    ['the whole body', ['body'], undefined],
    ['a position in the JSON text', ['body', 17], undefined],
    ['an empty loc', [], undefined],
    ['a loc that isn’t a list', 7, undefined],
    ['a loc of objects', [{ a: 1 }], undefined],
    ['an entry without a loc', undefined, undefined],
  ];
  for (const [name, loc, field] of cases) {
    test(`the field of a problem is read from ${name}`, () => {
      expect(readProblems({ detail: [createEntry(loc)] })).toMatchObject([{ field, message: 'too long' }]);
    });
  }
});

describe('the body of a 422 in another format', () => {
  test('a detail that is text becomes one problem without a field', () => {
    expect(readProblems({ detail: 'Nope' })).toEqual([
      { field: undefined, loc: [], message: 'Nope', type: '' },
    ]);
  });

  test.each([
    ['a text', 'Nope'],
    ['a message', { message: 'Nope', code: 7 }],
    ['a detail object with a reason', { detail: { reason: 'Nope', code: 'x' } }],
    ['an error object', { error: { code: 'x', message: 'Nope' } }],
    ['a nested error object', { detail: { error: { message: 'Nope' } } }],
    ['a title without a detail (RFC 9457)', { title: 'Nope', status: 422 }],
    ['a list of texts', { detail: ['Nope'] }],
    ['a message beside the name of the status', { statusCode: 400, error: 'Bad Request', message: 'Nope' }],
    ['a list in the message', { statusCode: 400, error: 'Bad Request', message: ['Nope'] }],
    ['an error if there is nothing else', { statusCode: 400, error: 'Nope' }],
  ])('the reason is read from %s', (_name, body) => {
    expect(readProblems(body)).toMatchObject([{ field: undefined, message: 'Nope' }]);
  });

  test.each([
    [
      'JSON:API',
      { errors: [{ title: 'Bad', detail: 'too long', source: { pointer: '/data/attributes/Content' } }] },
    ],
    ['RFC 9457', { title: 'Bad', errors: [{ detail: 'too long', pointer: '#/Content' }] }],
    ['express-validator', { errors: [{ msg: 'too long', location: 'body', path: 'Content' }] }],
    ['texts by field', { errors: { Content: ['too long'] } }],
    ['a detail with texts by field', { detail: { Content: 'too long' } }],
    ['a detail with one problem', { detail: { loc: ['body', 'Content'], msg: 'too long' } }],
  ])('the field of a problem is read from the format %s', (_name, body) => {
    expect(readProblems(body)).toMatchObject([{ field: 'Content', message: 'too long' }]);
  });

  test('a body that is nested too deeply to matter has no problems', () => {
    expect(readProblems(JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`))).toEqual([]);
  });

  for (const body of [
    undefined,
    null,
    '',
    '<h1>422</h1>',
    [],
    {},
    { detail: null },
    { detail: {} },
    { detail: 4 },
  ]) {
    test(`the body ${JSON.stringify(body)} has no problems`, () => {
      expect(readProblems(body)).toEqual([]);
    });
  }

  test('invalid entries are omitted, and valid entries are read', () => {
    const problems = readProblems({ detail: [null, 7, createEntry(['body', 'Media'], 7, null)] });
    expect(problems).toEqual([{ field: 'Media', loc: ['body', 'Media'], message: 'Not valid.', type: '' }]);
  });

  test('only the first 100 of 5,000 problems are read', () => {
    const detail = Array.from({ length: 5_000 }, (_, index) => createEntry(['body', `Field${index}`]));
    const problems = readProblems({ detail });
    expect(problems).toHaveLength(100);
    expect(problems.at(-1)?.field).toBe('Field99');
  });

  test('the message of a problem isn’t escaped, and is shortened if it is too long', () => {
    const [mentionProblem, longProblem] = readProblems({
      detail: [createEntry(['body'], '<!here> & co'), createEntry(['body'], '🦊'.repeat(10_000))],
    });
    expect(mentionProblem?.message).toBe('<!here> & co');
    expect(longProblem?.message.length).toBe(1_000);
    expect(longProblem?.message.isWellFormed()).toBe(true);
  });
});

test.each(['be ', 'been created ', 'no post ', 'already ', 'created', 'a'])(
  'a long hostile text is searched for a record in linear time: %j',
  (part) => {
    expect(measureCpuMs(() => mayHaveRecord({ message: part.repeat(200_000) }))).toBeLessThan(2_000);
  },
);

describe('a 422 that the client receives', () => {
  const post = { projectId: 'p1', content: 'Hi', platforms: ['X'], status: 'DRAFT' } as const;

  test('a 422 is invalid, with its problems', async () => {
    const { url } = await startServer(createResponder(422, { detail: [createEntry(['body', 'Content'])] }));
    const { client } = createTestClient(url);
    expect(await createPost(client, post)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'Content' }],
    });
  });

  test('a 422 with a truncated body is invalid without problems, because its status is certain', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(422, { 'content-length': '1000' });
      response.write('{"detail": [', () => response.destroy());
    });
    const { client } = createTestClient(url);
    expect(await createPost(client, post)).toMatchObject({ kind: 'invalid', problems: [] });
  });
});
