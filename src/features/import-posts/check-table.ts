import type { Project } from '../../api/projects.ts';
import type { Budget } from '../../budget.ts';
import { explainUnknownZone, zonedLoader } from '../../forms/form-context.ts';
import { getWorkspaceEmoji } from '../../forms/workspace-emoji.ts';
import type { Call } from '../../handlers/call.ts';
import { SERIES_COLUMNS } from '../../held-posts/series/series.ts';
import { renderCheck } from '../../imports/check-message.ts';
import {
  type CheckedRow,
  checkRows,
  findOpenQuestions,
  type ImportedFile,
} from '../../imports/check-rows.ts';
import type { Columns } from '../../imports/columns.ts';
import { findEqualPosts } from '../../imports/find-equal-posts.ts';
import type { ImportSettings } from '../../imports/import-settings.ts';
import { pressImport } from '../../imports/imports.ts';
import { noteReading, openTable, withinBudget } from '../../imports/open-table.ts';
import type { PostImportRow } from '../../imports/post-import.ts';
import { noteEmptyPictures } from '../../imports/read-cells.ts';
import type { TableRow } from '../../imports/read-table.ts';
import {
  type ImportSource,
  listTargets,
  saveImportMessage,
  storeImport,
} from '../../imports/stored-import.ts';
import { placeColumns } from '../../imports/target-columns.ts';
import { describePost, type PostFacts, renderOutlook } from '../../posts/describe-post.ts';
import { holdsPosts, listPolicies, requiresReview } from '../../preferences/project-policy.ts';
import { type KnownZones, pickDefaultZone } from '../../preferences/zones.ts';
import { mapLimited } from '../../promises.ts';
import { escapeText, sanitizeLine } from '../../slack/blocks.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { messageAddress } from '../../slack/notify-once.ts';
import { type KnownDateOrder, warmUpDateParser } from '../../when/when.ts';
import { clip, joinWithAnd } from '../../words.ts';
import { readCalendars } from './import-calendars.ts';
import { findFiles, linkAttachedFiles, writeAddresses } from './import-media.ts';

const MAX_NAMES_LENGTH = 200;
/** The name of a table that isn't a file. */
export const PASTED_ROWS = 'pasted rows';

const NO_ZONES: KnownZones = { byProject: {} };

/** The zones that the times of a table may be in. If its own zone is unclear, it has to be chosen. */
export function selectZones(zones: KnownZones, { unclearZone }: Pick<Columns, 'unclearZone'>): KnownZones {
  return unclearZone === undefined ? zones : NO_ZONES;
}

/**
 * Checks a table, stores the result, and shows it in a direct message. It replaces an `earlier` check, in its message,
 * unless another one does. Nothing is imported. Resolves with why that isn't possible (mrkdwn), or with undefined.
 */
export async function checkTable(...args: Parameters<typeof checkOpened>): Promise<string | undefined> {
  const refusal = await withinBudget(() => checkOpened(...args));
  return typeof refusal === 'object' ? refusal.tooMuch : refusal;
}

interface TableSource {
  fileName: string;
  rows: readonly TableRow[];
  /** The files of its message, whose names the rows may have. */
  attached?: string | undefined;
  /** The channel whose project and zone are suggested. */
  channel?: string | undefined;
  channelName?: string | undefined;
  /** Of an earlier check of the same table. */
  settings?: ImportSettings | undefined;
  linked?: ImportSource['linked'];
}

