import { expect, test } from 'vitest';
import { findPageSite, lacksScheme } from '../../src/posts/media-reference.ts';

test.each([
  ['https://harbour.slack.com/archives/C1/p2', 'Slack'],
  ['https://files.slack.com/files-pri/T1-F1/a.jpg', 'Slack'],
  ['https://drive.google.com/file/d/1/view', 'Google Drive'],
  ['https://drive.google.com/uc?id=1&export=download', undefined],
  ['https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=0', 'Dropbox'],
  ['https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&raw=1', undefined],
  ['https://dl.dropboxusercontent.com/scl/fi/1/a.jpg', undefined],
  ['https://www.instagram.com/p/abc/', 'Instagram'],
  ['https://scontent.cdninstagram.com/a.jpg', undefined],
  ['https://example.com/drive.google.com/a.jpg', undefined],
  ['https://evilslack.com/archives/1', undefined],
  ['asset-123', undefined],
])('%s opens a page of %s', (link, site) => {
  expect(findPageSite(link)).toBe(site);
});

test.each([
  ['example.com/a.jpg', true],
  ['cdn.example.co.uk/a', true],
  ['www.example.com', true],
  ['https://example.com/a.jpg', false],
  ['photo.jpg', false],
  ['asset-123', false],
  ['folder/asset', false],
  ['', false],
])('%s lacks the beginning of a link: %s', (text, expected) => {
  expect(lacksScheme(text)).toBe(expected);
});
