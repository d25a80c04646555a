import { expect, test } from 'vitest';
import { PLATFORMS } from '../../../src/api/platforms.ts';
import { renderReviewRequest } from '../../../src/held-posts/review/review-text.ts';
import { renderAskedPeople } from '../../../src/held-posts/text/notice-text.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const LONG = 'Wordy 🥐 https://example.com/a '.repeat(1_500);

test('a request for the longest post stays within Slack’s limit for the blocks of a message', () => {
  const { blocks } = renderReviewRequest(
    {
      row: {
        ...{
          id: 'id',
          version: 7,
          content_hash: 'h'.repeat(40),
          state: 'awaiting-review',
          reason: null,
        },
        ...{ author: 'U1', publish_at: new Date('2026-12-01T09:00:00Z') },
        hand_over_at: new Date('2026-12-01T08:00:00Z'),
      },
      facts: {
        held: { state: 'awaiting-review', reason: null, hand_over_at: new Date('2026-12-01T08:00:00Z') },
      },
      post: { content: LONG, media: LONG, platforms: [...PLATFORMS], status: 'SCHEDULED' },
      project: LONG,
      result: { kind: 'pending', step: 0, asked: Array.from({ length: 50 }, (_, index) => `U${index}`) },
      needsApproval: true,
      blackoutFact: `Tue 1 Dec is a blackout day of this project (${'x'.repeat(60)}).`,
      stepCount: 3,
      needs: 'any',
      decisions: Array.from({ length: 20 }, () => ({
        ...{ kind: 'changes-requested' as const, actor: 'U2', step: 0, text: LONG },
      })),
      differences: ['Text', 'Time', 'Platforms', 'Media', 'Template', 'Prompt'].map((field) => ({
        ...{ field, before: 'x'.repeat(120), after: 'y'.repeat(120) },
      })),
      author: 'Ana',
    },
    { viewers: 'everyone', now: NOW },
  );
  // All blocks of a message together may have about 12,000 characters.
  expect(JSON.stringify(blocks).length).toBeLessThan(12_000);
  expect(blocks.length).toBeLessThan(50);
});

test('a request names the people of whom anyone may approve, or who all have to', () => {
  expect(renderAskedPeople(['U1', 'U2', 'U3'], 'any')).toBe('<@U1>, <@U2> or <@U3>');
  expect(renderAskedPeople(['U1', 'U2'], 'all')).toBe('<@U1> and <@U2>');
});

test.each([
  ['an approval', { kind: 'approved', approver: 'U2' }, true, 'Approved'],
  [
    'an approval by somebody who has left',
    { kind: 'pending', step: 0, asked: ['U3'] },
    true,
    'Approval no longer counts',
  ],
  ['an approval that can’t be checked', { kind: 'unknown', step: 0 }, true, 'Approvals not checked yet'],
  [
    'no approval, and reviews were switched off',
    { kind: 'pending', step: 0, asked: [] },
    false,
    'No review needed',
  ],
] as const)('the request of a held post with %s says so', (_name, result, needsApproval, title) => {
  const { text, blocks } = renderReviewRequest(
    {
      row: {
        ...{ id: 'id', version: 7, content_hash: 'h', state: 'held', reason: null, author: 'U1' },
        ...{ publish_at: new Date('2026-12-01T09:00:00Z'), hand_over_at: new Date('2026-12-01T08:00:00Z') },
      },
      facts: { held: { state: 'held', reason: null, hand_over_at: new Date('2026-12-01T08:00:00Z') } },
      post: { content: 'Hello', platforms: ['X'], status: 'SCHEDULED' },
      ...{ project: 'Harbour Coffee', result, needsApproval, stepCount: 1, needs: 'any' },
      blackoutFact: undefined,
      ...{ decisions: [], differences: [], author: 'Ana' },
    },
    { viewers: 'everyone', now: NOW },
  );
  expect(text).toContain(title);
  const promisesHandOver = JSON.stringify(blocks).includes('I’ll hand it over');
  expect(promisesHandOver).toBe(!title.startsWith('Approval'));
});
