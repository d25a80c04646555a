import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { type Post, readPost } from './posts.ts';
import { readRecord } from './records.ts';

/**
 * Get Upnext Post. `post` is the next post to be published. It is undefined if there is no next post, or if it is
 * unreadable. `isReadable` is false if the returned post couldn't be read.
 */
export async function getUpnextPost(
  client: ApiClient,
  projectId: string,
): Promise<Outcome<{ post: Post | undefined; isReadable: boolean }>> {
  const outcome = await client.call('getUpnextPost', (http, requestOptions) =>
    http.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', {
      ...requestOptions,
      params: { path: { project_id: projectId } },
    }),
  );
  return mapDone(outcome, (data) => {
    const { record, isReadable } = readRecord(data, 'Post', readPost);
    return { post: record, isReadable };
  });
}
