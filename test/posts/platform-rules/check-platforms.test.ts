import { describe, expect, test } from 'vitest';
import { PLATFORMS, type Platform } from '../../../src/api/platforms.ts';
import { findLinks } from '../../../src/posts/platform-rules/find-links.ts';
import {
  checkPlatforms,
  countForX,
  renderCounts,
  renderFinding,
} from '../../../src/posts/platform-rules/platform-rules.ts';
import { PLATFORM_RULES } from '../../../src/posts/platform-rules/rules.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';

const VIDEO = 'https://cdn.example.com/launch.mp4';

function checkPost(
  platforms: Platform[],
  content: string,
  options: { media?: string; hasTemplateOrPrompt?: boolean; repeatedAfterMs?: number } = {},
) {
  const result = checkPlatforms({ content, media: '', platforms, ...options });
  const render = (findings: typeof result.stops) =>
    findings.map((finding) => `${finding.field}: ${renderFinding(finding)}`);
  return { stops: render(result.stops), warnings: render(result.warnings), counts: result.counts };
}

describe('the text length of each platform', () => {
  test.each([
    ['X', '', 'a', 280],
    ['X', '', '日', 140],
    ['X', '', '👨‍👩‍👧‍👦', 140],
    ['THREADS', '', 'a', 500],
    ['THREADS', '', 'é', 500],
    ['THREADS', '', '🎉', 125],
    ['INSTAGRAM', VIDEO, 'a', 2200],
    ['FACEBOOK', '', 'a', 63_206],
    ['LINKEDIN', '', 'a', 3000],
    ['LINKEDIN', '', '🎉', 1500],
    ['YOUTUBE', VIDEO, 'a', 5000],
    ['YOUTUBE', VIDEO, '🎉', 1250],
    ['TIKTOK', VIDEO, 'a', 4000],
    ['PINTEREST', VIDEO, 'a', 800],
    ['REDDIT', '', 'a', 40_000],
    ['TELEGRAM', '', '🎉', 2048],
    ['TELEGRAM', VIDEO, 'a', 1024],
  ] as const)(
    'a text for %s with media %j can have the character %s at most %i times',
    (platform, media, character, max) => {
      const findStops = (times: number) => checkPost([platform], character.repeat(times), { media }).stops;
      expect(findStops(max - 1)).toEqual([]);
      expect(findStops(max)).toEqual([]);
      expect(findStops(max + 1)).toEqual([
        expect.stringMatching(/^Content: \w+: [\d,]+ (?:characters?|bytes?) too long/),
      ]);
    },
  );

  test('the message says by how much a text exceeds the limit', () => {
    expect(checkPost(['X'], 'a'.repeat(291)).stops).toEqual([
      'Content: X: 11 characters too long. Shorten the text or remove X.',
    ]);
    expect(checkPost(['FACEBOOK'], 'a'.repeat(64_206)).stops).toEqual([
      'Content: Facebook: 1,000 characters too long. Shorten the text or remove Facebook.',
    ]);
    expect(checkPost(['TELEGRAM'], 'a'.repeat(1025), { media: VIDEO }).stops).toEqual([
      'Content: Telegram: 1 character too long with media. Shorten the text or remove Telegram.',
    ]);
    expect(checkPost(['THREADS'], `${'a'.repeat(494)}🎉🎉`).stops).toEqual([
      'Content: Threads: 2 characters too long. Shorten the text (an emoji counts as several) or remove Threads.',
    ]);
  });

  test.each([
    ['PINTEREST', 500, 'Content: Pinterest: 501 of 500. It may refuse this length.'],
    ['REDDIT', 10_000, 'Content: Reddit: 10,001 of 10,000. It may refuse this length.'],
    ['TIKTOK', 2200, 'Content: TikTok: 2,201 of 2,200. It may refuse this length.'],
  ] as const)(
    'a text for %s with more than %i characters causes only a warning, because sources disagree',
    (platform, max, message) => {
      const findWarnings = (length: number) =>
        checkPost([platform], 'a'.repeat(length), { media: VIDEO }).warnings;
      expect(findWarnings(max)).not.toContainEqual(expect.stringContaining('length'));
      expect(findWarnings(max + 1)).toContain(message);
    },
  );

  test('a text whose characters Threads counts, but whose bytes are too many, causes a warning', () => {
    expect(checkPost(['THREADS'], 'é'.repeat(250)).warnings).toEqual([]);
    expect(checkPost(['THREADS'], 'é'.repeat(251)).warnings).toEqual([
      'Content: Threads: 502 of 500 bytes. It may refuse this length.',
    ]);
  });

  test('an account on X that pays takes long posts, and another one never does', () => {
    const check = (length: number, paidPlatforms?: Platform[]) =>
      checkPlatforms({ content: 'a'.repeat(length), media: '', platforms: ['X'], paidPlatforms }).stops.map(
        renderFinding,
      );
    expect(check(25_000, ['X'])).toEqual([]);
    expect(check(25_001, ['X'])).toEqual(['X: 1 character too long. Shorten the text or remove X.']);
    expect(check(304)).toEqual(['X: 24 characters too long. Shorten the text or remove X.']);
  });

  test('the caption of a video is shorter than that of a photo on TikTok', () => {
    const check = (type: 'video/mp4' | 'image/jpeg') =>
      checkPlatforms({
        ...{ content: 'a'.repeat(2201), media: VIDEO, platforms: ['TIKTOK'] },
        mediaFacts: { type, bytes: 1_000_000, isAnimated: false, hadPrivateData: false },
      }).stops.map(renderFinding);
    expect(check('video/mp4')).toEqual([
      'TikTok: 1 character too long with a video. Shorten the text or remove TikTok.',
    ]);
    expect(check('image/jpeg')).toEqual([]);
  });

  test('the count of each platform is shown once, in the platform’s unit', () => {
    const { counts } = checkPost(['X', 'YOUTUBE', 'X', 'TELEGRAM'], 'Grüße 🎉', { media: VIDEO });
    expect(counts).toEqual([
      { platform: 'X', used: 8, limit: 280, unit: 'characters' },
      { platform: 'YOUTUBE', used: 12, limit: 5000, unit: 'bytes' },
      { platform: 'TELEGRAM', used: 8, limit: 1024, unit: 'characters' },
    ]);
    expect(renderCounts(counts)).toBe('');
  });

  test('a count is shown from 80 % of a limit up to the limit', () => {
    const render = (length: number) => renderCounts(checkPost(['X', 'THREADS'], 'a'.repeat(length)).counts);
    expect([223, 224, 280, 281, 400, 500, 501].map(render)).toEqual([
      ...['', 'X: 224 of 280', 'X: 280 of 280', '', 'Threads: 400 of 500', 'Threads: 500 of 500', ''],
    ]);
  });
});

