import { searchRecord } from '../../access/access.ts';
import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { sendCsv } from '../../slack/csv.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { findRange } from '../../when/when.ts';
import {
  type AuditState,
  auditState,
  EXPORT,
  formatRecordCsv,
  LIST,
  NEXT,
  PAGE_SIZE,
  PREVIOUS,
  renderAuditList,
  renderExportMessage,
  toRecordSearch,
} from './audit-list.ts';
import { findMentionedPeople } from './mentioned-people.ts';

/** Lists, searches and exports the audit record of a workspace: actions, actors and refusals. */
export const audit: Feature = {
  name: 'audit',
  commands: [
    {
      name: 'audit',
      aliases: ['record', 'trail'],
      summary: 'The audit log: who did what, searchable and as a CSV file',
      usage: '[words] [days]',
      examples: ['/upnext audit', '/upnext audit refused last week'],
      run: (call) => replyList(call),
    },
  ],
  role: () => 'owner',
  scopes: { 'files:write': 'to send the audit record as a CSV file to an owner' },
  actions: { [LIST]: showPage, [PREVIOUS]: showPage, [NEXT]: showPage, [EXPORT]: exportCsv },
};

/**
 * Maximum records in an export. An export has the newest matching records; for older records, people search by days.
 * Formatting 16,000 records took 280 ms of CPU time on a slow machine with 2 cores. An export should take less than
 * 250 ms, because it delays all other requests.
 */
const MAX_EXPORTED_RECORDS = 10_000;

async function replyList(call: CommandCall): Promise<void> {
  const reader = await fetchReader(call);
  const { people, otherWords } = await findMentionedPeople(call, call.text);
  const search = parseSearch(otherWords, reader);
  await ('errorText' in search
    ? call.reply({ text: search.errorText })
    : showList(call, { ...search, people }, { reader, replace: false }));
}

async function showPage(call: ActionCall): Promise<void> {
  const state = decodeButtonState(auditState, call.action.value) ?? { words: '', people: [], page: 0 };
  await showList(call, state, { reader: await fetchReader(call), replace: true });
}

async function showList(
  call: Call,
  state: AuditState,
  { reader, replace }: { reader: Reader; replace: boolean },
): Promise<void> {
  const { context, actor } = call;
  // Write the pending records first, so that the list includes the record of this request.
  await context.record.flush(actor.workspace);
  const search = toRecordSearch(actor.workspace, state);
  const pageNumber = Math.max(0, state.page);
  const result = await searchRecord(context.db, search, { skip: pageNumber * PAGE_SIZE, limit: PAGE_SIZE });
  await call.reply(renderAuditList(result, { ...state, page: pageNumber }, reader), { replace });
}

/** Parses "refused last week" into search words and a range of days. `errorText`: the text is too long. */
function parseSearch(
  text: string,
  { now, zone, locale }: Reader,
): Omit<AuditState, 'people'> | { errorText: string } {
  const foundRange = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!foundRange) return { words: text.trim(), page: 0 };
  if (foundRange.kind === 'not-understood') return { errorText: foundRange.reason };
  const { reading, rest: words } = foundRange;
  // If the range is ambiguous, use the first candidate. The title of the list shows which range is used.
  const range = reading.kind === 'understood' ? reading.range : reading.candidates[0]?.range;
  return {
    words: words.trim(),
    ...(range?.from && { from: range.from.getTime() }),
    ...(range?.to && { to: range.to.getTime() }),
    page: 0,
  };
}

async function exportCsv(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const state = decodeButtonState(auditState, call.action.value);
  if (!state) return;
  call.countCostlyAction();
  const reader = await fetchReader(call);
  const search = toRecordSearch(actor.workspace, state);
  const { rows, count } = await searchRecord(context.db, search, { skip: 0, limit: MAX_EXPORTED_RECORDS });
  const message = await sendCsv(call, {
    csv: formatRecordCsv(rows),
    filename: `record-${call.now().toISOString().slice(0, 10)}.csv`,
    text: renderExportMessage(state, reader, { exported: rows.length, count }),
  });
  await call.reply(message);
}
