import { expect, test } from 'vitest';
import { listPostDifferences, renderPostDifference } from '../../src/posts/post-changes.ts';
import { renderOtherTexts } from '../../src/posts/post-text.ts';

const file = (letter: string, extension = 'png') =>
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
  ['a new picture', undefined, file('a'), 'none → PNG picture'],
  ['a picture of another type', file('a'), file('b', 'jpg'), 'PNG picture → JPEG picture'],
  ['another picture of its type', file('a'), file('b'), 'PNG picture → another PNG picture'],
  ['a video', file('a'), file('b', 'mp4'), 'PNG picture → MP4 video'],
  ['another video', file('a', 'mov'), file('b', 'mov'), 'MOV video → another MOV video'],
  ['a picture that Slack doesn’t show', file('a', 'webp'), file('b', 'heic'), 'WebP picture → HEIC picture'],
  ['a link', file('a'), 'https://a.example/b.png', 'PNG picture → “https://a.example/b.png”'],
])('%s is named by what people see, not by its address', (_what, before, after, line) => {
  expect(compareMedia(before, after)).toEqual([`Media: ${line}`]);
});

test('the same picture is no change', () => {
  expect(compareMedia(file('a'), file('a'))).toEqual([]);
});

test('a card has the address of a video, which it doesn’t show', () => {
  const render = (media: string) => renderOtherTexts({ platforms: ['X'], media }).map(({ text }) => text);
  expect(render(file('a', 'mp4'))).toEqual([`Media: ${file('a', 'mp4')}`]);
  expect(render(file('a'))).toEqual(['Media: PNG picture']);
});
