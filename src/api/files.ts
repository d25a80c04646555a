import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';

/** Delete File. The contract describes no parameter that selects a file, so the request has none. */
export async function deleteFile(client: ApiClient): Promise<Outcome<undefined>> {
  const outcome = await client.call('deleteFile', (http, requestOptions) =>
    http.DELETE('/api/v1/common/file', requestOptions),
  );
  return mapDone(outcome, () => undefined);
}
