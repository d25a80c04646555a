import { readMrkdwn } from 'slack-workspace-emulator/test-support/read-mrkdwn';
import { describe, expect, test } from 'vitest';
import { renderPlatformNames } from '../../src/posts/platforms.ts';
import { findCardText, renderPostCard, renderPostRow } from '../../src/posts/post-card.ts';
import { listPostDifferences, renderPostDifference } from '../../src/posts/post-changes.ts';
import type { CardPost } from '../../src/posts/post-text.ts';
import {
  renderMomentInActorZone,
  renderPostTime,
  renderShortTime,
  shiftTime,
  type Viewers,
} from '../../src/posts/post-time.ts';

const now = new Date('2026-11-20T12:00:00Z');
const renderCard = (post: Partial<CardPost>, project = 'Harbour Coffee') =>
  renderPostCard({ title: 'Up next', post: { platforms: [], ...post }, project, now, viewers: {} });

const scheduleDate = new Date('2026-12-01T08:00:00Z');

describe('the card of a post', () => {
  test('the plain text of a post’s card has the project and date', () => {
    const { text } = renderCard({ content: 'Hello', scheduleDate, timezone: 'Europe/Berlin' });
    expect(text).toBe('Up next: Tue 1 Dec, 09:00 (Berlin), Harbour Coffee. Hello');
  });

  test('the card of a post has no live markup from people or the service', () => {
    const markup = '<!channel> <@U1> <http://evil|good> *b*';
    const { text, blocks } = renderCard(
      {
        content: markup,
        media: markup,
        templateId: markup,
        promptId: markup,
        timezone: markup,
        scheduleDate,
        platforms: [markup],
      },
      markup,
    );
    expect(text).not.toMatch(/<(?!date)/);
    const mrkdwn = JSON.stringify(blocks).match(/\{"type":"mrkdwn"[^}]*\}/g) ?? [];
    expect(mrkdwn.length).toBeGreaterThan(0);
    expect(mrkdwn.join()).not.toMatch(/<(?!date)/);
  });

  test.each(['', ' ', '🧑‍🔧'.repeat(2000), 'x'.repeat(40_000), '\ud800', '\u0000'])(
    'the card of a post is rendered for any text: %.10j',
    (content) => {
      const { blocks, text } = renderCard({ content });
      expect(blocks.length).toBeGreaterThan(1);
      expect(JSON.stringify(blocks).length).toBeLessThan(10_000);
      expect(text.isWellFormed()).toBe(true);
    },
  );
});

test('platforms are shown with their usual names', () => {
  expect(renderPlatformNames(['X', 'LINKEDIN', 'MYSPACE'])).toBe('X, LinkedIn and MYSPACE');
  expect(renderPlatformNames([])).toBe('');
});

test('the time in the reader’s zone is shown only if it differs from the time in the post’s zone', () => {
  expect(renderMomentInActorZone(scheduleDate, 'Europe/Berlin', { zone: 'America/New_York', now })).toBe(
    'Tue 1 Dec, 03:00 (New York)',
  );
  expect(
    renderMomentInActorZone(scheduleDate, 'Europe/Berlin', { zone: 'Europe/Paris', now }),
  ).toBeUndefined();
  expect(renderMomentInActorZone(scheduleDate, 'Europe/Berlin', { zone: undefined, now })).toBeUndefined();
});

test('a row is one block with the time, the facts and the beginning of the text', () => {
  const post = {
    content: '> *Two* for_two :one: `today` _too_ ~x~',
    scheduleDate,
    timezone: 'Europe/Berlin',
    platforms: ['LINKEDIN'],
    status: 'SCHEDULED',
  };
  const viewers = { zone: 'Europe/Lisbon' };
  const row = { post, now, viewers, project: 'Harbour Coffee', author: { id: 'U1' } };
  const [facts, text = ''] = renderPostRow(row).text?.text.split('\n') ?? [];
  expect(facts).toBe(
    '*Tue 1 Dec, 08:00* (09:00 Berlin) · 🗓️ Scheduled · Harbour Coffee · LinkedIn · by <@U1>',
  );
  // Slack formats no text of people.
  expect(text).toBe('› ∗Two∗ for_two ∶one: ˋtodayˋ ˍtooˍ ∼x∼');
  expect(readMrkdwn(text).map(({ type }) => type)).toEqual(['text']);
  const heading = { day: 'Tue 1 Dec', status: 'SCHEDULED' };
  expect(renderPostRow({ ...row, heading }).text?.text).toMatch(
    /^\*08:00\* \(09:00 Berlin\) · Harbour Coffee · L/,
  );
});