describe('links, hashtags and other content of a post', () => {
  test.each(['1 < 2', 'a -> b'])('YouTube refuses angle brackets: %j', (text) => {
    expect(checkPost(['YOUTUBE'], text, { media: VIDEO }).stops).toEqual([
      'Content: YouTube takes no < or > in the text. Remove them.',
    ]);
  });

  test('Threads accepts five different links, repeated any number of times', () => {
    const createLinks = (count: number) =>
      Array.from({ length: count }, (_, index) => `https://a.com/${index}`).join(' ');
    expect(checkPost(['THREADS'], `${createLinks(5)} ${createLinks(5)}`).stops).toEqual([]);
    expect(checkPost(['THREADS'], createLinks(7)).stops).toEqual([
      'Content: Threads takes 5 different links, and this has 7. Leave out 2.',
    ]);
  });

  test('names of files that end like a domain aren’t links for certain', () => {
    const names = ['menu.zip', 'offers.zip', 'clip.mov', 'notes.md', 'list.zip', 'plan.md'].join(' ');
    expect(checkPost(['THREADS'], names)).toMatchObject({
      stops: [],
      warnings: [
        'Content: Threads takes 5 different links, and may count 6. It may take “menu.zip” for one.',
      ],
    });
    expect(checkPost(['THREADS'], `${names.slice(0, 20)} www.a.com`)).toMatchObject({
      stops: [],
      warnings: [],
    });
  });

  test('Instagram takes 20 different mentions, and an address is none', () => {
    const mention = (count: number) =>
      Array.from({ length: count }, (_, index) => `@shop.${index}`).join(' ');
    const check = (text: string) => checkPost(['INSTAGRAM'], text, { media: VIDEO }).stops;
    expect(check(`${mention(20)} ${mention(20)} ana@example.com a@b @ ＠x`)).toEqual([]);
    expect(check(mention(22))).toEqual([
      'Content: Instagram takes 20 mentions, and this has 22. Leave out 2.',
    ]);
  });

  test('more than five hashtags cause a warning for Instagram, and numbers and addresses don’t count as hashtags', () => {
    const fiveHashtags = '#one #två ＃三 (#four) #5th #1 example.com/#six a&#38;b no#tag';
    expect(checkPost(['INSTAGRAM'], fiveHashtags, { media: VIDEO }).warnings).toEqual([]);
    expect(checkPost(['INSTAGRAM'], `${fiveHashtags} #six`, { media: VIDEO })).toMatchObject({
      stops: [],
      warnings: ['Content: Instagram may allow only 5 hashtags since December 2025. You have 6.'],
    });
  });

  test('the same text in several posts causes a warning for LinkedIn, and for X if it comes again within a day', () => {
    const linkedIn = 'Content: LinkedIn refuses the same text twice. Vary it for each post.';
    const check = (days: number) =>
      checkPost(['X', 'LINKEDIN'], 'Hi', { repeatedAfterMs: days * 86_400_000 }).warnings;
    expect(check(1)).toEqual([
      'Content: X may refuse the same text within about a day. Vary it for each post.',
      linkedIn,
    ]);
    expect(check(7)).toEqual([linkedIn]);
    expect(checkPost(['LINKEDIN'], 'Hi').warnings).toEqual([]);
  });
});

