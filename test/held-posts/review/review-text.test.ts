import { expect, test } from 'vitest';
import { PLATFORMS } from '../../../src/api/platforms.ts';
import { renderAskedPeople } from '../../../src/held-posts/notices/notice-text.ts';
import { renderReviewRequest } from '../../../src/held-posts/review/review-text.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const LONG = 'Wordy 🥐 https://example.com/a '.repeat(1_500);

const HELD = { state: 'awaiting-review', reason: null } as const;
const TIMES = {
  publish_at: new Date('2026-12-01T09:00:00Z'),
  hand_over_at: new Date('2026-12-01T08:00:00Z'),
};
const ROW = { id: 'id', version: 7, content_hash: 'h'.repeat(40), author: 'U1', ...TIMES };
const ASKED: Parameters<typeof renderReviewRequest>[0] = {
  row: { ...ROW, ...HELD },
  facts: { held: { ...HELD, hand_over_at: TIMES.hand_over_at } },
  post: { content: 'Hello', platforms: ['X'], status: 'SCHEDULED' },
  project: 'Harbour Coffee',
  result: { kind: 'pending', step: 0, asked: ['U2'] },
  unasked: 'nobody',
  needsApproval: true,
  blackoutFact: undefined,
  ...{ stepCount: 1, needs: 'any', decisions: [], differences: [], author: 'Ana' },
};
const READERS = { viewers: 'everyone', now: NOW } as const;
const ownText = (platform: string, text: string) => ({ platforms: [platform], text });

/** Counts the characters of all texts. */
function countCharacters(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, part]) =>
      sum + (key === 'text' && typeof part === 'string' ? part.length : countCharacters(part)),
    0,
  );
}

test.each([
  ['one text', []],
  ['texts for single platforms', [ownText('FACEBOOK', LONG), ownText('LINKEDIN', LONG), ownText('X', LONG)]],
])(
  'a request for the longest post with %s stays within Slack’s limit for the blocks of a message',
  (_name, ownTexts) => {
    const { blocks } = renderReviewRequest(
      {
        ...ASKED,
        post: { content: LONG, media: LONG, platforms: [...PLATFORMS], status: 'SCHEDULED', ownTexts },
        project: LONG,
        result: { kind: 'pending', step: 0, asked: Array.from({ length: 50 }, (_, index) => `U${index}`) },
        blackoutFact: `Tue 1 Dec is a blackout day of this project (${'x'.repeat(60)}).`,
        stepCount: 3,
        decisions: Array.from({ length: 20 }, () => ({
          ...{ kind: 'changes-requested' as const, actor: 'U2', step: 0, text: LONG },
        })),
        differences: ['Text', 'Time', 'Platforms', 'Media', 'Template', 'Prompt'].map((field) => ({
          ...{ field, before: 'x'.repeat(120), after: 'y'.repeat(120) },
        })),
      },
      READERS,
    );
    // Slack refused a message whose blocks had 11,341 characters of text.
    expect(countCharacters(blocks)).toBeLessThan(11_340);
    expect(blocks.length).toBeLessThan(50);
  },
);

test('a text that a request has no room for is read as a whole in the view that [Read the whole text] opens', () => {
  const post = {
    ...{ content: `${'a'.repeat(8_990)} the end`, platforms: ['FACEBOOK', 'X'], status: 'SCHEDULED' },
    ownTexts: [ownText('X', 'short')],
  };
  const request = JSON.stringify(renderReviewRequest({ ...ASKED, post }, READERS).blocks);
  expect(request).toContain('…and 5,999 more characters.');
  expect(request).toContain('Read the whole text');
  const opened = JSON.stringify(
    renderReviewRequest({ ...ASKED, post }, { ...READERS, hasWholeText: true }).blocks,
  );
  expect(opened).toContain('the end');
  expect(opened).not.toMatch(/more characters|Read the whole text/);
  expect(JSON.stringify(renderReviewRequest(ASKED, READERS).blocks)).not.toContain('Read the whole text');
});

test('the previews of a request show each platform the text that it gets', () => {
  const post = {
    ...{ content: 'Main '.repeat(100), platforms: ['INSTAGRAM', 'LINKEDIN'], status: 'SCHEDULED' },
    ownTexts: [ownText('INSTAGRAM', 'Beans '.repeat(100))],
  };
  const { blocks } = renderReviewRequest({ ...ASKED, post }, READERS);
  const texts = blocks.map((block) => JSON.stringify(block));
  const findAfter = (start: string) => texts[texts.findIndex((text) => text.includes(start)) + 1];
  expect(findAfter('Preview for Instagram')).toContain('Beans');
  expect(findAfter('Preview for LinkedIn')).toContain('Main');
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
  const held = { state: 'held', reason: null } as const;
  const { text, blocks } = renderReviewRequest(
    {
      ...ASKED,
      row: { ...ROW, ...held },
      facts: { held: { ...held, hand_over_at: TIMES.hand_over_at } },
      ...{ result, needsApproval },
    },
    READERS,
  );
  expect(text).toContain(title);
  const promisesHandOver = JSON.stringify(blocks).includes('I’ll hand it over');
  expect(promisesHandOver).toBe(!title.startsWith('Approval'));
});

test.each([
  ['nobody', 'I found nobody who may approve it'],
  ['not-checked', 'I couldn’t find out yet who may approve it.'],
  ['everybody', 'Without approval by'],
] as const)('a request that asks nobody says why: %s', (unasked, start) => {
  const result = { kind: 'pending', step: 0, asked: [] } as const;
  const { text, blocks } = renderReviewRequest({ ...ASKED, result, unasked }, READERS);
  expect(JSON.stringify(blocks)).toContain(`"text":"${start}`);
  expect(text).toContain(unasked === 'nobody' ? 'Waiting for review' : 'Please review this post');
});
