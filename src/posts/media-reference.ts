import { isForbiddenAddress, isPrivateName } from '../api/address-rules.ts';

/** Removes the angle brackets of a link, which Slack and mail programs add: "<https://example.com/a.jpg|a>". */
export function unwrapMedia(text: string): string {
  return /^\s*<\s*([^<>|]+?)\s*(?:\|[^<>]*)?>\s*$/.exec(text)?.[1] ?? text;
}

/** Whether a reference is the path of a file on somebody's computer, which no service can read. */
function isLocalPath(media: string): boolean {
  return /^(?:[a-z]:[\\/]|\\\\|~[\\/]|\/(?:Users|home|Volumes|mnt|tmp|var)\/)/i.test(media);
}

/** Whether a link leads into a private network or to the reader's own computer, so that a service can't fetch it. */
export function isPrivateLink(media: string): boolean {
  const url = /^https?:/i.test(media) ? URL.parse(media) : null;
  if (!url) return false;
  return isForbiddenAddress(url.hostname, false) || isPrivateName(url.hostname.replace(/\.$/, ''));
}

/** URL schemes that can run code or read local data. Addresses with other schemes are sent to the service unchanged. */
const DANGEROUS_SCHEMES = [
  'javascript',
  'data',
  'file',
  'vbscript',
  'blob',
  'filesystem',
  'about',
  'view-source',
];

/** Says what is wrong with a media reference, and what to enter (plain text). Undefined if it can be one, or is empty. */
export function findMediaProblem(media: string): string | undefined {
  // Browsers ignore whitespace and control characters in a scheme, so the check removes them first.
  const [scheme, ...otherParts] = media
    .replace(/[\s\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(':');
  const isDangerous = otherParts.length > 0 && scheme !== undefined && DANGEROUS_SCHEMES.includes(scheme);
  if (isDangerous) return `Links that begin with “${scheme}:” aren’t supported. ${MEDIA_EXAMPLE}`;
  if (isLocalPath(media)) return `The service can’t open files on a computer. ${MEDIA_EXAMPLE}`;
  return isMediaReference(media.trim()) ? undefined : MEDIA_EXAMPLE;
}

const MEDIA_EXAMPLE = 'Enter a link to an image or video, such as https://example.com/photo.jpg.';

/**
 * Whether the text can be a media reference. The service doesn't document references, so everything that can be a link
 * or an id is accepted, and only text with several words or an incomplete link is refused.
 */
function isMediaReference(media: string): boolean {
  const isWebAddress = /^https?:/i.test(media);
  return isWebAddress ? URL.canParse(media) : !/\s/u.test(media);
}
