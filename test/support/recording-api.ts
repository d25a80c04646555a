import type { ApiClient } from '../../src/api/client.ts';

/** A service that answers everything with the same data; `calls` are the operations that were asked for. */
export function recordingApi(data: unknown) {
  const calls: string[] = [];
  const api: ApiClient = {
    address: 'http://service',
    credential: {},
    async call(operation) {
      calls.push(operation);
      return { kind: 'done', data, requestId: 'r' };
    },
    close: async () => undefined,
  };
  return { api, calls };
}
