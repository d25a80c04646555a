import { expect, test } from 'vitest';
import { answerFormWhenReady, createTimeLimit } from '../../src/handlers/answer-when-ready.ts';
import type { SubmissionCall } from '../../src/handlers/call.ts';
import { buildModal } from '../../src/slack/message-view.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { readOwnTime } from '../support/busyness.ts';

const INTERIM_VIEW = buildModal('Loading…', []);

test('a form whose handler has used up its time is answered at once', async () => {
  const context = { pace: PACE } as SubmissionCall['context'];
  const limit = createTimeLimit({ context, receivedAt: performance.now() - PACE.acknowledgementTimeoutMs });
  const call = { context, view: { id: 'V1' }, ...limit } as unknown as SubmissionCall;
  const startedAt = readOwnTime();
  const answer = await answerFormWhenReady(call, new Promise<never>(() => {}), INTERIM_VIEW);
  expect(answer).toMatchObject({ view: INTERIM_VIEW });
  expect(readOwnTime() - startedAt).toBeLessThan(PACE.acknowledgementTimeoutMs);
});