test('Instagram refuses more than 30 different hashtags', () => {
  const createHashtags = (count: number) =>
    Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ');
  const check = (content: string) => checkPost(['INSTAGRAM'], content, { media: VIDEO }).stops;
  expect(check(createHashtags(30))).toEqual([]);
  expect(check(`${createHashtags(30)} #TAG1`)).toEqual([]);
  expect(check(createHashtags(31))).toEqual([
    'Content: Instagram takes 30 hashtags, and this has 31. Leave out 1.',
  ]);
});

describe('the media of a post', () => {
  test.each(['heic', 'webp', 'svg', 'pdf'])(
    'a file of the type %s causes a warning for Instagram',
    (type) => {
      const check = (platform: Platform, media: string) => checkPost([platform], 'Hi', { media });
      expect(check('INSTAGRAM', `https://example.com/a.${type}`)).toMatchObject({
        stops: [],
        warnings: [
          `Media: Instagram takes JPEG pictures and MP4 or MOV videos. This looks like ${type.toUpperCase()}.`,
        ],
      });
      expect(check('X', `https://example.com/a.${type}`).warnings).toEqual([]);
      for (const fine of ['a.JPG?w=3', 'a.jpeg', 'a.mp4', 'a.mov', 'photo', 'example.com'])
        expect(check('INSTAGRAM', `https://example.com/${fine}`).warnings).toEqual([]);
    },
  );

  test.each([
    ...['http://localhost:5000/uploads/photo.jpg', 'http://127.0.0.1/photo.jpg'],
    ...['https://192.168.1.7/photo.jpg', 'http://[::1]/photo.jpg', 'http://nas.local/photo.jpg'],
  ])('the link %s, which nobody else can open, causes a warning', (media) => {
    expect(checkPost(['FACEBOOK'], 'Hi', { media }).warnings).toEqual([
      'Media: Only your own network can open this link, so the service can’t fetch it. Use a public link.',
    ]);
  });

  test('one message at the media field names all platforms that need media', () => {
    expect(checkPost(['INSTAGRAM', 'X', 'TIKTOK', 'PINTEREST'], 'Hi', { media: '  ' }).stops).toEqual([
      'Media: Instagram, TikTok and Pinterest need media. Add it, or remove Instagram, TikTok and Pinterest.',
    ]);
    expect(checkPost(['YOUTUBE'], 'Hi').stops).toEqual([
      'Media: YouTube needs one video. Add it, or remove YouTube.',
    ]);
  });

  test.each([
    ['https://a.example/b.PNG?w=3', ['Media: YouTube takes exactly one video. This looks like a picture.']],
    [
      'file-17',
      [
        'Media: YouTube takes exactly one video. I can’t check this link.',
        'Media: This isn’t a link. If it isn’t an ID of the service, use a link to the picture or video.',
      ],
    ],
    ['https://a.example/b.mp4#t=3', []],
  ])('YouTube’s check of %j depends on the file extension', (media, expectedWarnings) => {
    const { stops, warnings } = checkPost(['YOUTUBE'], 'Hi', { media });
    expect(stops).toEqual([]);
    expect(warnings.filter((finding) => finding.startsWith('Media'))).toEqual(expectedWarnings);
  });
});

test('a requirement that a post can’t meet is shown as a warning', () => {
  expect(checkPost(['YOUTUBE', 'PINTEREST', 'REDDIT'], 'Hi', { media: VIDEO }).warnings).toEqual([
    'Platforms: YouTube needs a title, which Slack can’t send.',
    'Platforms: Pinterest needs a board, which Slack can’t send.',
    'Platforms: Reddit needs a title and a subreddit, which Slack can’t send.',
  ]);
});

