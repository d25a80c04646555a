import type { Platform } from '../../api/platforms.ts';

/** How a platform counts text. `characters`: UTF-16 units, which are never fewer than code points. */
type CountingUnit = 'weighted' | 'characters' | 'bytes';

interface PlatformRule {
  countedIn: CountingUnit;
  /** Longer text is certainly refused. */
  limit: number;
  /** Replaces `limit` if the post has media. */
  limitWithMedia?: number;
  /** Sources disagree whether longer text is accepted. */
  disputedFrom?: number;
  refusedCharacters?: readonly string[];
  media: 'optional' | 'required' | 'one video';
  /** Sources disagree whether more hashtags are accepted. */
  disputedHashtags?: { max: number; since: string };
  /** Number of different links; more are certainly refused. */
  maxLinks?: number;
  /** A requirement of the platform for which the service's posts have no field. */
  alsoNeeds?: string;
  refusesRepeats?: true;
  source: { page: string; read: `${number}-${number}` };
}

/** The rules that can be checked with a text and one media reference. */
export const PLATFORM_RULES: Readonly<Record<Platform, PlatformRule>> = {
  X: {
    // Paying accounts may post longer texts, but the service doesn't say whether an account pays.
    countedIn: 'weighted',
    limit: 280,
    media: 'optional',
    source: { page: 'https://docs.x.com/fundamentals/counting-characters', read: '2026-11' },
  },
  THREADS: {
    // Counts bytes: a text of 498 characters and 504 bytes was refused.
    countedIn: 'bytes',
    limit: 500,
    media: 'optional',
    // Refused with THREADS_API__LINK_LIMIT_EXCEEDED since 22 December 2025.
    maxLinks: 5,
    source: { page: 'https://developers.facebook.com/documentation/threads/overview', read: '2026-11' },
  },
  INSTAGRAM: {
    countedIn: 'characters',
    limit: 2200,
    media: 'required',
    // The limit was 30 before.
    disputedHashtags: { max: 5, since: 'December 2025' },
    source: {
      page: 'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
      read: '2026-11',
    },
  },
  FACEBOOK: {
    countedIn: 'characters',
    limit: 63_206,
    media: 'optional',
    source: {
      page: 'https://www.ayrshare.com/docs/help-center/technical-support/character_limits',
      read: '2026-11',
    },
  },
  LINKEDIN: {
    countedIn: 'characters',
    limit: 3000,
    media: 'optional',
    refusesRepeats: true,
    source: { page: 'https://www.ayrshare.com/docs/apis/post/social-networks/linkedin', read: '2026-11' },
  },
  YOUTUBE: {
    countedIn: 'bytes',
    limit: 5000,
    refusedCharacters: ['<', '>'],
    media: 'one video',
    alsoNeeds: 'a title',
    source: {
      page: 'https://developers.google.com/youtube/v3/docs/videos#snippet.description',
      read: '2026-11',
    },
  },
  TIKTOK: {
    // A video or up to 35 photos.
    countedIn: 'characters',
    limit: 2200,
    media: 'required',
    source: {
      page: 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post',
      read: '2026-11',
    },
  },
  PINTEREST: {
    countedIn: 'characters',
    limit: 800,
    disputedFrom: 500,
    media: 'required',
    alsoNeeds: 'a board',
    source: { page: 'https://developers.pinterest.com/docs/api/v5/pins-create', read: '2026-11' },
  },
  REDDIT: {
    countedIn: 'characters',
    limit: 40_000,
    disputedFrom: 10_000,
    media: 'optional',
    alsoNeeds: 'a title and a subreddit',
    source: { page: 'https://docs.relayapi.dev/platforms/reddit', read: '2026-11' },
  },
  TELEGRAM: {
    countedIn: 'characters',
    limit: 4096,
    limitWithMedia: 1024,
    media: 'optional',
    source: { page: 'https://core.telegram.org/bots/api#sendmessage', read: '2026-11' },
  },
};
