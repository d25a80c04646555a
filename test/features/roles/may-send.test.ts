import { expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import { maySend } from '../../../src/features/roles/may-send.ts';

const ANA = { workspace: 'T1', user: 'U1' };
const POST = { project: 'p1', kind: 'post' };

/** What is recorded of these checks, each of which ends like this. */
async function recorded(...checks: [Permission, { submission?: string; isRecheck?: boolean }][]) {
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

test('a check that failed is recorded as not checked, once however long it goes on, and never as refused', async () => {
  const submission = 's1';
  const checks = await recorded(
    ['unknown', { submission }],
    ['unknown', { submission, isRecheck: true }],
    ['unknown', { submission, isRecheck: true }],
    ['no', { submission, isRecheck: true }],
  );
  expect(checks).toEqual(['send post not-checked', 'send post refused']);
});

test('[Send again] is recorded when it sends, and where nobody could check', async () => {
  const checks = await recorded(['yes', {}], ['yes', { submission: 's1' }], ['unknown', {}]);
  expect(checks).toEqual(['send post allowed', 'send post not-checked']);
});