test('a post with a template or prompt gets only warnings, because these may change the post', () => {
  const result = checkPost(['X', 'INSTAGRAM'], 'a'.repeat(281), { hasTemplateOrPrompt: true });
  expect(result.stops).toEqual([]);
  expect(result.warnings).toEqual([
    'Content: X: 1 character too long. The template or prompt may change that.',
    'Media: Instagram needs media. The template or prompt must add it.',
  ]);
  expect(checkPost(['X', 'LINKEDIN'], '', { hasTemplateOrPrompt: true }).warnings).toEqual([]);
});

test('every platform has a rule with its source and the month in which the source was read', () => {
  expect(Object.keys(PLATFORM_RULES).toSorted()).toEqual(PLATFORMS.toSorted());
  for (const { source } of Object.values(PLATFORM_RULES)) expect(source).toMatch(/^https:\S+ \d{4}-\d{2}$/);
});

test('a valid post or a post without platforms has no messages', () => {
  expect(checkPost(['X', 'LINKEDIN', 'FACEBOOK', 'TELEGRAM', 'THREADS'], 'We are live!')).toMatchObject({
    stops: [],
    warnings: [],
  });
  expect(checkPost([], 'a'.repeat(40_000))).toEqual({ stops: [], warnings: [], counts: [] });
});

describe('the length of a text on X', () => {
  test.each([
    ['', 0],
    ['We are live!', 12],
    ['café', 4],
    ['cafe\u0301', 4],
    ['ä\u0308', 2],
    ['日本語', 6],
    ['ｱｲｳ', 6],
    ['한국어', 6],
    ['한국어'.normalize('NFD'), 6],
    ['Привет', 6],
    ['“quoted” – and … more', 22],
    ['€5', 3],
    ['🎉', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🧑‍🔧', 2],
    ['🏳️‍🌈', 2],
    ['🇩🇪🇫🇷', 4],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['1️⃣', 2],
    ['❤️❤', 4],
    ['© 2026', 6],
    ['©️ 2026', 7],
    ['Read https://example.com/a/very/long/path?with=words#and-more now', 32],
    ['example.com', 23],
    ['example.com/path and www.example.co.uk', 51],
    ['HTTPS://EXAMPLE.COM', 23],
    ['(https://example.com/a_(b)).', 26],
    ['日本語example.comです', 33],
    ['https://münchen.de/straße!', 24],
    ['https://t.co/abc-def', 27],
    ['me@example.com', 14],
    ['@example.com', 12],
    ['example.notatld', 15],
    ['readme.md', 23],
    ['1.5 and e.g. this', 17],
    ['-example.com', 12],
  ])('the text %j counts as %i characters on X', (text, count) => {
    expect(countForX(text)).toBe(count);
  });

  test('a text of 40,000 characters is counted fast enough for a live form', () => {
    const fragments = [
      ...['letters ', '日本。', '🧑‍🔧', 'a.', 'see example.com/a ', 'a.com/((', 'рф.', '@a_-', 'e\u0301'],
    ];
    for (const fragment of fragments) {
      const text = fragment.repeat(40_000 / fragment.length);
      // Measured: at most 10 ms. A quadratic algorithm takes seconds.
      expect(
        measureCpuMs(() => countForX(text)),
        `40,000 of ${JSON.stringify(fragment)}, ms`,
      ).toBeLessThan(200);
    }
  });
});

describe('links on X', () => {
  const listLinks = (text: string) => findLinks(text).map(({ start, end }) => text.slice(start, end));

  test.each([
    ['See https://example.com/a, then http://b.org.', ['https://example.com/a', 'http://b.org']],
    ['foo.com日本bar.org/x', ['foo.com', 'bar.org/x']],
    ['"example.com"', ['example.com']],
    ['http://example.com:8080/?q=1&r=2', ['http://example.com:8080/?q=1&r=2']],
    ['example.com:8080', ['example.com']],
    ['https://xn--p1ai.xn--p1ai', ['https://xn--p1ai.xn--p1ai']],
    ['http://пример.рф/путь', ['http://пример.рф/путь']],
    ['http://under_score.example.com http://un_der.com', ['http://under_score.example.com']],
    ['http://-no.com http://no', []],
    [`https://example.com/${'a'.repeat(4080)}`, []],
    [`https://${'a'.repeat(64)}.com`, []],
    ['$example.com #example.com', []],
    ['a..com', []],
  ])('X finds links in %j', (text, links) => {
    expect(listLinks(text)).toEqual(links);
  });
});