describe('the time of a post', () => {
  const renderTime = (viewers: Viewers, zone: string | undefined = 'Europe/Berlin') =>
    renderPostTime({ instant: scheduleDate, zone }, viewers, now);

  test('both times are in the 12-hour or 24-hour format of the viewer’s locale', () => {
    expect(renderTime({ zone: 'America/New_York', locale: 'en-US' }).plain).toBe(
      'Tue 1 Dec, 3:00 AM (9:00 AM Berlin)',
    );
    expect(renderTime({ zone: 'America/New_York', locale: 'not a locale' }).clock).toBe('03:00');
  });

  test('one reader has one format: the day is in the language of forms, and everyone’s has weekday and zone', () => {
    const viewer = { zone: 'Europe/Berlin', locale: 'de-DE' };
    expect(renderTime(viewer)).toMatchObject({ plain: 'Di., 1. Dez., 09:00', day: 'Di., 1. Dez.' });
    expect(renderShortTime({ instant: scheduleDate, zone: undefined }, viewer, scheduleDate)).toBe(
      'Di. 09:00',
    );
    expect(renderTime('everyone').mrkdwn).toContain('^{date_long}, {time} your time|');
  });

  test('the viewer’s time comes first, and the time in the post’s zone follows if it differs', () => {
    expect(renderTime({ zone: 'Europe/Lisbon' }).plain).toBe('Tue 1 Dec, 08:00 (09:00 Berlin)');
    expect(renderTime({ zone: 'Europe/Paris' }).plain).toBe('Tue 1 Dec, 09:00');
    expect(renderTime({ zone: 'Pacific/Honolulu' }).plain).toBe(
      'Mon 30 Nov, 22:00 (Tue 1 Dec, 09:00 Berlin)',
    );
  });

  test('if a clock change repeats the viewer’s time, the time has its offset', () => {
    const instant = new Date('2026-10-25T01:30:00Z');
    expect(renderPostTime({ instant, zone: undefined }, { zone: 'Europe/Berlin' }, now).plain).toBe(
      'Sun 25 Oct, 02:30 (Berlin, UTC+01:00)',
    );
  });

  test('in a message for several people, Slack shows each of them their own time', () => {
    const { mrkdwn } = renderTime('everyone');
    expect(mrkdwn).toMatch(/^<!date\^1796112000\^[^|]+\|Tue 1 Dec, 09:00 \(Berlin\)>$/);
  });

  test('without a zone of the viewer or the post, the time has the zone that is known', () => {
    expect(renderTime({}).plain).toBe('Tue 1 Dec, 09:00 (Berlin)');
    expect(renderTime({ zone: 'Europe/Lisbon' }, 'Nowhere').plain).toBe('Tue 1 Dec, 08:00');
    expect(renderTime({}, 'Nowhere').plain).toBe('Tue 1 Dec, 08:00 (UTC)');
  });
});

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
  expect(details).toMatchObject({ accessory: { type: 'image', image_url: ADDRESS, alt_text: 'Picture' } });
});

test('the address of a picture from Slack, which the card shows, isn’t written out', () => {
  expect(JSON.stringify(render({}))).toContain('"Media: JPEG picture"');
});

test.each([
  ADDRESS.replace('.jpg', '.mp4'),
  'https://example.com/photo.jpg',
  ADDRESS.replace('/media/', '/photos/'),
  ADDRESS.replace('/media/', '/media/photos/'),
])('the address %s is written out', (media) => {
  expect(JSON.stringify(render({ media }))).toContain(`"Media: ${media}"`);
});

test('the text of a post is found on its card, without the texts of single platforms and what the card says besides', () => {
  const ownTexts = [{ platforms: ['LINKEDIN'], text: 'Good morning' }];
  const { blocks } = renderCard({ content: 'Hello', platforms: ['X', 'LINKEDIN'], ownTexts });
  expect(findCardText(blocks)).toEqual([
    expect.objectContaining({ text: expect.objectContaining({ text: 'Hello' }) }),
  ]);
});

test('a card without a text is a card too', () => {
  const { blocks } = renderCard({ media: ADDRESS, platforms: ['X'] });
  expect(findCardText(blocks)).toEqual([]);
});

