import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { MINUTE_MS } from '../../durations.ts';
import type { Call } from '../../handlers/call.ts';
import type { ImportedFile } from '../../imports/check-rows.ts';
import { type Columns, readCell, removeAttachmentLink } from '../../imports/columns.ts';
import { listMedia } from '../../imports/read-cells.ts';
import { readStatus } from '../../imports/read-row.ts';
import type { TableRow } from '../../imports/read-table.ts';
import { explainFailedFile, UnusableMedia } from '../../media/byte-input.ts';
import { openMediaFile } from '../../media/media.ts';
import { lacksScheme, namesFile } from '../../posts/media-reference.ts';
import { mapLimited } from '../../promises.ts';
import { removeFormulaMark } from '../../slack/csv.ts';
import { parseSlackFileId } from '../../slack/slack-file.ts';

/** The pictures and videos of the rows: links, files in Slack, and files that were sent in the table's message. */

/**
 * Maximum files in Slack that a check takes, with a call of `files.info` for each. Slack allows a hundred a minute
 * (tier 4 of https://docs.slack.dev/apis/web-api/rate-limits), and others need some too.
 */
const MAX_SLACK_FILES = 80;
/** How long a check waits for other imports that have used up Slack's limit. */
const MAX_WAIT_MS = 3 * MINUTE_MS;
const TOO_MANY = `I take up to ${MAX_SLACK_FILES} files from Slack for an import. Import the other rows separately.`;
const NOT_SHARED = 'I can only take files from Slack that you’ve uploaded, or that are in a public channel.';
const NOT_SENT =
  'I don’t have this file, or several have its name. Send me the table and files with different names in one direct message. For more files than Slack takes at once, import the rows in parts, or write links.';
const DELETED = 'I’ve deleted this file meanwhile. Use a link, or attach it to the post in Slack.';

/**
 * Finds out about the media of the rows that aren't left out, by what the cells have, and takes those that are files in
 * Slack. Other links are left out: nothing is known of them.
 */
export async function findFiles(
  call: Call,
  rows: readonly TableRow[],
  columns: Columns,
): Promise<ReadonlyMap<string, ImportedFile>> {
  const { media } = call.context;
  // A post has the first one only.
  const read = (row: TableRow) =>
    readStatus(row, columns).kind === 'skip' ? [] : listMedia(row, columns).links.slice(0, 1);
  const references = [...new Set(rows.flatMap(read))];
  const readId = (reference: string) =>
    media.takesFiles ? parseSlackFileId(reference, call.client.slackApiUrl) : undefined;
  const takenIds = new Set(
    references.flatMap((reference) => readId(reference) ?? []).slice(0, MAX_SLACK_FILES),
  );
  const deadline = performance.now() + MAX_WAIT_MS;
  const found = await mapLimited(references, async (reference): Promise<ImportedFile | undefined> => {
    const id = readId(reference);
    if (id !== undefined) return takenIds.has(id) ? takeSlackFile(call, id, deadline) : { problem: TOO_MANY };
    const name = removeAttachmentLink(reference);
    if (media.takesFiles && (name !== reference || namesFile(name) || LOCAL_PATH.test(name)))
      return { problem: NOT_SENT };
    const file = await media.find(call.actor.workspace, reference);
    return file === 'gone' ? { problem: DELETED } : file;
  });
  return new Map(
    references.flatMap((reference, index) => (found[index] ? [[reference, found[index]] as const] : [])),
  );
}

/** Takes a file whose link is in a cell. A link alone doesn't show that the person may see the file. */
async function takeSlackFile(
  { context, actor, client, log, reference }: Call,
  id: string,
  deadline: number,
): Promise<ImportedFile> {
  try {
    const opened = await openWhenSlackAllows(client, id, deadline);
    if (opened.uploader !== actor.user && !opened.isPublic) return { problem: NOT_SHARED };
    return await context.media.take({ workspace: actor.workspace, client, opened }, id);
  } catch (error) {
    log.info({ reference, slackFile: id, err: error }, 'could not take a file from Slack');
    return { problem: explainFailedFile(error) };
  }
}

/** Opens a file, as soon as Slack says that it may be asked again. Throws UnusableMedia. */
async function openWhenSlackAllows(client: WebClient, id: string, deadline: number) {
  for (;;)
    try {
      return await openMediaFile(client, id);
    } catch (error) {
      const busy = error instanceof UnusableMedia ? error.cause : undefined;
      const waitMs =
        busy instanceof WebAPIRateLimitedError ? Math.max(1, busy.retryAfter) * 1000 : Number.NaN;
      if (!(performance.now() + waitMs <= deadline)) throw error;
      await delay(waitMs, undefined, { ref: false });
    }
}

