import type { SectionBlock } from '@slack/types';
import { expect, test } from 'vitest';
import { renderTooLateView } from '../../../src/features/schedule-post/hold/held-text.ts';
import { createPostAt } from '../../support/post-submissions.ts';

test('an edit that comes too late is shown with every word of a long text', () => {
  const text = Array.from({ length: 1_500 }, (_, index) => `word${index}`).join(' ');
  const { blocks } = renderTooLateView(undefined, createPostAt(text, 0));
  const shown = (blocks.slice(2) as SectionBlock[]).map((section) => section.text?.text);
  expect(shown.join('')).toBe(text);
});
