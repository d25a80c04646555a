import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { renderMissingRole } from '../../access/access.ts';
import type { Budget } from '../../budget.ts';
import { MINUTE_MS } from '../../durations.ts';
import type { Call } from '../../handlers/call.ts';
import { readCell, removeAttachmentLink } from '../../imports/cells.ts';
import type { ImportedFile } from '../../imports/check-rows.ts';
import type { OpenTable } from '../../imports/open-table.ts';
import { listMedia } from '../../imports/read-cells.ts';
import { readStatus } from '../../imports/read-status.ts';
import type { TableRow } from '../../imports/read-table.ts';
import { explainFailedFile, UnusableMedia } from '../../media/byte-input.ts';
import { openMediaFile } from '../../media/media.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import { lacksScheme, namesFile } from '../../posts/media-reference.ts';
import { mapLimited } from '../../promises.ts';
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
 * Slack. Other links are left out: nothing is known of them. `fileNames`: what cells had instead of links.
 */
export async function findFiles(
  call: Call,
  { rows, columns }: OpenTable,
  fileNames: FileNames,
  budget: Budget,
): Promise<ReadonlyMap<string, ImportedFile>> {
  const { media } = call.context;
  const found = new Set<string>();
  budget.resume();
  for (const row of rows) {
    await budget.giveWay();
    // A post has the first one only.
    const [first] = readStatus(row, columns).kind === 'skip' ? [] : listMedia(row, columns).links;
    if (first !== undefined) found.add(first);
  }
  const references = [...found];
  const readId = (reference: string) =>
    media.takesFiles ? parseSlackFileId(reference, call.client.slackApiUrl) : undefined;
  const takenIds = new Set(
    references.flatMap((reference) => readId(reference) ?? []).slice(0, MAX_SLACK_FILES),
  );
  const deadline = performance.now() + MAX_WAIT_MS;
  const files = await mapLimited(references, async (reference): Promise<ImportedFile | undefined> => {
    const id = readId(reference);
    if (id !== undefined) return takenIds.has(id) ? takeSlackFile(call, id, deadline) : { problem: TOO_MANY };
    const name = removeAttachmentLink(reference);
    if (media.takesFiles && (name !== reference || namesFile(name) || LOCAL_PATH.test(name)))
      return { problem: NOT_SENT };
    const file = await media.find(call.actor.workspace, reference);
    return file === 'gone' ? { problem: DELETED } : file;
  });
  return new Map(
    references.flatMap((reference, index) => {
      const file = files[index];
      if (!file) return [];
      const typed = fileNames[reference];
      return [[reference, 'problem' in file && typed !== undefined ? { ...file, typed } : file] as const];
    }),
  );
}

/**
 * Takes a file whose link is in a cell. A link alone doesn't show that the person may see the file. Many files take minutes,
 * so the person's role is checked again before each.
 */