/** The files of the message with the table. Slack leaves out what the app may not see. */
const attachedFiles = z.array(z.object({ name: z.string().nullish(), permalink: z.string().nullish() }));

/**
 * Replaces the names of files that were sent in the same message by their links, which are valid afterwards too. Of a
 * name that several have, the row is faulty, because Slack gives pasted pictures the same one. `unusedFiles`: pictures
 * and videos that no row names.
 */
export function linkAttachedFiles(
  rows: readonly TableRow[],
  columns: Columns,
  attached = '[]',
): { rows: readonly TableRow[]; unusedFiles: string[] } {
  const { data: files = [] } = attachedFiles.safeParse(JSON.parse(attached));
  const named = Map.groupBy(files, ({ name }) => normalizeFileName(name ?? ''));
  // Some computers don't show the endings of names.
  const plain = Map.groupBy(files, ({ name }) => removeEnding(normalizeFileName(name ?? '')));
  for (const group of [named, plain]) group.delete('');
  const withoutNames = rows.slice(columns.hasNames ? 1 : 0);
  const cells = columns.media.flatMap((column) => withoutNames.map((row) => readCell(row, column)));
  const paths = Map.groupBy([...new Set(cells.map(normalizeFileName))].map(readFileName), removeEnding);
  const findLink = (cell: string) => {
    const whole = normalizeFileName(cell);
    const name = readFileName(whole);
    // Paths (or Airtable's links) with the same name, one perhaps without its ending, can lead to different files.
    const stem = removeEnding(name);
    const same = paths.get(stem)?.filter((each) => name === stem || each === stem || each === name);
    const names = same?.length === 1 ? [whole, name] : [whole];
    const found = [named, plain].flatMap((group) => names.map((each) => group.get(each) ?? []));
    const [file, ...others] = found.find((ofName) => ofName.length > 0) ?? [];
    // With its ending, a name that isn't replaced is known as one of a file.
    return (others.length === 0 ? file?.permalink : file?.name) ?? undefined;
  };
  const parts = cells.flatMap((cell) => [cell, ...cell.split(/[,;|\n]/)]).map(normalizeFileName);
  const mentioned = `\n${[...parts, ...parts.map(readFileName)].join('\n')}\n`;
  const unusedFiles = files.flatMap(({ name, permalink }) => {
    if (!name || !namesFile(name)) return [];
    const whole = normalizeFileName(name);
    const texts = [whole, normalizeFileName(permalink ?? name), `\n${removeEnding(whole)}\n`];
    return texts.some((text) => mentioned.includes(text)) ? [] : [name];
  });
  return { rows: replaceMedia(rows, columns, findLink), unusedFiles };
}

/** Replaces what was taken by its addresses, so that another check needn't ask Slack again. */
export function writeAddresses(
  rows: readonly TableRow[],
  columns: Columns,
  files: ReadonlyMap<string, ImportedFile>,
): readonly TableRow[] {
  return replaceMedia(rows, columns, (cell) => {
    const file = files.get(cell.trim());
    return file && 'address' in file ? file.address : undefined;
  });
}

function replaceMedia(
  rows: readonly TableRow[],
  columns: Columns,
  replace: (cell: string) => string | undefined,
): readonly TableRow[] {
  const indexes = new Set(columns.media.map(({ index }) => index));
  return rows.map((row, position) => ({
    ...row,
    cells: row.cells.map((cell, index) => {
      const isMedia = indexes.has(index) && !(position === 0 && columns.hasNames);
      return (isMedia ? replace(removeFormulaMark(cell)) : undefined) ?? cell;
    }),
  }));
}

const LOCAL_PATH = /^(?:[a-z]:[\\/]|file:\/\/)/i;

/** Reads the name of a file in its path on a computer, in which some programs write %20 for a space. */
function readFileName(text: string): string {
  const cell = removeAttachmentLink(text);
  const isLink = URL.canParse(cell) && !LOCAL_PATH.test(cell);
  if (isLink || lacksScheme(cell)) return cell;
  const name = cell.split(/[\\/]/).at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const removeEnding = (name: string): string => (namesFile(name) ? name.replace(/\.\w+$/, '') : name);

const normalizeFileName = (name: string): string => name.trim().normalize('NFC').toLowerCase();
