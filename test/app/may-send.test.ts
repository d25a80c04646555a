import { expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import { createSendCheck } from '../../src/app/narrowed-context.ts';
import type { PermissionSubject } from '../../src/submissions/submission-context.ts';

const ANA = { workspace: 'T1', user: 'U1' };
const POST = { project: 'p1', kind: 'post' };

/** Checks the permission to send a post once for each of these results. Returns the recorded decisions. */
async function recordChecks(...checks: [Permission, Partial<PermissionSubject>][]) {
  const decisions: string[] = [];
  for (const [permission, details] of checks) {
    const { checkPermission } = createSendCheck(
      { recheckPermission: async () => permission },
      {
        enqueue: ({ action, decision }) => void decisions.push(`${action} ${decision}`),
        prepare() {
          throw new Error('an entry was prepared');
        },
      },
    );
    expect(await checkPermission(ANA, 'publisher', { ...POST, ...details })).toBe(permission);
  }
  return decisions;
}

test('a permission check that fails repeatedly is recorded once, as not checked', async () => {
  const submission = 's1';
  const decisions = await recordChecks(
    ['unknown', { submission }],
    ['unknown', { submission, earlierAnswer: 'unknown' }],
    ['unknown', { submission, earlierAnswer: 'unknown' }],
    ['no', { submission, earlierAnswer: 'unknown' }],
  );
  expect(decisions).toEqual(['send post not-checked', 'send post refused']);
});

test('a post that is sent again and again during an outage is recorded once, until the answer changes', async () => {
  const submission = 's1';
  const decisions = await recordChecks(
    ['yes', { submission }],
    ['yes', { submission, earlierAnswer: 'yes' }],
    ['unknown', { submission, earlierAnswer: 'yes' }],
    ['yes', { submission, earlierAnswer: 'unknown' }],
    ['no', { submission, earlierAnswer: 'yes' }],
  );
  expect(decisions).toEqual(
    ['allowed', 'not-checked', 'allowed', 'refused'].map((each) => `send post ${each}`),
  );
});

test('[Send again] is recorded when the post is sent, or if the permission could not be checked', async () => {
  const decisions = await recordChecks(['yes', {}], ['yes', { submission: 's1' }], ['unknown', {}]);
  expect(decisions).toEqual(['send post allowed', 'send post not-checked']);
});

test('a check that only decides what people are shown is not recorded', async () => {
  const decisions = await recordChecks(['unknown', { isRecorded: false }], ['no', { isRecorded: false }]);
  expect(decisions).toEqual([]);
});
