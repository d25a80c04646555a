import {
  MAX_SEARCHED_RECORDS,
  type RecordCursor,
  type RecordRow,
  searchRecord,
} from '../../access/access.ts';
import type { ActionCall, Call, CommandCall, Handler } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { sendCsv } from '../../slack/csv.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { findRange } from '../../when/when.ts';
import {
  EXPORT_ACTION,
  formatRecordCsv,
  LIST_ACTION,
  NEXT_ACTION,
  PAGE_SIZE,
  PREVIOUS_ACTION,
  renderAuditList,
  renderExportComment,
} from './audit-list.ts';
import { findMentionedPeople, readProjectNames, readRecordedSubmissions } from './audit-names.ts';
import { type AuditState, auditState, createSearch } from './audit-search.ts';

const pageHandler: Handler<ActionCall> = { deed: 'open the audit log', run: showPage };

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
      deed: 'open the audit log',
      run: (call) => replyList(call),
    },
  ],
  role: 'owner',
  optionalScopes: {
    'files:write': {
      purpose: 'to send the audit log as a CSV file to an owner',
      missingAbility: 'send CSV files',
    },
  },
  actions: {
    [LIST_ACTION]: pageHandler,
    [PREVIOUS_ACTION]: pageHandler,
    [NEXT_ACTION]: pageHandler,
    [EXPORT_ACTION]: { deed: 'export the audit log', run: exportCsv },
  },
};

/**
 * Maximum number of parts of an export, each of MAX_SEARCHED_RECORDS entries. People export older entries by range of days.
 * One request formats all entries, and a request should take less than 250 ms of CPU time: on a slow machine with 2 cores,
 * 16,000 entries took 280.
 */
const MAX_EXPORTED_PARTS = 3;

async function replyList(call: CommandCall): Promise<void> {
  const reader = await fetchReader(call);
  const { people, rest } = await findMentionedPeople(call, call.text);
  const search = parseSearch(rest, reader);
  await ('failureText' in search
    ? call.reply({ text: search.failureText })
    : showList(call, { ...search, people }, reader, { replace: false }));
}

async function showPage(call: ActionCall): Promise<void> {
  const state = decodeButtonState(auditState, call.action.value) ?? { words: '', people: [], page: 0 };
  await showList(call, state, await fetchReader(call), { replace: true });
}

async function showList(
  call: Call,
  state: AuditState,
  reader: Reader,
  { replace }: { replace: boolean },
): Promise<void> {
  const { context, actor } = call;
  // Write the record of this request first, so that the list includes it.
  await context.record.flush(actor.workspace);
  const projectNames = await readProjectNames(call);
  const search = await createSearch(call, state, projectNames);
  const pageNumber = Math.max(0, state.page);
  const page = { skip: pageNumber * PAGE_SIZE, limit: PAGE_SIZE, isMerged: true };
  const result = await searchRecord(context.db, search, page);
  const submissions = await readRecordedSubmissions(call, result.rows, reader);
  const names = { ...projectNames, submissions, deeds: context.deeds };
  const shown = { state: { ...state, page: pageNumber }, reader, names };
  await call.reply(renderAuditList(result, shown), { replace });
}

/** Parses "refused last week" into search words and a range of days. */
function parseSearch(
  text: string,
  { now, zone, locale }: Reader,
): Omit<AuditState, 'people'> | { failureText: string } {
  const foundRange = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!foundRange) return { words: text.trim(), page: 0 };
  if (foundRange.kind === 'not-understood') return { failureText: foundRange.reason };
  const { reading, rest } = foundRange;
  // An ambiguous range means its first candidate. The title of the list shows that range.
  const range = reading.kind === 'understood' ? reading.range : reading.candidates[0]?.range;
  return {
    words: rest.trim(),
    ...(range?.from && { from: range.from.getTime() }),
    ...(range?.to && { to: range.to.getTime() }),
    page: 0,
  };
}

async function exportCsv(call: ActionCall): Promise<void> {
  const state = decodeButtonState(auditState, call.action.value);
  if (!state) return;
  call.countCostlyAction();
  const reader = await fetchReader(call);
  const { rows, mayHaveOlder } = await findExportedRows(call, state);
  const message = await sendCsv(call, {
    csv: formatRecordCsv(rows),
    name: 'record',
    text: renderExportComment(
      state,
      reader,
      rows.length,
      mayHaveOlder ? MAX_EXPORTED_PARTS * MAX_SEARCHED_RECORDS : undefined,
    ),
  });
  await call.reply(message);
}

/** Finds the entries of an export, newest first. Searches in parts, so that each statement is short. */
async function findExportedRows(
  call: ActionCall,
  state: AuditState,
): Promise<{ rows: RecordRow[]; mayHaveOlder: boolean }> {
  const projectNames = await readProjectNames(call);
  const page = { skip: 0, limit: MAX_SEARCHED_RECORDS, isMerged: false };
  const rows: RecordRow[] = [];
  let before: RecordCursor | undefined;
  for (let part = 0; part < MAX_EXPORTED_PARTS; part += 1) {
    const search = await createSearch(call, state, projectNames, before);
    const found = await searchRecord(call.context.db, search, page);
    rows.push(...found.rows);
    before = found.oldest;
    if (!before) break;
  }
  return { rows, mayHaveOlder: before !== undefined };
}
