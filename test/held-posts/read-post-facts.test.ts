import { expect, test } from 'vitest';
import type { HeldPostRow } from '../../src/held-posts/held-post.ts';
import { readPostFacts } from '../../src/held-posts/read-post-facts.ts';
import { describePost } from '../../src/posts/describe-post.ts';
import type { SentRow } from '../../src/posts/state-copy.ts';

const NOW = new Date('2026-12-01T09:00:00Z');

/** What people read of a post that was handed over in parts. */
function describe(
  sentTo: string,
  parts: readonly (readonly [platform: string, sent: Pick<SentRow, 'state' | 'reason'>])[],
) {
  const row: Pick<HeldPostRow, 'state' | 'reason' | 'hand_over_at' | 'publish_at' | 'sent_to'> = {
    ...{ state: 'handed-over', reason: null, hand_over_at: null, publish_at: null, sent_to: sentTo },
  };
  const facts = readPostFacts(row, {
    platforms: parts.map(([platform]) => platform),
    parts: parts.map(([platform, sent]) => ({ sent: { ...sent, maybe_sent: false }, platforms: [platform] })),
    isStopped: false,
  });
  return describePost(facts, { viewers: 'everyone', now: NOW });
}

const CONFIRMED = ['X', { state: 'confirmed', reason: null }] as const;
const GIVEN_UP = ['LINKEDIN', { state: 'discarded', reason: null }] as const;
const UNKNOWN = ['LINKEDIN', { state: 'needs-person', reason: null }] as const;
const WAITING = ['X', { state: 'retryable', reason: null }] as const;

test.each([[[GIVEN_UP, CONFIRMED]], [[CONFIRMED, GIVEN_UP]]])(
  'a part that somebody has given up doesn’t hide the one that the service has',
  (parts) => {
    expect(describe('', parts).label).toContain('Scheduled');
  },
);

test('what is unknown of a part that stays behind isn’t said of those that are sent again', () => {
  const { sentence } = describe('LINKEDIN', [UNKNOWN, WAITING]);
  expect(sentence).toMatch(/^I don’t know whether LinkedIn got it\. X: Saved, not sent yet\./);
});

test('what is unknown of a part isn’t said of those that the service has', () => {
  const { sentence } = describe('LINKEDIN', [UNKNOWN, CONFIRMED]);
  expect(sentence).toMatch(/^Scheduled on 1 of 2 platforms: X\. LinkedIn: /);
});
