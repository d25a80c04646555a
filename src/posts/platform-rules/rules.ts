import type { Platform } from '../../api/platforms.ts';

/** How a platform counts a text; `characters` are UTF-16 units, which are never fewer than code points. */
type Counting = 'weighted' | 'characters' | 'bytes';

interface PlatformRule {
  counted: Counting;
  /** More is refused for certain. */
  limit: number;
  /** Instead of `limit` where the post has media. */
  limitWithMedia?: number;
  /** Sources disagree whether more than this is taken. */
  disputedFrom?: number;
  refusedSigns?: readonly string[];
  media: 'optional' | 'required' | 'one video';
  /** Sources disagree whether more are taken. */
  disputedHashtags?: { most: number; since: string };
  /** Different ones; more are refused for certain. */
  mostLinks?: number;
  /** What the platform asks for and a post of the service has no field for. */
  alsoNeeds?: string;
  refusesRepeats?: true;
  source: { page: string; read: `${number}-${number}` };
}

/** What each platform takes, as far as it can be judged from a text and one media reference. */
export const PLATFORM_RULES: Readonly<Record<Platform, PlatformRule>> = {
  X: {
    // Longer posts are for paying accounts only, and nothing says here whether this is one.
    counted: 'weighted',
    limit: 280,
    media: 'optional',
    source: { page: 'https://docs.x.com/fundamentals/counting-characters', read: '2026-11' },
  },
  THREADS: {
    // 498 characters that took 504 bytes were refused.
    counted: 'bytes',
    limit: 500,
    media: 'optional',
    // Refused with THREADS_API__LINK_LIMIT_EXCEEDED since 22 December 2025.
    mostLinks: 5,
    source: { page: 'https://developers.facebook.com/documentation/threads/overview', read: '2026-11' },
  },
  INSTAGRAM: {
    counted: 'characters',
    limit: 2200,
    media: 'required',
    // It was 30 before.
    disputedHashtags: { most: 5, since: 'December 2025' },
    source: {
      page: 'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
      read: '2026-11',
    },
  },
  FACEBOOK: {
    counted: 'characters',
    limit: 63_206,
    media: 'optional',
    source: {
      page: 'https://www.ayrshare.com/docs/help-center/technical-support/character_limits',
      read: '2026-11',
    },
  },
  LINKEDIN: {
    counted: 'characters',
    limit: 3000,
    media: 'optional',
    refusesRepeats: true,
    source: { page: 'https://www.ayrshare.com/docs/apis/post/social-networks/linkedin', read: '2026-11' },
  },
  YOUTUBE: {
    counted: 'bytes',
    limit: 5000,
    refusedSigns: ['<', '>'],
    media: 'one video',
    alsoNeeds: 'a title',
    source: {
      page: 'https://developers.google.com/youtube/v3/docs/videos#snippet.description',
      read: '2026-11',
    },
  },
  TIKTOK: {
    // A video or up to 35 photos.
    counted: 'characters',
    limit: 2200,
    media: 'required',
    source: {
      page: 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post',
      read: '2026-11',
    },
  },
  PINTEREST: {
    counted: 'characters',
    limit: 800,
    disputedFrom: 500,
    media: 'required',
    alsoNeeds: 'a board',
    source: { page: 'https://developers.pinterest.com/docs/api/v5/pins-create', read: '2026-11' },
  },
  REDDIT: {
    counted: 'characters',
    limit: 40_000,
    disputedFrom: 10_000,
    media: 'optional',
    alsoNeeds: 'a title and a subreddit',
    source: { page: 'https://docs.relayapi.dev/platforms/reddit', read: '2026-11' },
  },
  TELEGRAM: {
    counted: 'characters',
    limit: 4096,
    limitWithMedia: 1024,
    media: 'optional',
    source: { page: 'https://core.telegram.org/bots/api#sendmessage', read: '2026-11' },
  },
};
