import { DateTime } from 'luxon';
import { z } from 'zod';
import { BUDGETS, createBudget } from '../../budget.ts';
import { isChannelId } from '../../forms/conversation.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall, Call, CommandCall, EventCall, Handler, ShortcutCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import {
  IMPORT_ACTIONS,
  renderEarlierMessage,
  renderImport,
  STATE_WORDS,
} from '../../imports/import-messages.ts';
import type { ImportSettings } from '../../imports/import-settings.ts';
import { pressImport, readMessageInput } from '../../imports/imports.ts';
import { openTable, withinBudget } from '../../imports/open-table.ts';
import type { PostImportRow, State } from '../../imports/post-import.ts';
import { LIMITS_TEXT, readTable } from '../../imports/read-table.ts';
import { buildTemplate, sendCorrections } from '../../imports/result-files.ts';
import { findImport, listImports, readPart, readSource } from '../../imports/stored-import.ts';
import { createExportGuard } from '../../lists/list.ts';
import { actions, button, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { explainFailedUpload, sendCsv } from '../../slack/csv.ts';
import { addBlocks, disableParsing } from '../../slack/message.ts';
import { mayReadFiles, READ_SCOPE } from '../../slack/slack-file.ts';
import { checkTable, IMPORT_GONE, REPLACED } from './check-table.ts';
import { createSettingsForm, readPrefill } from './settings-form.ts';
import {
  CANNOT_READ_FILES,
  checkAttachedFile,
  checkFile,
  listTableFiles,
  openSource,
  readSlackFile,
  SOURCE_VIEW,
  showRefusal,
  submitSource,
  TEMPLATE_ACTION,
} from './source-view.ts';

const NAME = 'import-posts';
const OPEN_ACTION = 'import.open';
const SHOW_ACTION = 'import.show';
/** The button below a file in a channel. Its value is Slack's id of the file. */
const CHECK_ACTION = 'import.check';
const OUTDATED = 'This import has changed since. This is how it is now.';

async function showOverview(call: CommandCall): Promise<void> {
  const { imports } = call.context;
  const { workspace, user: author } = call.actor;
  const [rows, mayRead] = await Promise.all([
    listImports(imports.db, { workspace, author }),
    mayReadFiles(call),
  ]);
  const inputs = await Promise.all(rows.map((row) => readMessageInput(imports, row)));
  const needsPaste = mayRead === false;
  const takesSlackFiles = mayRead === true && call.context.media.takesFiles;
  const text = needsPaste
    ? `Paste rows from a spreadsheet. ${CANNOT_READ_FILES}`
    : `Drop a CSV file in a direct message with me, or in a channel that I’m in. I read up to ${LIMITS_TEXT}, and first show you what I’d import.`;
  await call.reply({
    text,
    blocks: [
      section(`*Import posts*\n${text}`),
      context(
        plain(
          `Columns, in any order: Time, Text, Platforms, Media (a link${takesSlackFiles ? ', also to a file in Slack' : ''}), Alt text, Project, Status, Time zone, and “Text for X” for another text there. I also know the files of Buffer, Hootsuite, Publer, Sprout Social, Metricool and others.`,
        ),
      ),
      actions(
        button(
          needsPaste ? 'Paste rows…' : 'Choose a file or paste rows…',
          OPEN_ACTION,
          undefined,
          'primary',
        ),
        button('Get the template', TEMPLATE_ACTION),
      ),
      ...inputs.map(({ row, about, storedCount }, index) => ({
        ...section(`${escapeText(about?.fileName ?? 'Your table')}: ${renderState(row, storedCount)}`),
        accessory: button('Show', `${SHOW_ACTION}.${index}`, row.id),
      })),
    ],
  });
}

function renderState({ state, imported, good, undone }: PostImportRow, stored = imported): string {
  if (state === 'checked') return STATE_WORDS[state];
  const progress = state === 'undoing' || state === 'undone' ? [undone, stored] : [stored, good];
  return `${STATE_WORDS[state]}, ${progress.join(' of ')}`;
}

/** Checks the tables of a direct message at once, with the permission of the person. */
async function receiveDirectFile(call: EventCall): Promise<void> {
  const { files } = z.object({ files: z.unknown() }).parse(call.event.payload);
  if (call.actor.user === call.bot) return;
  for (const { id } of listTableFiles(files))
    await call.openFeature(NAME, { file: id, attached: JSON.stringify(files) });
}

const sharedFile = z.object({ file_id: z.string(), user_id: z.string(), channel_id: z.string() });

/**
 * A file in a channel. Most files there are no tables of posts, so only one with the columns of posts, by somebody who
 * may write posts, gets an answer, which nobody else sees.
 */
async function receiveSharedFile(call: EventCall): Promise<void> {
  const { data } = sharedFile.safeParse(call.event.payload);
  if (!data || data.user_id === call.bot || !isChannelId(data.channel_id)) return;
  const { file: info } = await call.client.files.info({ file: data.file_id });
  if (listTableFiles([info]).length === 0) return;
  const actor = { workspace: call.actor.workspace, user: data.user_id };
  if ((await call.context.access.recheckPermission(actor, 'contributor', undefined)) !== 'yes') return;
  const isTable = await call.context.imports.checkInTurn(call.actor.workspace, async () => {
    const file = await readSlackFile(call, data.file_id);
    return !('refusal' in file) && hasPosts(file.bytes);
  });
  if (!isTable) return;
  const text = 'This looks like a table of posts. I can check it, and import what you choose.';
  const message = addBlocks({ text }, actions(button('Check it', CHECK_ACTION, data.file_id, 'primary')));
  await call.client.chat.postEphemeral({
    channel: data.channel_id,
    user: data.user_id,
    ...disableParsing(message),
  });
}

/** Whether a file has the columns of posts: at least texts and times. */
async function hasPosts(bytes: Uint8Array): Promise<boolean> {
  const budget = createBudget(BUDGETS.table);
  const read = await readTable(bytes, budget);
  if (read.kind === 'refused') return false;
  const opened = await withinBudget(async () => ({ table: await openTable(read.rows, budget) }));
  const { text, when, date, clock } = ('table' in opened && opened.table?.columns) || {};
  return text !== undefined && (when ?? date ?? clock) !== undefined;
}

/** Checks a file, and says that the result is a direct message. */
async function checkChosenFile(call: ActionCall, id: string): Promise<void> {
  await call.acknowledge();
  const refusal = await checkFile(call, id, { channel: call.channel, channelName: call.channelName });
  await call.reply({ text: refusal ?? 'I’ve sent you the check as a direct message.' }, { replace: true });
}

async function importFromMessage(call: ShortcutCall): Promise<void> {
  const files = listTableFiles(call.message?.files);
  if (files.length === 0)
    return call.reply({ text: 'This message has no CSV file. To import one, type `/upnext import`.' });
  await call.acknowledge();
  const { channel, channelName, message } = call;
  for (const { id } of files)
    await checkAttachedFile(call, id, { channel, channelName, attached: JSON.stringify(message?.files) });
}

async function sendTemplate(call: ActionCall): Promise<void> {
  call.countCostlyAction();
  await call.acknowledge();
  const { zone, knownZone } = await fetchReader(call);
  const time = DateTime.fromJSDate(call.now(), { zone }).plus({ weeks: 1 }).startOf('week').toJSDate();
  const [projects, mayRead] = await Promise.all([
    call.context.reads.listProjects(call.context.api),
    mayReadFiles(call),
  ]);
  const project = (projects.kind === 'done' ? projects.data.items[0]?.name : undefined) ?? '';
  await call.reply(
    await sendCsv(call, {
      csv: buildTemplate({ time, zone: knownZone, project }),
      filename: 'upnext-posts.csv',
      text: `The template for an import: one row for each post. Fill it in, and ${mayRead ? 'drop it in a direct message with me' : 'paste its rows: /upnext import'}.`,
      guard: createExportGuard(call, { role: 'contributor', projects: [] }),
    }),
  );
}

/** The import of the pressed button, if it is the person's. */
const findPressed = (call: ActionCall, id = call.action.value) =>
  findImport(call.context.imports.db, {
    id: id ?? '',
    workspace: call.actor.workspace,
    author: call.actor.user,
  });

async function showPressed(call: ActionCall): Promise<void> {
  const row = await findPressed(call);
  await call.reply(row ? renderImport(await readMessageInput(call.context.imports, row)) : IMPORT_GONE);
}

/** Changes the state of the import, and shows it instead of the message with the button. */
async function press(call: ActionCall, from: readonly State[], to: State): Promise<void> {
  const { imports } = call.context;
  await call.acknowledge();
  const row = await findPressed(call);
  if (!row) return call.reply(IMPORT_GONE);
  const key = { id: row.id, workspace: row.workspace, author: row.author };
  const result = await pressImport(imports, key, { from, to });
  if (result.kind !== 'changed') call.recordOutcome?.('unchanged');
  if (result.kind === 'not-found') return call.reply(IMPORT_GONE);
  const input = await readMessageInput(imports, result.row);
  const message = renderImport(input);
  const note = result.kind === 'outdated' ? [context(OUTDATED)] : [];
  await call.reply({ ...message, blocks: [...note, ...(message.blocks ?? [])] }, { replace: true });
  // A short import may have been told before this reply.
  const current = await findPressed(call);
  const isTold = current && current.state !== result.row.state && ['done', 'undone'].includes(current.state);
  if (isTold) await call.reply(renderEarlierMessage({ ...input, row: current }), { replace: true });
}

/** Requires the roles that the posts need now. The hand-over of each post checks them once more. */
async function pressIfPermitted(call: ActionCall, from: readonly State[], to: State): Promise<void> {
  const row = await findPressed(call);
  const about = row && (await readPart(call.context.imports, row, 'about'));
  if (!about) return call.reply(IMPORT_GONE);
  for (const { id, role } of about.projects) await call.permit(role, id, `${NAME} action ${call.action.id}`);
  await press(call, from, to);
}

/** Checks the table of an import again, with other settings, and shows the result in its message. */
async function recheck(call: Call, importId: string, settings: ImportSettings): Promise<void> {
  const { checkInTurn } = call.context.imports;
  const refusal = await checkInTurn(call.actor.workspace, () => recheckStored(call, importId, settings));
  if (refusal !== undefined) await showRefusal(call, refusal);
}

/** Resolves with what keeps the table from being checked again (mrkdwn). */
async function recheckStored(call: Call, importId: string, settings: ImportSettings) {
  const { imports } = call.context;
  const { workspace, user: author } = call.actor;
  const row = await findImport(imports.db, { id: importId, workspace, author });
  const [source, about] = row
    ? await Promise.all([readSource(imports, row), readPart(imports, row, 'about')])
    : [];
  if (row?.state === 'dropped') return void (await call.reply(REPLACED));
  if (!row || !source || !about || row.state !== 'checked') {
    call.recordOutcome?.('unchanged');
    return IMPORT_GONE.text;
  }
  // The form doesn't ask again what columns are for.
  const { columns } = source.settings;
  const table = { ...source, fileName: about.fileName, settings: { columns, ...settings } };
  return checkTable(call, table, createBudget(BUDGETS.table), row);
}

/** What a button about a column says: the import, the column's index, and what it may be for. */
const columnAnswer = /^(\S+) (\d+) (project|platforms)$/;

const chooseOrder = (call: ActionCall, order: 'day-first' | 'month-first') => chooseSettings(call, { order });

/** Stores what a column is for that may say where rows go. */
async function chooseColumn(call: ActionCall, isUsed: boolean): Promise<void> {
  const [, id = '', index = '', use] = columnAnswer.exec(call.action.value ?? '') ?? [];
  const chosen = isUsed && (use === 'project' || use === 'platforms') ? use : 'nothing';
  await chooseSettings(call, { columns: { [index]: chosen } }, id);
}

/** Checks the table of the pressed import again, with another answer than before. */
async function chooseSettings(
  call: ActionCall,
  answer: ImportSettings,
  id = call.action.value,
): Promise<void> {
  await call.acknowledge();
  const row = await findPressed(call, id);
  const source = row && (await readPart(call.context.imports, row, 'source'));
  if (!source) return call.reply(row?.state === 'dropped' ? REPLACED : IMPORT_GONE);
  const { project } = source.settings;
  // The rows are compared with the project's posts, which the person may no longer see.
  if (project) await call.permit('contributor', project.id, `${NAME} action ${call.action.id}`);
  const columns = { ...source.settings.columns, ...answer.columns };
  await recheck(call, row.id, { ...source.settings, ...answer, columns });
}

async function openSettings(call: ActionCall): Promise<void> {
  const row = await findPressed(call);
  if (row?.state !== 'checked') return call.reply(IMPORT_GONE);
  await settingsForm.openForm(call, { prefill: await readPrefill(call, row.id) });
}

async function sendLeftRows(call: ActionCall): Promise<void> {
  call.countCostlyAction();
  await call.acknowledge();
  const row = await findPressed(call);
  if (!row) return call.reply(IMPORT_GONE);
  const { client, actor, context } = call;
  const { channel } = await client.conversations.open({ users: actor.user });
  try {
    const count = await sendCorrections(context.imports, { client, channel: channel?.id ?? '' }, row);
    if (count === 0) await call.reply({ text: 'No row needs a correction.' });
  } catch (error) {
    await call.reply(explainFailedUpload(error));
  }
}

const settingsForm = createSettingsForm(recheck);

const createPress = (
  deed: Handler<ActionCall>['deed'],
  from: readonly State[],
  to: State,
  run = pressIfPermitted,
): Handler<ActionCall> => ({ deed, run: (call) => run(call, from, to) });

/** Imports posts from a CSV file, or from pasted rows. */
export const importPosts: Feature = {
  name: NAME,
  commands: [
    {
      name: 'import',
      aliases: ['imports', 'upload', 'csv'],
      summary: 'Import posts from a CSV file',
      examples: { '/upnext import': 'See your imports, get the template, or choose a file.' },
      button: false,
      deed: 'open the imports',
      run: showOverview,
    },
  ],
  role: 'contributor',
  optionalScopes: {
    [READ_SCOPE]: { purpose: 'to import posts from CSV files', missingAbility: 'import posts from files' },
  },
  open: {
    deed: 'check a file of posts',
    run: (call, { file = '', attached = '[]' }) => checkAttachedFile(call, file, { attached }),
  },
  events: {
    'message.im': { deed: 'send a file to Upnext', run: receiveDirectFile },
    file_shared: { deed: 'share a file', run: receiveSharedFile },
  },
  shortcuts: {
    'import.file': {
      name: 'Import posts from file',
      description: 'Check the tables of this message, and import their posts',
      type: 'message',
      deed: 'check the file of a message',
      run: importFromMessage,
    },
  },
  views: { ...settingsForm.views, [SOURCE_VIEW]: { deed: 'check a table of posts', run: submitSource } },
  actions: {
    ...settingsForm.actions,
    [OPEN_ACTION]: { deed: 'open the form for an import', run: openSource },
    [TEMPLATE_ACTION]: { deed: 'export the template for an import', run: sendTemplate },
    [CHECK_ACTION]: {
      deed: 'check a shared table of posts',
      run: (call) => checkChosenFile(call, call.action.value ?? ''),
    },
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [
        `${SHOW_ACTION}.${index}`,
        { deed: 'open an import', run: showPressed } satisfies Handler<ActionCall>,
      ]),
    ),
    [IMPORT_ACTIONS.start]: createPress('import posts', ['checked'], 'importing'),
    [IMPORT_ACTIONS.settings]: { deed: 'open the settings of an import', run: openSettings },
    [IMPORT_ACTIONS.dayFirst]: {
      deed: 'choose the dates of an import',
      run: (call) => chooseOrder(call, 'day-first'),
    },
    [IMPORT_ACTIONS.monthFirst]: {
      deed: 'choose the dates of an import',
      run: (call) => chooseOrder(call, 'month-first'),
    },
    [IMPORT_ACTIONS.useColumn]: {
      deed: 'choose the columns of an import',
      run: (call) => chooseColumn(call, true),
    },
    [IMPORT_ACTIONS.leaveColumn]: {
      deed: 'choose the columns of an import',
      run: (call) => chooseColumn(call, false),
    },
    [IMPORT_ACTIONS.corrections]: { deed: 'export the rows to correct', run: sendLeftRows },
    [IMPORT_ACTIONS.discard]: createPress('discard an import', ['checked'], 'dropped', press),
    [IMPORT_ACTIONS.stop]: createPress('stop an import', ['importing'], 'stopped', press),
    [IMPORT_ACTIONS.resume]: createPress('resume an import', ['stopped'], 'importing'),
    [IMPORT_ACTIONS.undo]: createPress('ask to undo an import', ['stopped', 'done'], 'undoing'),
  },
  options: settingsForm.options,
};