async function takeSlackFile(
  { context, actor, client, log, reference }: Call,
  id: string,
  deadline: number,
): Promise<ImportedFile> {
  try {
    const opened = await openWhenSlackAllows(client, id, deadline);
    const check = { isInRequest: true };
    const answer = await context.access.recheckPermission(actor, 'contributor', undefined, check);
    if (answer !== 'yes')
      return { problem: `Not taken, because ${renderMissingRole(answer, 'contributor', undefined)}.` };
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

/** Maximum number of files of the message that are looked at. Slack takes ten at once. */
const MAX_ATTACHED_FILES = 100;
/** The longest cell whose names, paths or links are compared with them, in UTF-16 units, and the most of them in it. */
const [MAX_NAMES_LENGTH, MAX_NAMES] = [4_096, 50];

/** What the cells had that now have the link to a file of the message, by that link. */
type FileNames = Readonly<Record<string, string>>;

/**
 * Replaces the names of files that were sent in the same message by their links, which are valid afterwards too. Of a
 * name that several have, the row is faulty, because Slack gives pasted pictures the same one. `unusedFiles`: pictures
 * and videos that no row names.
 */
export async function linkAttachedFiles<Table extends OpenTable>(
  table: Table,
  attached: string | undefined,
  budget: Budget,
): Promise<{ table: Table; unusedFiles: string[]; fileNames: FileNames }> {
  const files = (attachedFiles.safeParse(JSON.parse(attached ?? '[]')).data ?? []).slice(
    0,
    MAX_ATTACHED_FILES,
  );
  if (files.length === 0) return { table, unusedFiles: [], fileNames: {} };
  const named = Map.groupBy(files, ({ name }) => normalizeFileName(name ?? ''));
  // Some computers don't show the endings of names.
  const plain = Map.groupBy(files, ({ name }) => removeEnding(normalizeFileName(name ?? '')));
  for (const group of [named, plain]) group.delete('');
  const cells = await listNames(table, budget);
  // Paths (or Airtable's links) with the same name, one perhaps without its ending, can lead to different files.
  const [byStem, byName] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  let unnamed = files.flatMap(({ name, permalink }) => {
    const whole = normalizeFileName(name ?? '');
    const texts = [whole, normalizeFileName(permalink || whole), `\n${removeEnding(whole)}\n`];
    return name && namesFile(name) ? [{ name, texts }] : [];
  });
  for (const cell of cells) {
    const name = readFileName(cell);
    count(byName, name);
    count(byStem, removeEnding(name));
    const parts = [cell, ...cell.split(/[,;|\n]/, MAX_NAMES).map(normalizeFileName)];
    const mentioned = `\n${[...parts, ...parts.map(readFileName)].join('\n')}\n`;
    unnamed = unnamed.filter(({ texts }) => !texts.some((text) => mentioned.includes(text)));
    budget.spend(parts.length);
    await budget.giveWay();
  }
  const countPaths = (name: string) => {
    const stem = removeEnding(name);
    if (name === stem) return byStem.get(stem) ?? 0;
    const plainCount = removeEnding(stem) === stem ? (byName.get(stem) ?? 0) : 0;
    return plainCount + (byName.get(name) ?? 0);
  };
  const fileNames = new Map<string, string>();
  const findLink = (cell: string) => {
    const whole = normalizeFileName(cell);
    const name = readFileName(whole);
    const names = countPaths(name) === 1 ? [whole, name] : [whole];
    const found = [named, plain].flatMap((group) => names.map((each) => group.get(each) ?? []));
    const [file, ...others] = found.find((ofName) => ofName.length > 0) ?? [];
    // With its ending, a name that isn't replaced is known as one of a file.
    const replacement = (others.length === 0 ? file?.permalink : file?.name) ?? undefined;
    if (file?.permalink && replacement === file.permalink) fileNames.set(file.permalink, cell.trim());
    return replacement;
  };
  const rows = await replaceMedia(table, findLink, budget);
  return {
    table: { ...table, rows },
    unusedFiles: unnamed.map(({ name }) => name),
    fileNames: Object.fromEntries(fileNames),
  };
}

/** Lists the different names, paths and links in the cells for media. */
async function listNames({ rows, columns }: OpenTable, budget: Budget): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const row of rows) {
    budget.spend(columns.media.length);
    await budget.giveWay();
    for (const column of columns.media) {
      const cell = readCell(row, column);
      if (cell.length <= MAX_NAMES_LENGTH) names.add(normalizeFileName(cell));
    }
  }
  return names;
}

/** Replaces what was taken by its addresses, so that another check needn't ask Slack again. */
export function writeAddresses(
  table: OpenTable,
  files: ReadonlyMap<string, ImportedFile>,
  budget: Budget,
): Promise<readonly TableRow[]> {
  const findAddress = (cell: string) => {
    const file = files.get(cell.trim());
    return file && 'address' in file ? file.address : undefined;
  };
  return replaceMedia(table, findAddress, budget);
}

async function replaceMedia(
  { rows, columns }: OpenTable,
  replace: (cell: string) => string | undefined,
  budget: Budget,
): Promise<readonly TableRow[]> {
  const replaced: TableRow[] = [];
  budget.resume();
  for (const row of rows) {
    await budget.giveWay();
    const cells = [...row.cells];
    for (const column of columns.media) {
      const cell = readCell(row, column);
      if (cell !== '' && cell.length <= MAX_NAMES_LENGTH)
        cells[column.index] = replace(cell) ?? cells[column.index] ?? '';
    }
    replaced.push({ ...row, cells });
  }
  return replaced;
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

const normalizeFileName = (name: string): string => normalizeUnicode(name.trim(), 'NFC').toLowerCase();
