import type { Platform } from '../../api/platforms.ts';
import { HOUR_MS, MINUTE_MS } from '../../durations.ts';
import type { MediaType } from '../media-reference.ts';

/** A problem of a post on some platforms, in the given field, and what to do about it. Plain text for people. */
export interface Finding {
  platforms: readonly Platform[];
  field: 'Content' | 'Media' | 'Platforms';
  problem: string;
  advice?: string;
}

export interface Findings {
  /** Findings for which a platform certainly refuses the post. */
  stops: Finding[];
  /** Findings for which a platform may refuse the post: sources disagree, or there isn't enough information. */
  warnings: Finding[];
}

/** The page that documents a rule, and the month in which it was read. */
type Source = `https://${string} ${number}-${number}`;

const MB = 1024 * 1024;
const SECOND_MS = 1_000;

/** What a platform takes of one kind of file. A limit is absent if the source has none. */
export interface MediaLimits {
  /** The types that the platform takes, in words. */
  text: string;
  types: readonly MediaType[];
  maxBytes?: number;
  /** Replaces `maxBytes` for an animated picture. */
  maxAnimatedBytes?: number;
  maxPixels?: number;
  minDurationMs?: number;
  maxDurationMs?: number;
  /** The width divided by the height. `disputedMin`: sources disagree about narrower shapes down to this one. */
  aspect?: { min: number; max: number; text: string; disputedMin?: number };
}

/** What a platform certainly refuses a text for, besides its length. Each rule has its check in platform-rules.ts. */
export interface TextRules {
  refusedCharacters?: readonly string[];
  /** Different links that begin with "https://", "http://" or "www.". */
  maxLinks?: number;
  maxHashtags?: number;
  maxMentions?: number;
}

/** What a platform may refuse a text for: sources disagree. */
export interface DisputedTextRules {
  /** Longer text. `unit` if it isn't the platform's own. */
  disputedLimit?: { max: number; unit?: CountingUnit };
  /** More links, if also names such as "menu.zip" are links, whose ending is a domain's. */
  disputedLinks?: number;
  /** More hashtags. */
  disputedHashtags?: { max: number; since: string };
}

/**
 * The unit in which a platform counts text. `characters` are UTF-16 units, never fewer than code points. `emoji-bytes`:
 * these, and an emoji counts as its bytes.
 */
export type CountingUnit = 'weighted' | 'characters' | 'bytes' | 'emoji-bytes';

interface PlatformRule extends TextRules, DisputedTextRules {
  countingUnit: CountingUnit;
  /** The platform certainly refuses longer text. */
  limit: number;
  /** Replaces `limit` if the account pays. */
  limitOfPaidAccount?: number;
  /** Replaces `limit` if the post has media. */
  limitWithMedia?: number;
  /** Replaces `limit` if the media is known to be a video. */
  limitWithVideo?: number;
  media: 'optional' | 'required' | 'one video';
  /** The files that the platform takes, in words, and their extensions. Absent if no source is clear. */
  formats?: { text: string; extensions: readonly string[]; source: Source };
  /** The limits of a file that Upnext has read, by its kind. The service may convert a file that breaks them. */
  files?: { picture?: MediaLimits; video?: MediaLimits; source: Source };
  /** Whether people can get a description of a picture instead of seeing it. */
  showsAltText?: true;
  /** Whether a post with media needs a text too. */
  needsText?: true;
  /** A requirement of the platform that can't be met, because the service's posts have no field for it. */
  unmetRequirement?: string;
  /** How soon the platform may refuse the same text again. `isCertain`: however late. */
  refusesRepeats?: { withinMs: number; isCertain: boolean };
  source: Source;
  /** Whether people can click a link in the text. */
  hasClickableLinks: boolean;
  /**
   * How many characters a phone's feed shows before “…see more”. Phones cut earlier than desktops. No platform documents
   * the length, which also depends on the screen and the line breaks. Absent if the feed shows the whole text, or if no
   * source gives a length.
   */
  fold?: { length: number; source: Source };
}

/** Two posts of a project on one platform that are closer compete with each other. Our own advice, not a limit. */
export const MIN_POST_GAP_MS = 30 * MINUTE_MS;

/** After this time X takes a text again. It answers 403 to one that equals a recent one, and documents no time. */
const X_REPEATS_MS = 30 * HOUR_MS;
/** How far around a post others with the same text are looked for. LinkedIn refuses them however late. */
export const REPEAT_SEARCH_MS = X_REPEATS_MS;

