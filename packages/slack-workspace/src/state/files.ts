import type { FileEntry } from '../protocol.ts';
import type { Site } from '../site.ts';
import { makeId, makeSecret } from './ids.ts';
import { findSitesOfHolder, getHolder, isOrgWide } from './organisations.ts';
import type { StoredFile } from './saved-state.ts';
import { readSnippet } from './snippet.ts';

interface PictureSize {
  width: number;
  height: number;
}

/** Reads the size of a PNG, GIF or JPEG from its header, in pixels. Undefined for other files. */
export function readPictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24) return undefined;
  if (bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.toString('latin1', 0, 3) === 'GIF')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return bytes.readUInt16BE(0) === 0xffd8 ? readJpegSize(bytes) : undefined;
}

/**
 * Markers between 0xC0 and 0xCF that aren't a "start of frame", the segment with the size (ITU-T T.81, table B.1).
 */
const OTHER_MARKERS = new Set([0xc4, 0xc8, 0xcc]);

function readJpegSize(bytes: Buffer): PictureSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !OTHER_MARKERS.has(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Slack accepts 1 GB. The emulator accepts less, because it receives a file in memory. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** The file types that an image block can show (docs.slack.dev, "Slack file object"). */
const IMAGE_FILE_TYPES = new Set(['png', 'jpg', 'jpeg', 'gif']);

/** Creates a file whose bytes will be uploaded to the address with its ticket. */
export function createPendingFile(
  site: Site,
  about: { name: string; size: number; user: string; altText?: string; snippetType?: string },
): StoredFile {
  const { altText, snippetType, ...rest } = about;
  const file: StoredFile = {
    ...rest,
    id: makeId('F'),
    title: about.name,
    mimetype: findFileType(about.name).mimetype,
    madeAt: site.now(),
    ticket: makeSecret(),
    shares: [],
    ...(altText === undefined ? {} : { altText }),
    ...(snippetType === undefined
      ? {}
      : { snippet: { type: snippetType, lines: 0, text: '' }, mimetype: 'text/plain' }),
  };
  site.state.files[file.id] = file;
  site.touch();
  return file;
}

/** Finds a file by its id. Ignores deleted files unless `includesDeleted`. */
export function findFile(site: Site, id: string, includesDeleted = false): StoredFile | undefined {
  const sites = isOrgWide(site) ? findSitesOfHolder(getHolder(site), site.slack.sites) : [site];
  // An organisation's app can show its files in each of its workspaces.
  const file = sites.find(({ state }) => state.files[id])?.state.files[id];
  return file?.deleted === true && !includesDeleted ? undefined : file;
}

/** Finds a file by its url_private, a thumbnail's address or its permalink. */
export function findFileByUrl(site: Site, address: string): StoredFile | undefined {
  const id = /\/files(?:-(?:pri|tmb)\/[A-Z0-9]+-|\/[A-Z0-9]+\/)(F[A-Z0-9]+)\//.exec(address)?.[1];
  return address.startsWith(`${site.url}/`) && id !== undefined ? findFile(site, id) : undefined;
}

/** Stores the uploaded bytes. The upload address is invalid from then on. */
export async function storeFileBytes(site: Site, file: StoredFile, bytes: Buffer): Promise<void> {
  delete file.ticket;
  Object.assign(file, readPictureSize(bytes));
  if (file.snippet) file.snippet = readSnippet(file.snippet.type, bytes);
  await site.fileStore.write(file.id, bytes);
  site.touch();
}

export function completeUpload(site: Site, file: StoredFile, title: string | undefined): void {
  file.completedAt = site.now();
  if (title !== undefined) file.title = title;
  site.touch();
}

/**
 * Slack processes a file after its upload was completed. Before that, the file has no type and no block can show it.
 */
export function isProcessed(site: Site, file: StoredFile): boolean {
  return file.completedAt !== undefined && site.now() - file.completedAt >= site.fileProcessingMs;
}

export function isImage(file: StoredFile): boolean {
  return IMAGE_FILE_TYPES.has(findFileType(file.name).filetype);
}

/** Stores a file that a person uploads in a form. */
export async function uploadByPerson(
  site: Site,
  user: string,
  name: string,
  bytes: Buffer,
): Promise<StoredFile> {
  const file = createPendingFile(site, { name, size: bytes.length, user });
  await storeFileBytes(site, file, bytes);
  completeUpload(site, file, undefined);
  return file;
}

/** A file for the page. */
export function buildFileEntry(file: StoredFile): FileEntry {
  const { id, name, title, mimetype, size, altText } = file;
  const url = `/page/slack-file?id=${id}`;
  return { id, name, title, mimetype, size, url, ...(altText === undefined ? {} : { altText }) };
}

interface FileType {
  /** Slack's name of the type, in the field of the same name. */
  filetype: string;
  mimetype: string;
  prettyType: string;
}

/** Extension → type (docs.slack.dev, "File types"). A selection of common types. */
const FILE_TYPES: Readonly<Record<string, FileType>> = {
  png: { filetype: 'png', mimetype: 'image/png', prettyType: 'PNG' },
  jpg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  jpeg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  gif: { filetype: 'gif', mimetype: 'image/gif', prettyType: 'GIF' },
  webp: { filetype: 'webp', mimetype: 'image/webp', prettyType: 'WebP' },
  svg: { filetype: 'svg', mimetype: 'image/svg+xml', prettyType: 'SVG' },
  mp4: { filetype: 'mp4', mimetype: 'video/mp4', prettyType: 'MPEG 4 Video' },
  mov: { filetype: 'mov', mimetype: 'video/quicktime', prettyType: 'QuickTime Movie' },
  pdf: { filetype: 'pdf', mimetype: 'application/pdf', prettyType: 'PDF' },
  csv: { filetype: 'csv', mimetype: 'text/csv', prettyType: 'CSV' },
  json: { filetype: 'json', mimetype: 'application/json', prettyType: 'JSON' },
  md: { filetype: 'markdown', mimetype: 'text/markdown', prettyType: 'Markdown' },
  txt: { filetype: 'text', mimetype: 'text/plain', prettyType: 'Plain Text' },
  ics: { filetype: 'calendar', mimetype: 'text/calendar', prettyType: 'Calendar' },
  zip: { filetype: 'zip', mimetype: 'application/zip', prettyType: 'Zip' },
};
const BINARY: FileType = { filetype: 'binary', mimetype: 'application/octet-stream', prettyType: 'Binary' };

/** The extension of a file name in lower case, without the dot. Empty without one. */
export function getExtension(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function findFileType(name: string): FileType {
  const extension = getExtension(name);
  return Object.hasOwn(FILE_TYPES, extension) ? (FILE_TYPES[extension] ?? BINARY) : BINARY;
}
