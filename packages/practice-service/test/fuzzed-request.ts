import fc from 'fast-check';
import type { DocumentedOperation } from './documented-operations.ts';
import { type RequestOptions, TOKEN } from './running-service.ts';

export interface FuzzedRequest extends RequestOptions {
  operation: DocumentedOperation;
  method: string;
  path: string;
  /** Whether the path differs from the operation's. */
  hasOtherPath: boolean;
}

const ROW_KINDS: Readonly<Record<string, string>> = {
  project_id: 'project',
  user_id: 'user',
  template_id: 'template',
  source_id: 'source',
};

/** Texts that often break parsers. */
const strangeText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u202eabc',
    '\u200b',
    '__proto__',
    'constructor',
    '../../etc',
    '%2F',
    '%00',
    "'; drop table posts; --",
    '<!channel>',
    '<script>',
    '\r\nBcc: a@b.example',
    'SUPERADMIN',
    'null',
    'NaN',
    '1e309',
    '-1',
    '99999999999999999999',
    '9'.repeat(400),
    '9999-12-31T23:59:59Z',
    '10000-01-01T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2028-02-29T09:00:00',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    'Europe/Berlim',
    'ana@exämple.example',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    'x'.repeat(100_000),
  ),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
);

const validFields = new Map<string, fc.Arbitrary<unknown>>(
  Object.entries({
    Platforms: fc.subarray(['INSTAGRAM', 'X', 'REDDIT', 'THREADS']),
    Status: fc.constantFrom('ACTIVE', 'INACTIVE'),
    'createPost.Status': fc.constantFrom('DRAFT', 'DRAFT', 'SCHEDULED', 'SCHEDULED', 'PUBLISHED'),
    Role: fc.constantFrom('ADMIN', 'EDITOR', 'VIEWER'),
    Timezone: fc.constantFrom('Europe/Berlin', 'Pacific/Apia', 'UTC'),
    ScheduleDate: fc.constantFrom(
      '2031-12-01T09:00:00+01:00',
      '2031-03-30T02:30:00',
      '2031-12-01T09:00:00Z',
      '2001-01-01T00:00:00Z',
    ),
    Email: fc.uuid().map((name) => `${name}@example.org`),
    TemplateId: fc.constantFrom('template_000000000003', 'template_000000000001'),
    PromptId: fc.constantFrom('prompt_000000000003', 'prompt_000000000001'),
    Source: fc.oneof(fc.record({ Source: fc.webUrl() }), fc.constant({})),
  }),
);

const validQuery = new Map<string, fc.Arbitrary<string>>(
  Object.entries({
    skip: fc.nat(30).map(String),
    limit: fc.integer({ min: 1, max: 1_000 }).map(String),
    platforms: fc.constantFrom('INSTAGRAM', 'X'),
    status: fc.constantFrom('DRAFT', 'SCHEDULED', 'PUBLISHED'),
    schedule_date_from: fc.constantFrom('2020-01-01T00:00:00Z', '2026-01-01T00:00'),
    schedule_date_to: fc.constantFrom('2040-01-01T00:00:00+02:00', '2026-12-31T23:59'),
  }),
);

/** Creates an arbitrary that mostly draws a value of `likely`, and sometimes one of `rare`. */
function preferLikely<T>(likely: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: likely }, { weight: 1, arbitrary: rare });
}

export function createRequestArbitrary(
  operations: readonly DocumentedOperation[],
): fc.Arbitrary<FuzzedRequest> {
  return fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        method: preferLikely(
          fc.constant(operation.method),
          fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
          25,
        ),
        place: createPathArbitrary(operation),
        search: createSearchArbitrary(operation),
        payload: createPayloadArbitrary(operation),
        headers: createHeadersArbitrary(operation),
        authorization: preferLikely<string | null>(
          fc.constantFrom(`Bearer ${TOKEN}`, `bearer ${TOKEN}`),
          fc.constantFrom(
            null,
            '',
            'Bearer',
            'Bearer ',
            `Basic ${TOKEN}`,
            `Bearer ${TOKEN}x`,
            TOKEN,
            'Bearer \u00ff',
          ),
          25,
        ),
      })
      .map(({ method, place, search, payload, headers, authorization }) => ({
        operation,
        method,
        hasOtherPath: place.hasOtherPath,
        path: search === '' ? place.path : `${place.path}?${search}`,
        headers,
        authorization,
        ...(payload !== undefined && { raw: payload }),
      })),
  );
}

