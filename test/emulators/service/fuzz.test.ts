import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyCheck, documentedOperations } from './documented-operations.ts';
import { anyRequest, type FuzzedRequest } from './fuzzed-request.ts';
import { type Received, type RunningService, runService } from './running-service.ts';

const REQUESTS = 2_500;

let service: RunningService;

beforeAll(async () => {
  service = await runService();
});

afterAll(() => service.close());

test(`${REQUESTS} requests, valid and not, are answered as the document says`, async () => {
  const seen = new Map<string, number>();
  const count = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(anyRequest(documentedOperations), async (request) => {
      const answer = await service.send(request.method, request.path, request);
      count(`${answer.status}`);
      if (answer.status === 200) count(request.operation.id);
      expectDocumented(request, answer);
    }),
    { numRuns: REQUESTS },
  );
  expect(service.faults).toEqual([]);
  // Control: enough requests must succeed, or the fuzzer would test nothing.
  for (const { id } of documentedOperations)
    expect(seen.get(id) ?? 0, `successes of ${id}`).toBeGreaterThan(0);
  for (const status of [200, 401, 404, 405, 413, 415, 422]) {
    expect(seen.get(`${status}`) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  }
}, 120_000);

function expectDocumented(request: FuzzedRequest, { status, headers, json }: Received): void {
  expect(status).toBeLessThan(500);
  if (status === 401) expect(headers['www-authenticate']).toBe('Bearer');
  if (status === 405) {
    // The document doesn't describe the answer to a method that a path lacks.
    expect(String(headers.allow).split(', ')).not.toContain(request.method);
    return;
  }
  if (status === 404 && request.elsewhere) return;
  const check = bodyCheck(request.operation, status);
  expect(check?.(json), `${status} with ${JSON.stringify(json)} is documented`).toBe(true);
  if (status === 422) {
    expect(json.detail.length).toBeGreaterThan(0);
    for (const { loc } of json.detail) expect(['body', 'query', 'path']).toContain(loc[0]);
  }
}
