import { expect, test } from 'vitest';
import { listPostDifferences, renderPostDifference } from '../../src/posts/post-changes.ts';

const picture = (letter: string, extension = 'png') =>
  `https://upnext.example.com/media/${letter.repeat(43)}.${extension}`;

function compareMedia(before: string | undefined, after: string | undefined): string[] {
  const differences = listPostDifferences(
    { platforms: ['X'], media: before },
    { platforms: ['X'], media: after },
    { viewers: {}, now: new Date('2026-11-20T12:00:00Z') },
  );
  return differences.map(renderPostDifference);
}

test.each([
  ['a new picture', undefined, picture('a'), 'none → PNG picture'],
  ['a picture of another type', picture('a'), picture('b', 'jpg'), 'PNG picture → JPEG picture'],
  ['another picture of its type', picture('a'), picture('b'), 'PNG picture → another PNG picture'],
  ['a link', picture('a'), 'https://a.example/b.png', 'PNG picture → “https://a.example/b.png”'],
])('%s is named by what people see, not by its address', (_what, before, after, line) => {
  expect(compareMedia(before, after)).toEqual([`Media: ${line}`]);
});

test('the same picture is no change', () => {
  expect(compareMedia(picture('a'), picture('a'))).toEqual([]);
});
