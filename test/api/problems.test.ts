import { describe, expect, test } from 'vitest';
import { createPost } from '../../src/api/posts.ts';
import { readProblems } from '../../src/api/problems.ts';
import { answering, clientOf, say } from './answering-server.ts';

const entry = (loc: unknown, msg: unknown = 'too long', type: unknown = 'value_error') => ({
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
    ['a loc without the place', ['Content'], 'Content'],
    ['a name that nobody knows', ['body', 'Colour'], 'Colour'],
    ['the whole body', ['body'], undefined],
    ['a position in the JSON', ['body', 17], undefined],
    ['an empty loc', [], undefined],
    ['a loc that is no list', 'body.Content', undefined],
    ['a loc of objects', [{ a: 1 }], undefined],
    ['no loc', undefined, undefined],
  ];
  for (const [name, loc, field] of cases) {
    test(name, () => {
      expect(readProblems({ detail: [entry(loc)] })).toMatchObject([{ field, message: 'too long' }]);
    });
  }
});

describe('a body that is not as described', () => {
  test('detail as text is one problem without a field', () => {
    expect(readProblems({ detail: 'Nope' })).toEqual([
      { field: undefined, loc: [], message: 'Nope', type: '' },
    ]);
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
    test(`${JSON.stringify(body)} has no problems`, () => {
      expect(readProblems(body)).toEqual([]);
    });
  }

  test('invalid entries are left out, and the others stay', () => {
    const problems = readProblems({ detail: [null, 'x', entry(['body', 'Media'], 7, null)] });
    expect(problems).toEqual([{ field: 'Media', loc: ['body', 'Media'], message: 'Not valid.', type: '' }]);
  });

  test('5,000 errors become the first 100', () => {
    const detail = Array.from({ length: 5_000 }, (_, index) => entry(['body', `Field${index}`]));
    const problems = readProblems({ detail });
    expect(problems).toHaveLength(100);
    expect(problems.at(-1)?.field).toBe('Field99');
  });

  test('a message is stored unescaped, and cut if it is too long', () => {
    const [mention, endless] = readProblems({
      detail: [entry(['body'], '<!here> & co'), entry(['body'], '🦊'.repeat(10_000))],
    });
    expect(mention?.message).toBe('<!here> & co');
    expect(endless?.message.length).toBe(1_000);
    expect(endless?.message.isWellFormed()).toBe(true);
  });
});

describe('a 422 on its way through the client', () => {
  const post = { projectId: 'p1', content: 'Hi', platforms: ['X'], status: 'DRAFT' } as const;

  test('is invalid, with its problems', async () => {
    const { url } = await answering(say(422, { detail: [entry(['body', 'Content'])] }));
    const { client } = clientOf(url);
    expect(await createPost(client, post)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'Content' }],
    });
  });

  test('is invalid without problems if its body is truncated, because the status is certain', async () => {
    const { url } = await answering((response) => {
      response.writeHead(422, { 'content-length': '1000' });
      response.write('{"detail": [', () => response.destroy());
    });
    const { client } = clientOf(url);
    expect(await createPost(client, post)).toMatchObject({ kind: 'invalid', problems: [] });
  });
});
