import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  type Decision,
  type Deed,
  type FoundRow,
  findPersonLimits,
  isReadingDeed,
  listRecordedActions,
  MAX_SEARCHED_RECORDS,
  type PersonLimit,
  type RecordCursor,
  type RecordRow,
  type RecordSearch,
  type RecordSearchResult,
  type SearchedPart,
  type SearchTerm,
  searchRecord,
} from '../../access/access.ts';
import { namedRecord } from '../../forms/field.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import {
  createExportGuard,
  createList,
  listSearch,
  parseListSearch,
  renderListSearch,
} from '../../lists/list.ts';
import {
  actions,
  buildButtonRow,
  clipLine,
  context,
  escapeText,
  header,
  plain,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { formatCsv, sendCsv } from '../../slack/csv.ts';
import { buildPageButtons, buildStateButton } from '../../slack/list-pages.ts';
import { addBlocks, buildQuotingMessage, type Message } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import { zoneName } from '../../when/zones.ts';
import { renderCount } from '../../words.ts';
import { findMentionedPeople, readProjectNames, readRecordedSubmissions } from './audit-names.ts';
import {
  type AuditNames,
  findRequestDeed,
  renderAuditSentence,
  renderClockTime,
  renderDayHeading,
  renderRest,
  renderSearchableText,
} from './audit-sentence.ts';

/** The state of a list, which its buttons store. `isUnparsed`: `words` is typed text, with people and days. */
const auditState = listSearch.extend({
  people: z.array(namedRecord),
  isUnparsed: z.boolean().optional(),
  page: z.number().int(),
});

const PREFIX = 'audit';

const list = createList({
  prefix: PREFIX,
  deed: 'open the audit log',
  state: auditState,
  start: (words): AuditState => ({ words, people: [], isUnparsed: true, page: 0 }),
  createMessage: createListMessage,
  file: { deed: 'export the audit log', send: sendAuditCsv },
});

/** Lists, searches and exports the audit log of a workspace: actions, actors and refusals. */
export const audit: Feature = {
  name: 'audit',
  commands: [
    {
      name: 'audit',
      aliases: ['record', 'trail'],
      summary: 'The audit log: who did what, searchable and as a CSV file',
      usage: '[words] [days]',
      examples: {
        '/upnext audit': 'See the latest entries.',
        '/upnext audit denied last week': 'See what was refused last week.',
      },
      isReadOnly: true,
      ...list.command,
    },
  ],
  role: 'owner',
  optionalScopes: {
    'files:write': {
      purpose: 'to send the audit log as a CSV file to an owner',
      missingAbility: 'send CSV files',
    },
  },
  actions: list.actions,
};

/**
 * Maximum number of parts of an export, each of MAX_SEARCHED_RECORDS entries. People export older entries by range of
 * days. One request formats all entries, and a request should take less than 250 ms of CPU time: on a slow machine with
 * 2 cores, 16,000 entries took 280.
 */
const MAX_EXPORTED_PARTS = 3;

async function createListMessage(call: Call, request: AuditState): Promise<Message> {
  const { context: appContext, actor } = call;
  const reader = await fetchReader(call);
  const state = request.isUnparsed ? await parseRequest(call, request, reader) : request;
  if ('text' in state) return state;
  // Write the record of this request first, so that the list includes it.
  await appContext.record.flush(actor.workspace);
  const projectNames = await readProjectNames(call);
  const people = state.people.map(({ id }) => id);
  const period = { workspace: actor.workspace, from: state.from, to: state.to };
  const limits = await findPersonLimits(appContext.db, period, people);
  const { readingActions, ...search } = await createSearch(call, state, projectNames, { limits });
  const pageNumber = Math.max(0, state.page);
  const page = { skip: pageNumber * PAGE_SIZE, limit: PAGE_SIZE, list: { readingActions, people } };
  const result = await searchRecord(appContext.db, search, page);
  const submissions = await readRecordedSubmissions(call, result.rows, reader);
  const names = { ...projectNames, submissions, deeds: appContext.deeds };
  return renderAuditList({ ...result, limits }, { state: { ...state, page: pageNumber }, reader, names });
}

/** Parses "@Mira Vos refused last week" into people, search words and a range of days. */
async function parseRequest(
  call: Call,
  { words }: AuditState,
  reader: Reader,
): Promise<AuditState | Message> {
  const { people, rest } = await findMentionedPeople(call, words);
  const parsed = parseListSearch(rest, reader);
  if (parsed.kind === 'too-long') return { text: parsed.reason };
  // An ambiguous range means its first candidate. The title of the list shows that range.
  const search = parsed.kind === 'parsed' ? parsed.search : parsed.candidates[0]?.search;
  return { words: '', ...search, people, page: 0 };
}

async function sendAuditCsv(call: Call, state: AuditState): Promise<Message> {
  const reader = await fetchReader(call);
  const { rows, mayHaveOlder } = await findExportedRows(call, state);
  const searched = mayHaveOlder ? `, found in the newest ${MAX_EXPORTED_PARTS * MAX_SEARCHED_RECORDS}` : '';
  return sendCsv(call, {
    csv: formatRecordCsv(rows),
    filename: `record-${call.now().toISOString().slice(0, 10)}.csv`,
    text: `Upnext’s audit log${renderSearch(state, reader)}, as CSV: ${renderCount(rows.length, 'entry', 'entries')}${searched}`,
    guard: createExportGuard(call, { role: 'owner', projects: [], action: 'audit export' }),
  });
}

/** Finds the entries of an export, newest first. Searches in parts, so that each statement is short. */
async function findExportedRows(
  call: Call,
  state: AuditState,
): Promise<{ rows: RecordRow[]; mayHaveOlder: boolean }> {
  const projectNames = await readProjectNames(call);
  const page = { skip: 0, limit: MAX_SEARCHED_RECORDS };
  const rows: RecordRow[] = [];
  let before: RecordCursor | undefined;
  for (let part = 0; part < MAX_EXPORTED_PARTS; part += 1) {
    const { readingActions: _, ...search } = await createSearch(call, state, projectNames, { before });
    const found = await searchRecord(call.context.db, search, page);
    rows.push(...found.rows);
    before = found.oldest;
    if (!before) break;
  }
  return { rows, mayHaveOlder: before !== undefined };
}

/** Maximum entries on a page. An entry has at most about 250 characters, and the section of a day 3,000. */
const PAGE_SIZE = 10;
const MAX_NAME_LENGTH = 100;

export function renderAuditList(
  { rows, count, oldest, limits = [] }: RecordSearchResult & { limits?: readonly PersonLimit[] },
  { state, reader, names }: { state: AuditState; reader: Reader; names: AuditNames },
): Message {
  const filter = renderSearch(state, reader);
  const page = { number: state.page, count: Math.ceil(count / PAGE_SIZE) };
  const isLastPage = page.number >= page.count - 1;
  const olderButtons =
    oldest && isLastPage
      ? buildStateButton('Search older', `${PREFIX}.next`, { ...state, to: oldest.at, page: 0 })
      : [];
  const everything = { words: '', people: [], page: 0 };
  const showAllButtons = filter === '' ? [] : buildStateButton('Show all', `${PREFIX}.list`, everything);
  if (count === 0) {
    const place = oldest ? `the newest ${MAX_SEARCHED_RECORDS} entries` : 'the audit log';
    return addBlocks(
      buildQuotingMessage(
        `Nothing in ${place}${filter}.`,
        /(?:^|\s)@/.test(state.words) ? 'I can’t tell who that is, so I searched for the words.' : undefined,
      ),
      ...renderLimits(limits),
      ...buildButtonRow([...olderButtons, ...showAllButtons]),
    );
  }
  const firstNumber = state.page * PAGE_SIZE + 1;
  const range = `${firstNumber}–${firstNumber + rows.length - 1} of ${count}`;
  const title = `Audit log${filter}: ${count > PAGE_SIZE && rows.length > 0 ? range : renderCount(count, 'entry', 'entries')}`;
  const searched = oldest ? ` I searched the newest ${MAX_SEARCHED_RECORDS} entries.` : '';
  return {
    text: escapeText(title),
    blocks: [
      header(title),
      context(
        plain(
          `Newest first, ${zoneName(reader.zone)} time. What people only opened is in the CSV file.${searched}`,
        ),
      ),
      ...renderLimits(limits),
      ...renderDays(rows, { reader, names, limits }),
      actions(
        ...buildPageButtons(PREFIX, page, (number) => ({ ...state, page: number })),
        ...olderButtons,
        ...buildStateButton('Export as CSV', `${PREFIX}.export`, state),
        ...showAllButtons,
      ),
    ],
  };
}

/** Maximum number of people who are named in a line about their older entries. Our own limit. */
const MAX_LIMITED_PEOPLE = 10;

/** Says whose older entries were left out, so that they don't hide those of others. */
function renderLimits(limits: readonly PersonLimit[]): KnownBlock[] {
  if (limits.length === 0) return [];
  const names = joinNames(
    limits.map(({ actor }) => `<@${actor}>`),
    MAX_LIMITED_PEOPLE,
  );
  const [counts, whose] = [limits.map(({ count }) => count), limits.length === 1 ? 'their' : 'a'];
  const each = limits.length === 1 ? '' : ' each';
  return [
    context(
      `Of ${names}, I searched the newest ${Math.min(...counts)} entries${each}. To search all: \`/upnext audit\` and ${whose} name.`,
    ),
  ];
}

/** Renders the rows as one section a day. The mentions notify nobody, because only one person sees the message. */
function renderDays(
  rows: readonly FoundRow[],
  { reader, names, limits }: { reader: Reader; names: AuditNames; limits: readonly PersonLimit[] },
): KnownBlock[] {
  if (rows.length === 0) return [section('This page is empty.')];
  const linesByDay = new Map<string, string[]>();
  for (const row of rows) {
    const day = renderDayHeading(row.at, reader);
    const sentence = row.isRest
      ? renderRest(
          row,
          limits.some(({ actor }) => actor === row.actor),
        )
      : renderAuditSentence(row, names);
    const times = !row.isRest && (row.times ?? 1) > 1 ? ` (${row.times} times)` : '';
    const line = `${renderClockTime(row.at, reader)}  ${sentence}${times}`;
    linesByDay.set(day, [...(linesByDay.get(day) ?? []), line]);
  }
  return [...linesByDay].map(([day, lines]) => section(`*${escapeText(day)}*\n${lines.join('\n')}`));
}

/** Renders the search as plain text: "", or " about @Mira Vos with “denied”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
function renderSearch({ people, ...search }: AuditState, reader: Reader): string {
  const names = people.map(({ name }) => clipLine(name, MAX_NAME_LENGTH)).join(' and ');
  return `${names === '' ? '' : ` about ${names}`}${renderListSearch(search, reader)}`;
}

/** The columns of the CSV file, each with its heading. */
const CSV_COLUMNS = {
  ...{ Id: 'id', 'Time (UTC)': 'at', Who: 'actor', Project: 'project' },
  ...{ Action: 'action', Target: 'target', Decision: 'decision', Reference: 'reference' },
} as const satisfies Record<string, keyof RecordRow>;

/** Formats records as CSV. The ids are also in the log, so that the two can be compared. */
export function formatRecordCsv(rows: readonly RecordRow[]): string {
  const toCell = (value: string | Date) => (value instanceof Date ? value.toISOString() : value);
  return formatCsv([
    Object.keys(CSV_COLUMNS),
    ...rows.map((row) => Object.values(CSV_COLUMNS).map((column) => toCell(row[column]))),
  ]);
}

const MAX_SEARCH_WORDS = 8;

/** Words that join names in a sentence. Entries don't contain them, so searches ignore them. */
const JOINING_WORDS = ['to', 'in', 'for', 'of', 'a', 'an', 'the'];

/** Search words that find entries by their decisions. Sentences about denied requests begin with "Denied". */
const DECISIONS_OF_WORDS: ReadonlyMap<string, Decision[]> = new Map([
  ['denied', ['refused', 'not-checked']],
  ['tried', ['refused', 'not-checked', 'unchanged']],
  ['nothing', ['unchanged']],
  ['result', ['unknown']],
]);

type AuditState = z.infer<typeof auditState>;

/**
 * The forms whose submissions have entries of their own, because a form that was submitted may also have been shown again
 * with errors; and the form that only filters a list.
 */
const FORM_WITHOUT_ENTRY =
  /^(?:submit|confirm) the (?:(?:post|prompt|source|invitation) form|form for a person’s role|form that deletes a (?:webhook|file)|filter of the list of posts)$/;

/** Whether the list shows allowed requests with this deed. The file has all that are recorded. */
export function isListedDeed(deed: Deed | undefined): boolean {
  return deed === undefined || !(isReadingDeed(deed) || FORM_WITHOUT_ENTRY.test(deed));
}

/**
 * Creates the search for a list or for one part of a file. Its words also find entries whose sentences contain them.
 * `part`: which entries are left, and of whom. `readingActions`: see `isListedDeed`.
 */
async function createSearch(
  { context, actor: { workspace } }: Call,
  state: AuditState,
  { projects }: Pick<AuditNames, 'projects'>,
  part?: Pick<SearchedPart, 'before' | 'limits'>,
): Promise<RecordSearch & { readingActions: string[] }> {
  const searched: SearchedPart = { ...part, workspace, from: state.from, to: state.to };
  const { deeds } = context;
  const recordedActions = await listRecordedActions(context.db, searched);
  return {
    ...searched,
    terms: listTerms(state, { projects, deeds, actions: state.words === '' ? [] : recordedActions }),
    readingActions: recordedActions.filter((action) => !isListedDeed(findRequestDeed(deeds, action))),
  };
}

/** Converts the words of a list to the terms of a search. `actions`: all recorded actions. */
function listTerms(
  { words, people }: AuditState,
  names: Pick<AuditNames, 'projects' | 'deeds'> & { actions: readonly string[] },
): SearchTerm[] {
  const { projects, deeds, actions: recordedActions } = names;
  const terms = words
    .split(/\s+/)
    .map((word) => sanitizeLine(word))
    .filter((word) => word !== '' && !JOINING_WORDS.includes(word.toLowerCase()))
    .slice(0, MAX_SEARCH_WORDS)
    .map((word): SearchTerm => {
      const text = word.toLowerCase();
      return {
        text,
        actions: recordedActions.filter((action) => renderSearchableText(action, deeds).includes(text)),
        projects: [...projects].flatMap(([id, name]) => (name.toLowerCase().includes(text) ? [id] : [])),
        decisions: DECISIONS_OF_WORDS.get(text) ?? [],
      };
    });
  const personTerms = people.map(({ id }) => ({ text: id, actions: [], projects: [], decisions: [] }));
  return [...personTerms, ...terms];
}
