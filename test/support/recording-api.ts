import type { ApiClient } from '../../src/api/client.ts';

/** A client that answers every operation with the same data and records them in `calls`. */
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