test('a name and a status of the service are no formatting on a card', () => {
  const author = { id: 'U1', name: '*Ana* ~_`' };
  const { blocks } = renderPostCard({
    ...{ title: 'Approved by *Ana* _x_', emoji: '✏️', project: '_Shop_', post: { platforms: ['X'] } },
    ...{ now, viewers: 'everyone', author },
  });
  const texts =
    JSON.stringify(blocks)
      .match(/"type":"mrkdwn","text":"[^"]*"/gu)
      ?.join('\n') ?? '';
  expect(texts).toContain('*Approved by ∗Ana∗ ˍxˍ* · *No date*');
  expect(texts).toContain('X · ˍShopˍ · by ∗Ana∗ ∼ˍˋ');
});

test('a message of another app that looks like a card is no card', () => {
  const text = (type: string, shown: string) => ({ type: 'section', text: { type, text: shown } });
  expect(findCardText([text('mrkdwn', '✏️ *Editable* · *Mon*'), text('plain_text', 'Hello')])).toBeUndefined();
});

const post = {
  content: 'Hello',
  platforms: ['X'],
  status: 'SCHEDULED',
  scheduleDate: new Date('2026-12-01T08:00:00Z'),
  timezone: 'Europe/Berlin',
};

const list = (after: object) =>
  listPostDifferences(post, { ...post, ...after }, { viewers: { zone: 'Europe/Berlin' }, now }).map(
    renderPostDifference,
  );

test('equal versions have no difference', () => {
  expect(list({})).toEqual([]);
});

test('the same platforms in another order are no difference, and each version names them in the same order', () => {
  const both = { ...post, platforms: ['LINKEDIN', 'X'] };
  const compare = (platforms: string[]) =>
    listPostDifferences(both, { ...both, platforms }, { viewers: {}, now }).map(renderPostDifference);
  expect(compare(['X', 'LINKEDIN'])).toEqual([]);
  expect(compare(['X', 'LINKEDIN', 'THREADS'])).toEqual([
    'Platforms: X and LinkedIn → X, LinkedIn and Threads',
  ]);
});

test('each changed field is named with its value before and after', () => {
  expect(
    list({
      content: 'Hello\nworld',
      platforms: ['X', 'LINKEDIN'],
      scheduleDate: new Date('2026-12-02T08:00:00Z'),
      media: 'https://example.com/a.png',
      status: 'DRAFT',
    }),
  ).toEqual([
    'Text: “Hello” → “Hello world”',
    'Time: Tue 1 Dec, 09:00 → Wed 2 Dec, 09:00',
    'Platforms: X → X and LinkedIn',
    'Media: none → “https://example.com/a.png”',
    'Status: scheduled → draft',
  ]);
});

test('a long text is cut off', () => {
  const [line = ''] = list({ content: 'x'.repeat(40_000) });
  expect(line.length).toBeLessThan(200);
});

test('a change far into a long text is quoted from shortly before it', () => {
  const beginning = 'word '.repeat(100);
  const [difference] = listPostDifferences(
    { ...post, content: `${beginning}at nine` },
    { ...post, content: `${beginning}at ten` },
    { viewers: {}, now },
  );
  expect(difference?.before).toMatch(/^“….{0,40}at nine”$/);
  expect(difference?.after).toMatch(/^“….{0,40}at ten”$/);
});

describe('a moved post', () => {
  const move = (time: string, days: number, minutes: number, months = 0) =>
    shiftTime(new Date(time), 'Europe/Berlin', { months, days, minutes }).toISOString();

  test('keeps its time on the clock if it is moved by days, also when the clock changes', () => {
    expect(move('2026-10-24T07:00:00Z', 1, 0)).toBe('2026-10-25T08:00:00.000Z');
  });

  test('is moved by exactly so many hours', () => {
    expect(move('2026-10-24T22:00:00Z', 0, 240)).toBe('2026-10-25T02:00:00.000Z');
  });

  test('stays in the month that is meant, though it is shorter', () => {
    expect(move('2027-01-31T08:00:00Z', 0, 0, 1)).toBe('2027-02-28T08:00:00.000Z');
    expect(move('2027-03-28T07:00:00Z', 0, 0, -1)).toBe('2027-02-28T08:00:00.000Z');
  });

  test('is moved to after the gap if its time doesn’t exist', () => {
    expect(move('2026-03-28T01:30:00Z', 1, 0)).toBe('2026-03-29T01:30:00.000Z');
  });
});
