import { expect, test } from 'vitest';
import { renderPostCard } from '../../src/posts/post-card.ts';

const ADDRESS = `https://upnext.example/media/${'a'.repeat(43)}.jpg`;
const render = (post: { altText?: string; media?: string }, hasLargePicture?: boolean) =>
  renderPostCard({
    title: 'Please review this post',
    project: 'Harbour Coffee',
    post: { content: 'Hello', platforms: ['X'], media: ADDRESS, ...post },
    viewers: 'everyone',
    now: new Date('2026-11-20T12:00:00Z'),
    ...(hasLargePicture && { hasLargePicture }),
  }).blocks;

test('a card for a review shows the picture with its alt text, and says the text too', () => {
  const blocks = render({ altText: 'Our door' }, true);
  expect(blocks).toContainEqual({ type: 'image', image_url: ADDRESS, alt_text: 'Our door' });
  expect(JSON.stringify(blocks)).toContain('Alt text: Our door');
  expect(JSON.stringify(blocks)).not.toContain('accessory');
});

test('other cards have a thumbnail, and no random name is read out', () => {
  const [, details] = render({});
  expect(details).toMatchObject({
    accessory: { type: 'image', image_url: ADDRESS, alt_text: 'Picture' },
  });
});

test('the address of a picture that the card shows isn’t written out, but that of a video and of a link is', () => {
  expect(JSON.stringify(render({}))).toContain('"Media: JPEG picture"');
  for (const media of [ADDRESS.replace('.jpg', '.mp4'), 'https://example.com/photo.jpg'])
    expect(JSON.stringify(render({ media }))).toContain(`"Media: ${media}"`);
});