const ALL_PICTURES = {
  text: 'JPEG, PNG, GIF and WebP pictures',
  types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
} as const;
const MP4_AND_MOV = { text: 'MP4 and MOV videos', types: ['video/mp4', 'video/quicktime'] } as const;
const INSTAGRAM_MEDIA =
  'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media 2026-11';

/** Platform rules that can be checked with a text and one media reference. */
export const PLATFORM_RULES: Readonly<Record<Platform, PlatformRule>> = {
  X: {
    countingUnit: 'weighted',
    limit: 280,
    // https://publer.com/docs/posting/create-posts/content-types/platform-specific-formats/twitter-x-long-form-posts 2026-11
    limitOfPaidAccount: 25_000,
    media: 'optional',
    showsAltText: true,
    files: {
      picture: { ...ALL_PICTURES, maxBytes: 5 * MB, maxAnimatedBytes: 15 * MB },
      video: {
        ...MP4_AND_MOV,
        maxBytes: 512 * MB,
        minDurationMs: 0.5 * SECOND_MS,
        maxDurationMs: 140 * SECOND_MS,
        aspect: { min: 1 / 3, max: 3, text: '1:3 to 3:1' },
      },
      source: 'https://docs.x.com/x-api/media/quickstart/best-practices 2026-11',
    },
    refusesRepeats: { withinMs: X_REPEATS_MS, isCertain: false },
    source: 'https://docs.x.com/fundamentals/counting-characters 2026-11',
    hasClickableLinks: true,
  },
  THREADS: {
    // Its documentation counts characters, and only emoji in bytes. Yet it refused a text of 498 characters and 504 bytes.
    countingUnit: 'emoji-bytes',
    limit: 500,
    disputedLimit: { max: 500, unit: 'bytes' },
    media: 'optional',
    showsAltText: true,
    files: {
      picture: {
        text: 'JPEG and PNG pictures',
        types: ['image/jpeg', 'image/png'],
        maxBytes: 8 * MB,
        aspect: { min: 1 / 10, max: 10, text: '1:10 to 10:1' },
      },
      video: { ...MP4_AND_MOV, maxBytes: 1024 * MB, maxDurationMs: 5 * MINUTE_MS },
      source: 'https://www.ayrshare.com/docs/media-guidelines/threads 2026-11',
    },
    formats: {
      text: 'JPEG or PNG pictures and MP4 or MOV videos',
      extensions: ['jpg', 'jpeg', 'png', 'mp4', 'mov'],
      source: 'https://www.ayrshare.com/docs/media-guidelines/threads 2026-11',
    },
    // Since 22 December 2025, Threads refuses more links with THREADS_API__LINK_LIMIT_EXCEEDED.
    maxLinks: 5,
    disputedLinks: 5,
    source: 'https://developers.facebook.com/documentation/threads/posts 2026-11',
    hasClickableLinks: true,
    fold: { length: 250, source: 'https://posttruncate.com/en/platform-limits/ 2026-11' },
  },
  INSTAGRAM: {
    countingUnit: 'characters',
    limit: 2200,
    media: 'required',
    showsAltText: true,
    files: {
      picture: {
        text: 'JPEG pictures',
        types: ['image/jpeg'],
        maxBytes: 8 * MB,
        // As tall as a phone's screen: https://www.ayrshare.com/docs/media-guidelines/instagram 2026-11
        aspect: { min: 4 / 5, max: 1.91, text: '4:5 to 1.91:1', disputedMin: 9 / 16 },
      },
      video: {
        ...MP4_AND_MOV,
        maxBytes: 300 * MB,
        minDurationMs: 3 * SECOND_MS,
        maxDurationMs: 15 * MINUTE_MS,
      },
      source: INSTAGRAM_MEDIA,
    },
    formats: {
      text: 'JPEG pictures and MP4 or MOV videos',
      extensions: ['jpg', 'jpeg', 'mp4', 'mov'],
      source: INSTAGRAM_MEDIA,
    },
    maxHashtags: 30,
    maxMentions: 20,
    disputedHashtags: { max: 5, since: 'December 2025' },
    source: INSTAGRAM_MEDIA,
    hasClickableLinks: false,
    fold: { length: 125, source: 'https://socialk.it/en/tools/social-media-character-limits 2026-11' },
  },
  FACEBOOK: {
    countingUnit: 'characters',
    limit: 63_206,
    media: 'optional',
    showsAltText: true,
    source: 'https://www.ayrshare.com/docs/help-center/technical-support/character_limits 2026-11',
    hasClickableLinks: true,
    fold: { length: 125, source: 'https://socialk.it/en/tools/social-media-character-limits 2026-11' },
  },
  LINKEDIN: {
    countingUnit: 'characters',
    limit: 3000,
    media: 'optional',
    showsAltText: true,
    files: {
      picture: {
        text: 'JPEG, PNG and GIF pictures',
        types: ['image/jpeg', 'image/png', 'image/gif'],
        maxBytes: 5 * MB,
        maxPixels: 36_152_320,
      },
      video: {
        text: 'MP4 videos',
        types: ['video/mp4'],
        maxBytes: 500 * MB,
        minDurationMs: 3 * SECOND_MS,
        maxDurationMs: 30 * MINUTE_MS,
        aspect: { min: 1 / 2.4, max: 2.4, text: '1:2.4 to 2.4:1' },
      },
      source: 'https://www.ayrshare.com/docs/media-guidelines/linkedin 2026-11',
    },
    refusesRepeats: { withinMs: Number.POSITIVE_INFINITY, isCertain: true },
    source: 'https://www.ayrshare.com/docs/apis/post/social-networks/linkedin 2026-11',
    hasClickableLinks: true,
    fold: { length: 140, source: 'https://posttruncate.com/en/platform-limits/ 2026-11' },
  },
  YOUTUBE: {
    countingUnit: 'bytes',
    limit: 5000,
    refusedCharacters: ['<', '>'],
    media: 'one video',
    unmetRequirement: 'a title',
    source: 'https://developers.google.com/youtube/v3/docs/videos#snippet.description 2026-11',
    hasClickableLinks: true,
    fold: { length: 100, source: 'https://videodescriptions.com/how-to-write-youtube-description/ 2026-11' },
  },
  TIKTOK: {
    // TikTok requires a video or up to 35 photos. The caption of a photo may have 4,000 characters and its title 90, and
    // which of them the service fills isn't documented.
    countingUnit: 'characters',
    limit: 4000,
    limitWithVideo: 2200,
    disputedLimit: { max: 2200 },
    media: 'required',
    files: {
      picture: { text: 'JPEG and WebP pictures', types: ['image/jpeg', 'image/webp'], maxBytes: 20 * MB },
      video: { ...MP4_AND_MOV, minDurationMs: 3 * SECOND_MS, maxDurationMs: 10 * MINUTE_MS },
      source: 'https://www.ayrshare.com/docs/media-guidelines/tiktok 2026-11',
    },
    source: 'https://developers.tiktok.com/doc/content-posting-api-reference-photo-post 2026-11',
    hasClickableLinks: false,
    fold: { length: 150, source: 'https://toolshake.xyz/tool/caption-character-counter/ 2026-11' },
  },
  PINTEREST: {
    countingUnit: 'characters',
    limit: 800,
    disputedLimit: { max: 500 },
    media: 'required',
    showsAltText: true,
    files: {
      picture: { ...ALL_PICTURES, maxBytes: 20 * MB },
      video: { ...MP4_AND_MOV, minDurationMs: 4 * SECOND_MS, maxDurationMs: 15 * MINUTE_MS },
      source: 'https://www.ayrshare.com/docs/media-guidelines/pinterest 2026-11',
    },
    unmetRequirement: 'a board',
    source: 'https://developers.pinterest.com/docs/api/v5/pins-create 2026-11',
    hasClickableLinks: false,
    fold: { length: 50, source: 'https://bulkpublish.com/blog/pinterest-character-limit/ 2026-11' },
  },
  REDDIT: {
    countingUnit: 'characters',
    limit: 40_000,
    disputedLimit: { max: 10_000 },
    media: 'optional',
    needsText: true,
    unmetRequirement: 'a title and a subreddit',
    source: 'https://docs.relayapi.dev/platforms/reddit 2026-11',
    hasClickableLinks: true,
  },
  TELEGRAM: {
    countingUnit: 'characters',
    limit: 4096,
    limitWithMedia: 1024,
    media: 'optional',
    files: {
      picture: { ...ALL_PICTURES, maxBytes: 10 * MB, aspect: { min: 1 / 20, max: 20, text: '1:20 to 20:1' } },
      video: { text: 'MP4 videos', types: ['video/mp4'], maxBytes: 50 * MB },
      source: 'https://core.telegram.org/bots/api#sendphoto 2026-11',
    },
    source: 'https://core.telegram.org/bots/api#sendmessage 2026-11',
    hasClickableLinks: true,
  },
};
