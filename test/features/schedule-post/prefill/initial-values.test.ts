import { expect, test } from 'vitest';
import { renderUnreadNotes } from '../../../../src/features/schedule-post/prefill/initial-values.ts';

test('unknown words are quoted above the form', () => {
  expect(
    renderUnreadNotes({
      unknownPlatforms: ['myspace', 'orkut'],
      unknownProject: 'the bookshop',
      unreadWords: 'every full moon',
    }),
  ).toEqual([
    'I don’t know which project “the bookshop” is. Choose one.',
    'I don’t know the platform “myspace”. Choose the platforms.',
    'I don’t know the platform “orkut”. Choose the platforms.',
    'I didn’t understand “every full moon”.',
  ]);
  expect(renderUnreadNotes({ unknownPlatforms: [], unreadWords: '' })).toEqual([]);
});
