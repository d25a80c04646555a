import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';

/** Delete Webhook. The API can't undo the deletion. */
export async function deleteWebhook(client: ApiClient, projectId: string): Promise<Outcome<undefined>> {
  const outcome = await client.call('deleteWebhook', (http, requestOptions) =>
    http.DELETE('/api/v1/projects/{project_id}/webhook', {
      ...requestOptions,
      params: { path: { project_id: projectId } },
    }),
  );
  return mapDone(outcome, () => undefined);
}
