import { expect, test } from 'vitest';
import { renderUnreadNotes } from '../../../../src/features/schedule-post/prefill/initial-values.ts';

test('unknown words are quoted above the form', () => {
  expect(
    renderUnreadNotes({ unknownPlatforms: ['myspace', 'orkut'], unreadWords: 'every full moon' }),
  ).toEqual([
    'I don’t know the platform “myspace”.',
    'I don’t know the platform “orkut”.',
    'I didn’t understand “every full moon”.',
  ]);
  expect(renderUnreadNotes({ unknownPlatforms: [], unreadWords: '' })).toEqual([]);
});
