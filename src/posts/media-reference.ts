import { z } from 'zod';
import { isForbiddenAddress, isPrivateName } from '../api/address-rules.ts';
import { clip } from '../words.ts';

/** The files that Upnext takes from Slack. */
export const MEDIA_TYPES = {
  'image/jpeg': { name: 'JPEG', extension: 'jpg', kind: 'picture' },
  'image/png': { name: 'PNG', extension: 'png', kind: 'picture' },
  'image/gif': { name: 'GIF', extension: 'gif', kind: 'picture' },
  'image/webp': { name: 'WebP', extension: 'webp', kind: 'picture' },
  'image/heic': { name: 'HEIC', extension: 'heic', kind: 'picture' },
  'video/mp4': { name: 'MP4', extension: 'mp4', kind: 'video' },
  'video/quicktime': { name: 'MOV', extension: 'mov', kind: 'video' },
} as const;
export type MediaType = keyof typeof MEDIA_TYPES;

/** How many files a post takes: the service's `Media` is one text. */
export const MAX_MEDIA = 1;

/** The endings of these files. */
export const MEDIA_EXTENSIONS = ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic', 'heif', 'mp4', 'm4v', 'mov'];

const MEDIA_FILE_PATH = new RegExp(`^[^:]+\\.(?:${MEDIA_EXTENSIONS.join('|')})$`, 'i');

/** Whether a reference names a file on a computer: "photo.jpg", "images/photo.jpg". An id of the service could, too. */
export function namesFile(media: string): boolean {
  return MEDIA_FILE_PATH.test(media) && !/^(?:\/|\d+(?:\.\d+){3}\/)/.test(media) && !lacksScheme(media);
}

/** What Upnext knows of a file that it has read. */
export const mediaFactsSchema = z.object({
  type: z.custom<MediaType>((type) => typeof type === 'string' && Object.hasOwn(MEDIA_TYPES, type)),
  bytes: z.number(),
  /** As people see the picture, after its rotation. Absent if a video doesn't say. */
  width: z.number().optional(),
  height: z.number().optional(),
  durationMs: z.number().optional(),
  isAnimated: z.boolean(),
  /** Whether the file had data about the place, the time or the camera, which Upnext removed. */
  hadPrivateData: z.boolean(),
});
export type MediaFacts = z.infer<typeof mediaFactsSchema>;

/** The address of a file from Slack, which Upnext serves. Its name is random. */
const FILE_ADDRESS = /^https?:\/\/\S+\/media\/[\w-]{43}\.(\w+)$/;

/** Renders a media reference for people. The address of a file from Slack tells them nothing. */
export function renderMediaReference(media: string): string {
  const [, extension] = FILE_ADDRESS.exec(media) ?? [];
  const type = Object.values(MEDIA_TYPES).find((known) => known.extension === extension);
  return type ? `${type.name} ${type.kind}` : media;
}

/** Removes the angle brackets of a link, which Slack and mail programs add: "<https://example.com/a.jpg|a>". */
export function unwrapMedia(text: string): string {
  const [, address = ''] = /^<([^<>|]+)(?:\|[^<>]*)?>$/.exec(text.trim()) ?? [];
  return address.trim() || text;
}

/** The path of a file on somebody's computer, which no service can read. */
const LOCAL_PATH = /^(?:[a-z]:[\\/]|\\\\|~[\\/]|\/(?:Users|home|Volumes|mnt|tmp|var)\/)/i;

/**
 * Sites whose links open a page with a picture, and not the picture, or only for people who have signed in. `path`: the
 * paths of such pages. `direct`: the links of the site that lead to the file itself.
 */
