import { describe, expect, test } from 'vitest';
import type { Platform } from '../../src/api/platforms.ts';
import {
  describeMedia,
  findMediaProblem,
  findPageSite,
  lacksScheme,
  type MediaFacts,
} from '../../src/posts/media-reference.ts';
import { checkPlatforms, renderFinding } from '../../src/posts/platform-rules/platform-rules.ts';

const MB = 1024 * 1024;
const picture: MediaFacts = {
  type: 'image/jpeg',
  bytes: 2 * MB,
  width: 1200,
  height: 1000,
  isAnimated: false,
  hadPrivateData: false,
};
const video: MediaFacts = {
  ...picture,
  type: 'video/mp4',
  bytes: 30 * MB,
  width: 1080,
  height: 1920,
  durationMs: 45_000,
  isAnimated: true,
};

const findProblems = (mediaFacts: MediaFacts, ...platforms: Platform[]) => {
  const media = 'https://upnext.example/media/abc.jpg';
  const { stops, warnings } = checkPlatforms({ content: 'Hello', media, mediaFacts, platforms });
  const isAboutMedia = ({ field }: { field: string }) => field === 'Media';
  return {
    stops: stops.filter(isAboutMedia).map(renderFinding),
    warnings: warnings.filter(isAboutMedia).map(renderFinding),
  };
};

describe('a file that Upnext has read', () => {
  test('a usual picture and a usual video have no problem where they are taken', () => {
    const platforms = [
      ...['X', 'THREADS', 'INSTAGRAM', 'FACEBOOK', 'LINKEDIN', 'TIKTOK', 'PINTEREST', 'REDDIT', 'TELEGRAM'],
    ] as const;
    expect(findProblems(picture, ...platforms)).toEqual({ stops: [], warnings: [] });
    expect(findProblems(video, ...platforms, 'YOUTUBE')).toEqual({ stops: [], warnings: [] });
  });

  test('each platform that may refuse it is named with its limit', () => {
    expect(findProblems({ ...picture, bytes: 7.2 * MB }, 'X', 'INSTAGRAM').warnings).toEqual([
      'X takes 5 MB, and this has 7.2 MB.',
    ]);
    expect(
      findProblems({ ...picture, type: 'image/gif', isAnimated: true, bytes: 7 * MB }, 'X').warnings,
    ).toEqual([]);
    expect(findProblems({ ...picture, type: 'image/png' }, 'INSTAGRAM').warnings).toEqual([
      'Instagram takes JPEG pictures, and this is PNG.',
    ]);
    expect(findProblems({ ...picture, width: 3000 }, 'INSTAGRAM').warnings).toEqual([
      'Instagram takes shapes from 4:5 to 1.91:1, and this has 3,000 × 1,000.',
    ]);
    expect(findProblems({ ...picture, width: 8000, height: 6000 }, 'LINKEDIN').warnings).toEqual([
      'LinkedIn takes 36.2 megapixels, and this has 48 megapixels.',
    ]);
    expect(findProblems({ ...video, durationMs: 200_000 }, 'X').warnings).toEqual([
      'X takes 2 min 20 s, and this has 3 min 20 s.',
    ]);
    expect(findProblems({ ...video, durationMs: 2_000 }, 'PINTEREST').warnings).toEqual([
      'Pinterest needs at least 4 s, and this has 2 s.',
    ]);
  });

  test('a portrait from a phone may be refused by Instagram, and a panorama is not taken', () => {
    expect(findProblems({ ...picture, width: 3024, height: 4032 }, 'INSTAGRAM').warnings).toEqual([
      'Instagram may take only shapes from 4:5 to 1.91:1, and this has 3,024 × 4,032.',
    ]);
    expect(findProblems({ ...picture, width: 1000, height: 2000 }, 'INSTAGRAM').warnings).toEqual([
      'Instagram takes shapes from 4:5 to 1.91:1, and this has 1,000 × 2,000.',
    ]);
  });

  test('a size just above a limit is told from it', () => {
    expect(findProblems({ ...picture, bytes: 5 * MB + 40_000 }, 'X').warnings).toEqual([
      'X takes 5 MB, and this has 5.04 MB.',
    ]);
    expect(findProblems({ ...picture, bytes: 5 * MB + 1 }, 'X').warnings).toEqual([
      'X takes 5 MB, and this has a little more.',
    ]);
  });

  test('a picture for YouTube is refused', () => {
    expect(findProblems(picture, 'YOUTUBE').stops).toEqual([
      'YouTube takes exactly one video, and this is a picture. Choose a video, or remove YouTube.',
    ]);
  });

  test('it is described with its type, size and length', () => {
    expect(describeMedia({ ...picture, width: 4032, height: 3024, bytes: 7.2 * MB })).toBe(
      'JPEG, 4,032 × 3,024, 7.2 MB',
    );
    expect(describeMedia(video)).toBe('MP4, 1,080 × 1,920, 45 s, 30 MB');
    expect(describeMedia({ ...picture, type: 'image/gif', isAnimated: true, bytes: 900 })).toBe(
      'animated GIF, 1,200 × 1,000, 1 KB',
    );
  });
});

