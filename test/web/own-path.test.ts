import { expect, test } from 'vitest';
import { findOwnPath } from '../../src/web/post/preview.ts';

const ADDRESS = 'https://upnext.example/w/secret/';
const NAME = `${'a'.repeat(42)}-.mp4`;

test('a file of this site is shown by its path, also below a path of a proxy', () => {
  expect(findOwnPath(`https://upnext.example/media/${NAME}`, ADDRESS)).toBe(`/media/${NAME}`);
  expect(
    findOwnPath(`https://apps.example/upnext/media/${NAME}`, 'https://apps.example/upnext/w/secret/'),
  ).toBe(`/upnext/media/${NAME}`);
});

test.each([
  `https://upnext.example//evil.example/${NAME}`,
  `https://upnext.example/\\evil.example/${NAME}`,
  `https://upnext.example/media//evil.example/${NAME}`,
  `https://upnext.example/media/..//evil.example/${NAME}`,
  `https://upnext.example/media/%2e%2e/${NAME}`,
  `https://upnext.example/w/secret/${NAME}`,
  `https://upnext.example@evil.example/media/${NAME}`,
  `https://upnext.example.evil.example/media/${NAME}`,
  `http://upnext.example/media/${NAME}`,
  `javascript:alert(1)//media/${NAME}`,
])('the address %s in a post makes no link to a file', (media) => {
  expect(findOwnPath(media, ADDRESS)).toBeUndefined();
});