const PAGE_SITES: readonly { name: string; host: RegExp; path: RegExp; direct?: RegExp }[] = [
  { name: 'Slack', host: /(?:^|\.)slack\.com$/, path: /^\/(?:archives|files|files-pri|files-tmb)\// },
  { name: 'Google Drive', host: /^(?:drive|docs)\.google\.com$/, path: /^\//, direct: /[?&]export=download/ },
  { name: 'Google Photos', host: /^photos\.(?:google\.com|app\.goo\.gl)$/, path: /^\// },
  {
    name: 'Dropbox',
    host: /(?:^|\.)dropbox\.com$/,
    path: /^\/(?:s|scl|sh|home)\//,
    direct: /[?&](?:raw|dl)=1/,
  },
  { name: 'OneDrive', host: /^(?:1drv\.ms|onedrive\.live\.com|.*\.sharepoint\.com)$/, path: /^\// },
  { name: 'iCloud', host: /^(?:www\.|share\.)?icloud\.com$/, path: /^\// },
  { name: 'Canva', host: /^(?:www\.)?canva\.(?:com|link)$/, path: /^\// },
  { name: 'Figma', host: /^(?:www\.)?figma\.com$/, path: /^\/(?!api\/)/ },
  { name: 'Imgur', host: /^(?:www\.|m\.)?imgur\.com$/, path: /^\/(?!download\/|.*\.\w{3,4}$)/ },
  { name: 'WeTransfer', host: /^(?!download\.)(?:(?:.*\.)?wetransfer\.com|we\.tl)$/, path: /^\// },
  { name: 'Box', host: /(?:^|\.)box\.com$/, path: /^\/(?:s|v|file|folder)\// },
  { name: 'YouTube', host: /^(?:(?:www\.|m\.)?youtube\.com|youtu\.be)$/, path: /^\// },
  { name: 'Instagram', host: /^(?:www\.)?instagram\.com$/, path: /^\// },
  { name: 'Facebook', host: /^(?:www\.|m\.)?facebook\.com$/, path: /^\// },
];

/** The site whose page a link opens instead of a picture. Undefined for all other links. */
export function findPageSite(media: string): string | undefined {
  const url = /^https?:/i.test(media) ? URL.parse(media) : null;
  if (!url) return undefined;
  const site = PAGE_SITES.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname));
  return site && !site.direct?.test(url.search) ? site.name : undefined;
}

/** Links that end after a while, perhaps before the time of a post: those of some sites, and signed ones. */
const ENDING_LINKS = [
  /^https?:\/\/(?:[\w-]+\.airtableusercontent\.com|download\.wetransfer\.com)\//i,
  /^https?:\/\/(?:cdn|media)\.discordapp\.(?:com|net)\/(?:ephemeral-)?attachments\//i,
  /[?&](?:X-(?:Amz|Goog)-Expires|expirationTimestamp)=/i,
  /^[^?]*\?(?=.*\bExpires=)(?=.*\bSignature=)/,
  /^[^?]*\?(?=.*\bse=)(?=.*\bsig=)/,
];

export const isEndingLink = (media: string): boolean => ENDING_LINKS.some((link) => link.test(media));

/** Whether a text is a link without its beginning: "www.example.com", "example.com/photo.jpg". */
export function lacksScheme(media: string): boolean {
  return /^(?:www\.|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}\/)\S/iu.test(media);
}

/** Whether a link leads into a private network or to the reader's own computer, so that a service can't fetch it. */
export function isPrivateLink(media: string): boolean {
  const url = /^https?:/i.test(media) ? URL.parse(media) : null;
  if (!url) return false;
  return isForbiddenAddress(url.hostname, false) || isPrivateName(url.hostname.replace(/\.$/, ''));
}

/** URL schemes that can run code or read local data. Addresses with other schemes are sent to the service unchanged. */
const DANGEROUS_SCHEMES = 'javascript data file vbscript blob filesystem about view-source'.split(' ');

/** Says what is wrong with a media reference, and what to enter (plain text). Undefined if it can be one, or is empty. */
export function findMediaProblem(media: string): string | undefined {
  // Browsers ignore whitespace and control characters in a scheme, so the check removes them first.
  const [scheme, ...otherParts] = media
    .replace(/[\s\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .split(':');
  const isDangerous = otherParts.length > 0 && scheme !== undefined && DANGEROUS_SCHEMES.includes(scheme);
  if (isDangerous) return `Links that begin with “${scheme}:” aren’t supported. ${MEDIA_EXAMPLE}`;
  const reference = media.trim();
  if (SECOND_LINK.test(reference))
    return 'A post takes one picture or video, and these are two links. Keep one.';
  const isLocal = LOCAL_PATH.test(media) || (/\s/.test(reference) && namesFile(reference));
  if (isLocal) return `The service can’t open files on a computer. ${MEDIA_EXAMPLE}`;
  // The service doesn't document references, so everything that can be a link or an id is accepted.
  if (/^https?:/i.test(reference) ? !URL.canParse(reference) : /\s/u.test(reference)) return MEDIA_EXAMPLE;
  if (/\s/u.test(reference)) return 'This link has a space in it. Copy it again, or write %20 for the space.';
  return lacksScheme(reference)
    ? `Begin the link with https://, as in https://${clip(reference, 60)}`
    : undefined;
}

/**
 * Another link after the first one and a separator, or right after its file extension. A link may name a second one in its
 * path or query.
 */
const SECOND_LINK = new RegExp(
  `^<?https?:\\/\\/[^?#]*?(?:[\\s,;|>]|\\.(?:${MEDIA_EXTENSIONS.join('|')}))<?https?:\\/\\/`,
  'i',
);
const MEDIA_EXAMPLE = 'Enter a link to an image or video, such as https://example.com/photo.jpg.';

const MB = 1024 * 1024;

/** Renders a size: "7.2 MB", "340 KB". */
export function formatBytes(bytes: number): string {
  if (bytes < MB) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `${(bytes / MB).toLocaleString('en-US', { maximumFractionDigits: bytes < 100 * MB ? 1 : 0 })} MB`;
}

/** Renders a size that is above a limit, so that people see the difference: "100.02 MB" or "more" if it is that little. */
export function formatBytesAbove(limit: number, bytes: number): string {
  const limitText = formatBytes(limit);
  const texts = [
    formatBytes(bytes),
    `${(bytes / MB).toLocaleString('en-US', { maximumFractionDigits: 2 })} MB`,
  ];
  return texts.find((text) => text !== limitText) ?? 'a little more';
}

/** Renders a length: "45 s", "2 min 20 s", "15 min". */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Describes a file: "JPEG, 4,032 × 3,024, 7.2 MB", "MP4, 1,080 × 1,920, 45 s, 30 MB". */
export function describeMedia({ type, bytes, width, height, durationMs, isAnimated }: MediaFacts): string {
  const { name, kind } = MEDIA_TYPES[type];
  return [
    isAnimated && kind === 'picture' ? `animated ${name}` : name,
    ...(width === undefined || height === undefined
      ? []
      : [`${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')}`]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    formatBytes(bytes),
  ].join(', ');
}
