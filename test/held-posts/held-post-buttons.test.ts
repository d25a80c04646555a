import { expect, test } from 'vitest';
import { renderHeldPostButtons } from '../../src/held-posts/text/held-post-buttons.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

test.each([
  ['next week', '2026-11-27T12:00:00Z', 'You can undo this until its time.'],
  ['in a hundred days', '2027-02-28T12:00:00Z', 'You can undo this for 90 days, but not after its time.'],
  ['without a time', undefined, 'You can undo this for 90 days.'],
  ['whose time has passed', '2026-11-19T12:00:00Z', 'You can’t undo this, because its time has passed.'],
])('[Cancel] says how long a post %s can be restored', (_name, at, text) => {
  const row = {
    id: 'p',
    version: 1,
    state: 'draft',
    reason: null,
    in_review: false,
    sent_to: null,
    series: null,
  } as const;
  const blocks = renderHeldPostButtons(
    { row: { ...row, publish_at: at ? new Date(at) : null }, post: {} },
    NOW,
  );
  expect(JSON.stringify(blocks)).toContain(`It won’t be sent. ${text}`);
});