test.each([
  ['https://harbour.slack.com/archives/C1/p2', 'Slack'],
  ['https://files.slack.com/files-pri/T1-F1/a.jpg', 'Slack'],
  ['https://drive.google.com/file/d/1/view', 'Google Drive'],
  ['https://drive.google.com/uc?id=1&export=download', undefined],
  ['https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=0', 'Dropbox'],
  ['https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&raw=1', undefined],
  ['https://dl.dropboxusercontent.com/scl/fi/1/a.jpg', undefined],
  ['https://www.canva.com/design/DAF1/view', 'Canva'],
  ['https://canva.link/abc', 'Canva'],
  ['https://www.figma.com/design/1/Plan', 'Figma'],
  ['https://www.figma.com/api/mcp/asset/1', undefined],
  ['https://imgur.com/a/abc', 'Imgur'],
  ['https://imgur.com/abc.jpg', undefined],
  ['https://imgur.com/download/abc', undefined],
  ['https://i.imgur.com/abc.jpg', undefined],
  ['https://we.tl/t-abc', 'WeTransfer'],
  ['https://download.wetransfer.com/eugv/1/a.jpg', undefined],
  ['https://acme.app.box.com/s/abc', 'Box'],
  ['https://app.box.com/shared/static/abc.jpg', undefined],
  ['https://dropbox.com/', undefined],
  ['https://youtu.be/abc', 'YouTube'],
  ['https://www.instagram.com/p/abc/', 'Instagram'],
  ['https://scontent.cdninstagram.com/a.jpg', undefined],
  ['https://example.com/drive.google.com/a.jpg', undefined],
  ['https://evilslack.com/archives/1', undefined],
  ['asset-123', undefined],
])('%s opens a page of %s', (link, site) => {
  expect(findPageSite(link)).toBe(site);
});

test.each([
  ['https://prod-files-secure.s3.us-west-2.amazonaws.com/1/a.jpg?X-Amz-Date=1&X-Amz-Expires=3600', true],
  ['https://file.notion.so/f/1/a.jpg?id=2&expirationTimestamp=3', true],
  ['https://v5.airtableusercontent.com/v3/u/1/a', true],
  ['https://cdn.discordapp.com/attachments/1/2/a.jpg?ex=3', true],
  [' https://cdn.discordapp.com/ephemeral-attachments/1/2/a.jpg?ex=3', true],
  ['https://cdn.discordapp.com/emojis/1.png', false],
  ['https://download.wetransfer.com/eugv/1/a.jpg', true],
  ['https://bucket.s3.amazonaws.com/a.jpg?AWSAccessKeyId=1&Expires=2&Signature=3', true],
  ['https://bucket.s3.amazonaws.com/a.jpg?AWSAccessKeyId=1&Signature=3&Expires=2', true],
  ['https://shop.blob.core.windows.net/a.jpg?sv=1&se=2026-12-01&sr=b&sig=3', true],
  ['https://example.com/a.jpg?Expires=never&course=1&sig=2', false],
  ['https://bucket.s3.amazonaws.com/a.jpg', false],
  ['https://example.com/v5.airtableusercontent.com/a.jpg', false],
])('the picture of %s may be gone when its post goes out: %s', (media, isWarned) => {
  const { warnings } = checkPlatforms({ content: 'Hello', media, platforms: ['LINKEDIN'] });
  const text = 'This link works for a limited time, and may end before the service fetches the file.';
  expect(warnings.some(({ problem }) => problem === text)).toBe(isWarned);
});

test.each([
  ['example.com/a.jpg', true],
  ['cdn.example.co.uk/a', true],
  ['www.example.com', true],
  ['bücher.example/a.jpg', true],
  ['my_shop.example/a.jpg', true],
  ['https://example.com/a.jpg', false],
  ['photo.jpg', false],
  ['asset-123', false],
  ['folder/asset', false],
  ['', false],
])('%s lacks the beginning of a link: %s', (text, expected) => {
  expect(lacksScheme(text)).toBe(expected);
});

test.each([
  'https://a.example/1.jpg https://a.example/2.jpg',
  'https://a.example/1.jpg\nhttps://a.example/2.jpg',
  'https://a.example/1.jpg,https://a.example/2.jpg',
  'https://a.example/1.jpg;http://a.example/2.jpg',
  'https://a.example/1.jpghttps://a.example/2.jpg',
  '<https://a.example/1.jpg> <https://a.example/2.jpg>',
])('%j are two links, of which a post takes one', (media) => {
  expect(findMediaProblem(media)).toBe(
    'A post takes one picture or video, and these are two links. Keep one.',
  );
});

test.each([
  'https://proxy.example/?url=https://a.example/2.jpg',
  'https://web.archive.org/web/2026/https://a.example/2.jpg',
  'https://a.example/1.jpg#a,https://b',
  'https://a.example/a,b;c.jpg',
])('%j is one link', (media) => {
  expect(findMediaProblem(media)).toBeUndefined();
});

test.each([
  ['photo.jpg ', undefined],
  ['my photo.jpg', 'The service can’t open files on a computer.'],
])('the problem of “%s” is: %s', (media, problem) => {
  expect(findMediaProblem(media)?.split('. ')[0]).toBe(problem?.replace('.', ''));
});
