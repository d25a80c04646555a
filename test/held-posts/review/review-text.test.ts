import { expect, test } from 'vitest';
import { PLATFORMS } from '../../../src/api/platforms.ts';
import { renderAskedPeople } from '../../../src/held-posts/review/nudge-text.ts';
import { renderReviewRequest } from '../../../src/held-posts/review/review-text.ts';

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
          in_review: true,
          reason: null,
        },
        ...{ author: 'U1', publish_at: new Date('2026-12-01T09:00:00Z') },
        hand_over_at: new Date('2026-12-01T08:00:00Z'),
      },
      post: { content: LONG, media: LONG, platforms: [...PLATFORMS], status: 'SCHEDULED' },
      project: LONG,
      result: { kind: 'pending', step: 0, asked: Array.from({ length: 50 }, (_, index) => `U${index}`) },
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
