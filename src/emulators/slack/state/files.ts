import type { FileEntry } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findFileType } from './file-types.ts';
import { makeId, makeSecret } from './ids.ts';
import { findSitesOfHolder, getHolder, isOrgWide } from './organisations.ts';
import { readPictureSize } from './picture-size.ts';
import type { StoredFile } from './saved-file.ts';
import { readSnippet } from './snippet.ts';

/** Slack takes 1 GB. Here they are held in memory on their way in. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** What Slack shows in an image block (docs.slack.dev, "Slack file object"). */
const IMAGE_FILE_TYPES = new Set(['png', 'jpg', 'jpeg', 'gif']);

/** A file that is announced: its bytes are awaited at the address with its ticket. */
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

/** Undefined for a deleted one too, unless asked for. */
export function findFile(site: Site, id: string, evenDeleted = false): StoredFile | undefined {
  const everywhere = isOrgWide(site) ? findSitesOfHolder(getHolder(site), site.slack.sites) : [site];
  // What an organisation's app uploads it can show in each of its workspaces.
  const file = everywhere.find(({ state }) => state.files[id])?.state.files[id];
  return file?.deleted === true && !evenDeleted ? undefined : file;
}

/** By `F…`, or by an address that names it: url_private or the permalink. */
export function findFileByUrl(site: Site, address: string): StoredFile | undefined {
  const id = /\/files(?:-(?:pri|tmb)\/[A-Z0-9]+-|\/[A-Z0-9]+\/)(F[A-Z0-9]+)\//.exec(address)?.[1];
  return address.startsWith(`${site.url}/`) && id !== undefined ? findFile(site, id) : undefined;
}

/** The bytes arrived: the address is used up. */
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

/** Slack looks through a file after its upload is completed; until then it knows no type and shows no image. */
export function isProcessed(site: Site, file: StoredFile): boolean {
  return file.completedAt !== undefined && site.now() - file.completedAt >= site.fileProcessingMs;
}

export function isImage(file: StoredFile): boolean {
  return IMAGE_FILE_TYPES.has(findFileType(file.name).filetype);
}

/** A person's own upload, from a form: all of it at once. */
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

/** As the page shows it. */
export function fileEntry(file: StoredFile): FileEntry {
  const { id, name, title, mimetype, size, altText } = file;
  const url = `/page/slack-file?id=${id}`;
  return { id, name, title, mimetype, size, url, ...(altText === undefined ? {} : { altText }) };
}
