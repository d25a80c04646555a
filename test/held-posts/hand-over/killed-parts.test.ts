import { expect, test } from 'vitest';
import { takeOutcome } from '../../../src/held-posts/hand-over/outcome.ts';
import type { CrashPoint } from '../../../src/submissions/pace.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { createPostAt, createPostSubmissions } from '../../support/post-submissions.ts';
import { data } from '../../support/scripted-service.ts';
import { setUpTestHeldPosts } from '../../support/start-held-posts.ts';

/** A process is killed while it sends the parts of a post, at each point, and another one goes on. */

const fixture = await setUpTestHeldPosts();

const POINTS = [
  'before-sending',
  'after-sending',
  'before-result',
  'after-result',
] as const satisfies CrashPoint[];
const RUNS = POINTS.flatMap((point) => [1, 2, 3].map((part) => ({ point, part })));

test.each(RUNS)('killed $point, at part $part', async ({ point, part }) => {
  const accepted: Record<string, unknown>[] = [];
  fixture.service.on('POST /posts', (call, response) => {
    const id = `post_${accepted.length + 1}`;
    accepted.push({ ...(call.body as object), Id: id });
    return data({ Id: id })(call, response);
  });
  fixture.service.on('GET /posts', (call, response) => data(accepted)(call, response));
  const post = createPostAt('A long story', 0);
  const ownTexts = { X: 'Short', THREADS: 'Middle' };
  const values = { ...post.values, platforms: ['X', 'LINKEDIN', 'THREADS'], ownTexts };
  await fixture.hold([], { contents: [{ ...post, values }] });

  let reached = 0;
  const { pace } = fixture.submissions.context;
  Object.assign(pace, {
    onCrashPoint(here: CrashPoint) {
      if (here === point) reached += 1;
      // The process never comes back from here.
      return here === point && reached >= part ? new Promise<void>(() => undefined) : undefined;
    },
  });
  fixture.setMinutesBefore(60);
  void fixture.createInstance().runOnce();
  await expect.poll(() => reached).toBe(3);
  Object.assign(pace, { onCrashPoint: undefined });

  const others = createPostSubmissions({
    ...{ db: fixture.db, api: fixture.api, clock: fixture.context.clock },
    pace: { ...PACE, reconcileDelaysMs: [1, 1] },
    takeOutcome: (row) => takeOutcome(fixture.context, row),
  });
  const instance = fixture.createInstance();
  for (const minutes of [58, 57, 56, 55, 54, 53, 52, 51, 50]) {
    fixture.setMinutesBefore(minutes);
    await others.engine.runOnce();
    await instance.runOnce();
  }
  await others.stop();
  const sent = accepted.map(({ Content }) => Content);
  expect(new Set(sent).size).toBe(sent.length);
  const unsure = await fixture.db
    .selectFrom('submission')
    .select('content')
    .where('state', '=', 'needs-person')
    .execute();
  // Nobody knows of a part whether it has arrived if its process died before the request left. Its author is asked.
  expect(sent.length + unsure.length).toBe(3);
  expect(unsure.length).toBe(point === 'after-sending' ? 4 - part : 0);
  expect(await fixture.listStates()).toEqual([unsure.length === 0 ? 'delivered' : 'handed-over']);
});