async function checkOpened(
  call: Call,
  source: TableSource,
  budget: Budget,
  earlier?: PostImportRow,
): Promise<string | undefined> {
  const opened = await openTable(source.rows, budget);
  const attached = call.context.media.takesFiles ? source.attached : undefined;
  const named = opened?.columns;
  // One of the columns that aren't used may have the texts, without which pictures must not go out.
  const hasTexts = named?.text ?? named?.ownTexts[0] ?? named?.unused.length === 0;
  if (!opened || !named || !hasTexts) return describeMissingText(source.rows, named);
  const firstRow = source.rows[0]?.cells.map((cell) => cell.trim()) ?? [];
  if (SERIES_COLUMNS.every((name) => firstRow.includes(name))) return SERIES_FILE;
  if (opened.rows.length === 0) return 'I found the names of the columns, and no rows below them.';
  const linked = await linkAttachedFiles(opened, attached, budget);
  const { unusedFiles, fileNames } = source.linked ?? linked;
  const { table } = linked;
  const { rows } = table;
  const { channel, channelName } = source;
  // An incomplete list can't tell that a row's project doesn't exist.
  const loaded = await zonedLoader.load(call, { allowCached: 'all', channel, channelName });
  if ('failureText' in loaded) return `${loaded.failureText} I haven’t checked the rows. Try again later.`;
  const { formContext } = loaded;
  const project = formContext.preselectedProject;
  const zones = selectZones(formContext.zones, named);
  const suggestedZone = pickDefaultZone(zones, undefined);
  const settings: ImportSettings = source.settings ?? {
    ...(project && { project: { id: project.id, name: project.name } }),
    // Another check of the table knows no channel.
    zone: named.declaredZone ?? (suggestedZone?.source === 'channel' ? suggestedZone.zone : undefined),
  };
  const { personZone = zones.person } = settings;
  await warmUpDateParser();
  const { actorLocale: locale, dateOrder } = formContext;
  const projects = await listProjects(call, formContext.projects);
  budget.resume();
  const { columns, question } = await placeColumns({ rows, columns: named, settings, projects }, budget);
  const read = {
    ...{ rows, columns, settings, locale, dateOrder, projects },
    findZone: (of: string) => pickDefaultZone({ ...zones, person: personZone }, of)?.zone,
  };
  const questions = {
    ...(await findOpenQuestions({ ...read, now: call.now() }, budget)),
    ...(question && { column: question }),
  };
  // A date in the person's own order is no question.
  const { assumedDate, ...open } = questions;
  const isOpen = Object.values(open).some((each) => each !== false && each !== undefined);
  const files = isOpen ? new Map<string, ImportedFile>() : await findFiles(call, table, fileNames, budget);
  const checked = isOpen ? { rows: [], isCompared: true } : await checkAll(call, { ...read, files }, budget);
  const stored: ImportSource = {
    rows: [...table.head, ...(await writeAddresses(table, files, budget))],
    settings,
    linked: { unusedFiles, fileNames },
  };
  const { workspace, user: author } = call.actor;
  const about = { fileName: source.fileName, projects: listTargets(checked.rows) };
  const toStore = { workspace, author, source: stored, about, rows: checked.rows };
  const row = await storeImport(call.context.imports, toStore, budget);
  if (earlier && !(await dropImport(call, earlier))) {
    await dropImport(call, row);
    await call.reply(REPLACED);
    return undefined;
  }
  const message = await renderCheck(
    {
      ...{
        row,
        about,
        settings,
        rows: checked.rows,
        rowCount: rows.length,
        isUncompared: !checked.isCompared,
      },
      unusedColumns: columns.unused,
      unusedFiles,
      tableNotes: [
        ...noteReading(table),
        ...(source.fileName === PASTED_ROWS ? [] : await noteEmptyPictures(rows, columns, budget)),
      ],
      locale,
      outlooks: await listOutlooks(call, checked.rows),
      ...(isOpen ? { questions } : { assumedDate, dateOrder }),
      unknownZoneText:
        columns.unclearZone === undefined
          ? explainUnknownZone(formContext)
          : `“${escapeText(columns.unclearZone)}” can be several time zones.`,
    },
    budget,
  );
  await show(call, row, message, earlier);
  return undefined;
}

/** What people read who press a button of somebody else's import, or of one that was deleted. */
export const IMPORT_GONE: Message = {
  text: 'This import isn’t yours, or it’s too old. Import the rows again.',
};

/** What people read whose press comes after another answer about the same table. */
export const REPLACED: Message = {
  text: 'This check was replaced, discarded or imported meanwhile. Its message shows how it is now.',
};

/** Drops a check. Resolves with false if that was done already, or its posts were imported. */
async function dropImport(call: Call, { id, workspace, author }: PostImportRow): Promise<boolean> {
  const change = { from: ['checked'], to: 'dropped' } as const;
  return (await pressImport(call.context.imports, { id, workspace, author }, change)).kind === 'changed';
}

/** What `/upnext series` exports. */
const SERIES_FILE =
  'This file lists series, and an import makes single posts. To start a series again, type `/schedule-post`, and what its column “Repeats” says as the time.';

/** Says what a table without texts needs. One with media may have none, in columns that are named. */
function describeMissingText(rows: readonly TableRow[], columns: Columns | undefined): string {
  const names = clip((rows[0]?.cells ?? []).map(sanitizeLine).join(', '), MAX_NAMES_LENGTH);
  const empty = columns ? ' If the posts have no texts, add an empty column with this name.' : '';
  return `I found no column for the texts. Name it “Text” in the first row.${empty} The first row has: ${escapeText(names)}`;
}

/** All projects that the person may see: a file may name more than a menu has. */
export async function listProjects(call: Call, known: readonly Project[]): Promise<readonly Project[]> {
  const outcome = await call.context.reads.listProjects(call.context.api);
  return outcome.kind === 'done' ? [...known, ...outcome.data.items] : known;
}