function createPathArbitrary({
  path,
}: DocumentedOperation): fc.Arbitrary<{ path: string; hasOtherPath: boolean }> {
  const steps = path.split('/').map((step) => {
    const kind = ROW_KINDS[/^\{(\w+)\}$/.exec(step)?.[1] ?? ''];
    if (kind === undefined) return fc.constant(step);
    const rows = kind === 'project' ? [1, 2] : [1, 2, 3, 4];
    const knownId = fc.constantFrom(...rows.map((row) => `${kind}_${String(row).padStart(12, '0')}`));
    const unknownId = strangeText.map(
      (text) => encodeURIComponent(text.toWellFormed().slice(0, 200)) || '%20',
    );
    return preferLikely(knownId, unknownId, 15);
  });
  return preferLikely<{ path: string; hasOtherPath: boolean }>(
    fc.tuple(...steps).map((joined) => ({ path: joined.join('/'), hasOtherPath: false })),
    fc
      .constantFrom('/', `${path}/`, '/api/v2/projects', '/api/v1//projects', '/api/v1/%E0%A4%A', '/..%2f..')
      .map((other) => ({
        path: other.replaceAll(/[{}]/g, ''),
        hasOtherPath: true,
      })),
    30,
  );
}

function createSearchArbitrary({ query }: DocumentedOperation): fc.Arbitrary<string> {
  const pair = fc.constantFrom(...query, 'extra', '__proto__').chain((name) => {
    const text = preferLikely(
      validQuery.get(name) ?? fc.constant('1'),
      strangeText.map((value) => value.toWellFormed().slice(0, 2_000)),
      8,
    );
    return text.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  });
  return preferLikely(
    fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join('&')),
    fc.constantFrom('%', '&&==', 'skip', 'limit=%FF', 'status[]=DRAFT', 'skip=1&skip=2'),
    20,
  );
}

function createPayloadArbitrary({
  id,
  body,
}: DocumentedOperation): fc.Arbitrary<string | Buffer | undefined> {
  if (body === undefined)
    return preferLikely<string | undefined>(fc.constant(undefined), fc.constant('{"a":1}'));
  const fields = body.map((name): [string, fc.Arbitrary<unknown>] => [name, createFieldArbitrary(id, name)]);
  const requiredKeys = fc.constantFrom<string[][]>(
    [],
    fields.map(([name]) => name),
  );
  const valid = requiredKeys.chain((keys) => fc.record(Object.fromEntries(fields), { requiredKeys: keys }));
  const json = preferLikely<unknown>(valid, fc.jsonValue({ maxDepth: 4 }), 10).map((value) =>
    JSON.stringify(value),
  );
  const invalid = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"Content":"a",}',
      '{"__proto__":{"Content":"x"}}',
      '{"Content":"\\ud800"}',
      '{"Content":1e999}',
      '['.repeat(50_000),
      `{"Source":${'{"Source":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      '\ufeff{"Content":"x"}',
    ),
    fc.constant(`"${'x'.repeat(1_048_576)}"`),
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes)),
  );
  return preferLikely<string | Buffer>(json, invalid, 8);
}

function createFieldArbitrary(operation: string, name: string): fc.Arbitrary<unknown> {
  const likely =
    validFields.get(`${operation}.${name}`) ??
    validFields.get(name) ??
    fc.string({ unit: 'grapheme-ascii', minLength: 3 });
  return preferLikely(
    likely,
    fc.oneof<fc.Arbitrary<unknown>[]>(strangeText, fc.jsonValue({ maxDepth: 2 }), fc.constant(null)),
    30,
  );
}

function createHeadersArbitrary({ body }: DocumentedOperation): fc.Arbitrary<Record<string, string>> {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/jsonx',
    'multipart/form-data',
  ];
  return preferLikely<Record<string, string>>(
    fc.constantFrom({}, { 'content-type': 'application/json; charset=UTF-8' }),
    body === undefined
      ? fc.constant({ accept: 'text/html' })
      : fc.oneof(
          fc.constantFrom(...types).map((type) => ({ 'content-type': type })),
          fc.constant({ 'content-encoding': 'gzip' }),
        ),
    25,
  );
}
