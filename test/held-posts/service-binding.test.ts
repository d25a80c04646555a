import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { savePolicy } from '../../src/preferences/project-policy.ts';
import { createPostAt } from '../support/post-submissions.ts';
import { POLICY, setUpTestHeldPosts } from '../support/start-held-posts.ts';

/** Posts that were written while their service was unknown. */

const fixture = await setUpTestHeldPosts();

const STEP = { approvers: [{ kind: 'person', id: 'U2' }], needs: 'any' } as const;
const listEndpoints = async () => (await fixture.listRows()).map(({ endpoint }) => endpoint);

describe.each(['draft', 'awaiting-review', 'held'] as const)('a post in the state %s', (state) => {
  /** Writes the post without a service, and resolves with the key of the service that is connected then. */
  async function holdUnbound() {
    const isReviewed = state === 'awaiting-review';
    const policy = isReviewed ? ({ ...POLICY, review: 'required', reviewSteps: [STEP] } as const) : POLICY;
    const change = { changedBy: 'U9', changedAt: fixture.context.clock.now() };
    await savePolicy(fixture.db, { workspace: 'T1', project: 'p1' }, policy, change);
    const content = createPostAt('Hello', 0);
    if (state === 'draft') content.values.status = 'DRAFT';
    const { api } = fixture.connection;
    fixture.connection.api = undefined;
    await fixture.hold([], { contents: [content], policy });
    expect([await fixture.listStates(), await listEndpoints()]).toEqual([[state], ['']]);
    fixture.connection.api = api;
    const address = await fixture.submissions.context.findAddress('T1', 'p1');
    return fixture.submissions.context.computeEndpointKey(address);
  }

  test('is bound to the service as soon as it is known', async () => {
    const endpoint = await holdUnbound();
    await fixture.runAt(23.9 * 60);
    expect(await listEndpoints()).toEqual([endpoint]);
    // Another service doesn't get it unasked.
    fixture.connection.api = createApiClient({ baseUrl: 'http://127.0.0.1:9', token: 't' });
    await fixture.runAt(23.8 * 60);
    expect(await listEndpoints()).toEqual([endpoint]);
  });

  test('is bound by an instance that starts later', async () => {
    const endpoint = await holdUnbound();
    await fixture.createInstance().runOnce();
    expect(await listEndpoints()).toEqual([endpoint]);
  });

  test('is bound when a service is connected', async () => {
    const { api } = fixture.connection;
    const endpoint = await holdUnbound();
    fixture.connection.api = undefined;
    await fixture.runAt(23.9 * 60);
    fixture.connection.api = api;
    await fixture.heldPosts.recheckAuthority('T1');
    await fixture.heldPosts.runOnce();
    expect(await listEndpoints()).toEqual([endpoint]);
  });
});
