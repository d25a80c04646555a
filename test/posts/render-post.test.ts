import { describe, expect, test } from 'vitest';
import { renderPlatformNames } from '../../src/posts/platforms.ts';
import { type CardPost, renderMomentInActorZone, renderPostCard } from '../../src/posts/render-post.ts';

const now = new Date('2026-11-20T12:00:00Z');
const renderCard = (post: Partial<CardPost>, project = 'Harbour Coffee') =>
  renderPostCard({ title: 'Up next', post: { platforms: [], ...post }, project, now, practice: true });

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
    expect(mrkdwn.join()).not.toMatch(/evil|<!channel|<@/);
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
  expect(renderMomentInActorZone(scheduleDate, 'Europe/Berlin', 'America/New_York', now)).toBe(
    'Tue 1 Dec, 03:00 (New York)',
  );
  expect(renderMomentInActorZone(scheduleDate, 'Europe/Berlin', 'Europe/Paris', now)).toBeUndefined();
  expect(renderMomentInActorZone(scheduleDate, 'Europe/Berlin', undefined, now)).toBeUndefined();
});
