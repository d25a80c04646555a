import type { ApiClient } from '../../src/api/client.ts';

/** Creates a client that answers every operation with the same data. `calls` records the operations. */
export function createRecordingApi(data: unknown) {
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
