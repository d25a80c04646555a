import { isForbiddenAddress, isPrivateName } from '../api/address-rules.ts';

/** Removes the angle brackets of a link, which Slack and mail programs add: "<https://example.com/a.jpg|a>". */
export function unwrapMedia(text: string): string {
  return /^\s*<\s*([^<>|]+?)\s*(?:\|[^<>]*)?>\s*$/.exec(text)?.[1] ?? text;
}

/** Whether a reference is the path of a file on somebody's computer, which no service can read. */
export function isLocalPath(media: string): boolean {
  return /^(?:[a-z]:[\\/]|\\\\|~[\\/]|\/(?:Users|home|Volumes|mnt|tmp|var)\/)/i.test(media);
}

/** Whether a link leads into a private network or to the reader's own computer, so that a service can't fetch it. */
export function isPrivateLink(media: string): boolean {
  const url = /^https?:/i.test(media) ? URL.parse(media) : null;
  if (!url) return false;
  return isForbiddenAddress(url.hostname, false) || isPrivateName(url.hostname.replace(/\.$/, ''));
}
