import { expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import { maySend } from '../../../src/features/roles/narrowed-context.ts';

const ANA = { workspace: 'T1', user: 'U1' };
const POST = { project: 'p1', kind: 'post' };

/** Runs checks that have these answers. Returns the decisions that were recorded. */
async function recordChecks(...checks: [Permission, { submission?: string; isRecheck?: boolean }][]) {
  const decisions: string[] = [];
  for (const [answer, what] of checks) {
    const may = maySend(
      { recheckPermission: async () => answer },
      { enqueue: ({ action, decision }) => void decisions.push(`${action} ${decision}`) },
    );
    expect(await may(ANA, 'publisher', { ...POST, ...what })).toBe(answer);
  }
  return decisions;
}

test('a check that keeps failing is recorded once, as not checked instead of refused', async () => {
  const submission = 's1';
  const checks = await recordChecks(
    ['unknown', { submission }],
    ['unknown', { submission, isRecheck: true }],
    ['unknown', { submission, isRecheck: true }],
    ['no', { submission, isRecheck: true }],
  );
  expect(checks).toEqual(['send post not-checked', 'send post refused']);
});

test('[Send again] is recorded when the post is sent, or if the permission could not be checked', async () => {
  const checks = await recordChecks(['yes', {}], ['yes', { submission: 's1' }], ['unknown', {}]);
  expect(checks).toEqual(['send post allowed', 'send post not-checked']);
});
