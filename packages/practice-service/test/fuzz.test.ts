import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentedOperations, getBodyValidator } from './documented-operations.ts';
import { createRequestArbitrary, type FuzzedRequest } from './fuzzed-request.ts';
import { type RunningService, runService, type ServiceResponse } from './running-service.ts';

const REQUESTS = 2_500;

let service: RunningService;

beforeAll(async () => {
  service = await runService();
});

afterAll(() => service.close());

test(`${REQUESTS} requests, valid and invalid, get documented responses`, async () => {
  const counts = new Map<string, number>();
  const increment = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(createRequestArbitrary(documentedOperations), async (request) => {
      const response = await service.send(request.method, request.path, request);
      increment(`${response.status}`);
      if (response.status === 200) increment(request.operation.id);
      expectDocumented(request, response);
    }),
    { numRuns: REQUESTS },
  );
  expect(service.faults).toEqual([]);
  // Control: enough requests must succeed, or the fuzzer would test nothing.
  for (const { id } of documentedOperations)
    expect(counts.get(id) ?? 0, `successes of ${id}`).toBeGreaterThan(0);
  for (const status of [200, 401, 404, 405, 413, 415, 422]) {
    expect(counts.get(`${status}`) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  }
});

function expectDocumented(request: FuzzedRequest, { status, headers, json }: ServiceResponse): void {
  expect(status).toBeLessThan(500);
  if (status === 401) expect(headers['www-authenticate']).toBe('Bearer');
  if (status === 405) {
    // The document doesn't describe the response to an unsupported method.
    expect(String(headers.allow).split(', ')).not.toContain(request.method);
    return;
  }
  if (status === 404 && request.hasOtherPath) return;
  const validateBody = getBodyValidator(request.operation, status);
  expect(validateBody?.(json), `${status} with ${JSON.stringify(json)} is documented`).toBe(true);
  if (status === 422) {
    expect(json.detail.length).toBeGreaterThan(0);
    for (const { loc } of json.detail) expect(['body', 'query', 'path']).toContain(loc[0]);
  }
}
