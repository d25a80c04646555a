import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { type Post, readPost } from './posts.ts';
import { readRecord } from './records.ts';

/** Get Upnext Post. `post`: the next post to be published. Undefined if there is none or it is unreadable (`shape`). */
export async function getUpnextPost(
  client: ApiClient,
  projectId: string,
): Promise<Outcome<{ post: Post | undefined; shape: 'read' | 'unreadable' }>> {
  const outcome = await client.call('getUpnextPost', (http, call) =>
    http.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', {
      ...call,
      params: { path: { project_id: projectId } },
    }),
  );
  return mapDone(outcome, (data) => {
    const { record, shape } = readRecord(data, 'Post', readPost);
    return { post: record, shape };
  });
}