async function checkAll(
  call: Call,
  table: {
    rows: readonly TableRow[];
    columns: Columns;
    settings: ImportSettings;
    findZone(project: string): string | undefined;
    projects: readonly Project[];
    locale: string | undefined;
    dateOrder: KnownDateOrder | undefined;
    files: ReadonlyMap<string, ImportedFile>;
  },
  budget: Budget,
): Promise<{ rows: readonly CheckedRow[]; isCompared: boolean }> {
  const context = call.context.heldPosts;
  const { compose, describeRequest } = context.kind.post;
  const { areSlotsCompared, ...calendars } = await readCalendars(call, table, budget);
  const input = {
    ...{ ...table, ...calendars, compose, describeRequest, now: call.now() },
    workspaceEmoji: await getWorkspaceEmoji(call),
    maySchedule: (project: string) => call.may('publisher', project),
  };
  const rows = await checkRows(input, budget);
  await keepFiles(call, rows, table.files);
  const compared = rows.filter(({ outcome, isUnderstood }) => outcome === 'good' || isUnderstood);
  const byProject = [...Map.groupBy(compared, ({ post }) => post.project.id)];
  // Several at once, because the service may answer none of them.
  const found = await mapLimited(byProject, ([project, ofProject]) => {
    const query = { workspace: call.actor.workspace, project, rows: ofProject };
    return findEqualPosts(context, call.context.api, query);
  });
  const equalNumbers = new Set(found.flatMap(({ numbers }) => [...numbers]));
  const notes = new Map(found.flatMap((equal) => [...equal.notes]));
  return {
    rows: rows.map((row) => {
      if (equalNumbers.has(row.number)) return { ...row, outcome: 'equal' as const, problems: [], notes: [] };
      return { ...row, notes: [...(notes.get(row.number) ?? []), ...row.notes] };
    }),
    isCompared: areSlotsCompared && found.every(({ isCompared }) => isCompared),
  };
}

/**
 * Keeps the files of rows while these can be imported: an import is stored for its retention, and again after a stop.
 * The files of held posts stay longer. A draft or a row for a slot may be imported after the time that it has here.
 */
async function keepFiles(
  { context, actor }: Call,
  rows: readonly CheckedRow[],
  files: ReadonlyMap<string, ImportedFile>,
): Promise<void> {
  const addresses = new Set([...files.values()].flatMap((file) => ('address' in file ? file.address : [])));
  const uses = rows.map(({ post }) => post).filter(({ media }) => addresses.has(media));
  const maxMs = 2 * context.imports.pace.retentionMs;
  await mapLimited(uses, ({ media, moment, isDraft, slotFrom }) => {
    const publishAt = isDraft || slotFrom ? undefined : moment?.instant;
    return context.media.keep(actor.workspace, media, publishAt, maxMs);
  });
}

/** Describes the posts of good rows as they will be, and what can't be done then (mrkdwn). Upnext keeps all drafts. */
async function listOutlooks(call: Call, rows: readonly CheckedRow[]): Promise<string[]> {
  const policies = await listPolicies(call.context.db, call.actor.workspace);
  const good = rows.filter(({ outcome }) => outcome === 'good');
  const [drafts, posts] = [good.filter(({ post }) => post.isDraft), good.filter(({ post }) => !post.isDraft)];
  const findFacts = (project: string): PostFacts => {
    const policy = policies.get(project);
    if (!policy || !holdsPosts(policy)) return { status: 'SCHEDULED' };
    const state = requiresReview(policy) ? 'awaiting-review' : 'held';
    return { held: { state, reason: null }, leadMinutes: policy.leadMinutes };
  };
  const describe = (each: PostFacts) =>
    renderOutlook(describePost(each, { viewers: 'everyone', now: call.now() }));
  const projects = [...new Map(posts.map(({ post }) => [post.project.id, post.project])).values()];
  const outlooks = [...Map.groupBy(projects, ({ id }) => describe(findFacts(id)))];
  const kept = projects.filter(({ id }) => findFacts(id).held);
  const undo =
    kept.length === projects.length
      ? 'You can undo the whole import until its posts go to the scheduling service.'
      : 'You can undo only what hasn’t gone to the scheduling service yet.';
  return [
    ...outlooks.map(([outlook, of]) => {
      const names = clip(joinWithAnd(of.map(({ name }) => sanitizeLine(name))), MAX_NAMES_LENGTH);
      return `${outlooks.length === 1 ? 'Each post' : `Posts for ${escapeText(names)}`}: ${outlook}`;
    }),
    ...(drafts.length > 0 ? [`Each draft: ${describe({ held: { state: 'draft', reason: null } })}`] : []),
    ...(drafts.length > 0 || kept.length > 0 ? [undo] : []),
  ];
}

/** Shows the message instead of an earlier one, or else in a direct message, and records where it is. */
async function show(
  call: Call,
  row: PostImportRow,
  message: Message,
  { message_channel: channel = null, message_ts: ts = null }: Partial<PostImportRow> = {},
): Promise<void> {
  const content = disableParsing(message);
  const shown = channel !== null && ts !== null ? { channel, ts } : undefined;
  // The earlier check is dropped, so that without its message the person needs another one.
  const updating = shown && call.client.chat.update({ ...shown, ...content });
  const isShown = await updating?.then(
    () => true,
    (err) => call.log.warn({ reference: call.reference, err }, 'could not update the message of an import'),
  );
  const address = isShown
    ? shown
    : await call.client.chat.postMessage({ channel: call.actor.user, ...content });
  const { data } = messageAddress.safeParse(address);
  if (data) await saveImportMessage(call.context.imports.db, row, data);
}
