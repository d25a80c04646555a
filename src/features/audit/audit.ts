import { searchRecord } from '../../access/access.ts';
import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { sendCsv } from '../../slack/csv.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { findRange } from '../../when/when.ts';
import {
  type AuditState,
  auditList,
  auditState,
  EXPORT,
  exportText,
  formatRecordCsv,
  LIST,
  NEXT,
  PAGE_SIZE,
  PREVIOUS,
  toRecordSearch,
} from './audit-list.ts';
import { findMentionedPeople } from './mentioned-people.ts';

/** The audit record of a workspace: actions, actors and refusals. */
export const audit: Feature = {
  name: 'audit',
  commands: [
    {
      name: 'audit',
      aliases: ['record', 'trail'],
      summary: 'The record of who did what here, and who was refused; by words and days, and as a CSV file',
      usage: '[words] [days]',
      examples: ['/upnext audit', '/upnext audit refused last week'],
      run: (call) => list(call),
    },
  ],
  role: () => 'owner',
  scopes: { 'files:write': 'to send the record as a CSV file to the owner who asks for it' },
  actions: { [LIST]: showPage, [PREVIOUS]: showPage, [NEXT]: showPage, [EXPORT]: exportCsv },
};

/**
 * The newest ones; the message says how many there are, and a range of time exports older ones. All are formatted in one
 * request: measured on a slow machine of 2 cores, 16,000 took 280 ms of CPU time, and a request should stay under 250.
 */
const MAX_EXPORTED_RECORDS = 10_000;

async function list(call: CommandCall): Promise<void> {
  const reader = await fetchReader(call);
  const { people, rest } = await findMentionedPeople(call, call.words);
  const found = parseSearch(rest, reader);
  await ('tooLong' in found
    ? call.reply({ text: found.tooLong })
    : show(call, { ...found, people }, reader, false));
}

async function showPage(call: ActionCall): Promise<void> {
  const state = decodeButtonState(auditState, call.action.value) ?? { words: '', people: [], page: 0 };
  await show(call, state, await fetchReader(call), true);
}

async function show(call: Call, state: AuditState, reader: Reader, replace: boolean): Promise<void> {
  const { context, actor } = call;
  // The list includes the record of this request.
  await context.record.flush(actor.workspace);
  const search = toRecordSearch(actor.workspace, state);
  const pageNumber = Math.max(0, state.page);
  const found = await searchRecord(context.db, search, { skip: pageNumber * PAGE_SIZE, limit: PAGE_SIZE });
  await call.reply(auditList(found, { ...state, page: pageNumber }, reader), { replace });
}

/** Splits "refused last week" into a range of days and a search word. */
function parseSearch(
  text: string,
  { now, zone, locale }: Reader,
): Omit<AuditState, 'people'> | { tooLong: string } {
  const found = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!found) return { words: text.trim(), page: 0 };
  if (found.kind === 'not-understood') return { tooLong: found.reason };
  const { reading, rest } = found;
  // An ambiguous range resolves to its first candidate, which the title of the list names.
  const range = reading.kind === 'understood' ? reading.range : reading.candidates[0]?.range;
  return {
    words: rest.trim(),
    ...(range?.from && { from: range.from.getTime() }),
    ...(range?.to && { to: range.to.getTime() }),
    page: 0,
  };
}

async function exportCsv(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const state = decodeButtonState(auditState, call.action.value);
  if (!state) return;
  call.countCostly();
  const reader = await fetchReader(call);
  const search = toRecordSearch(actor.workspace, state);
  const { rows, count } = await searchRecord(context.db, search, { skip: 0, limit: MAX_EXPORTED_RECORDS });
  const message = await sendCsv(call, {
    csv: formatRecordCsv(rows),
    filename: `record-${call.now().toISOString().slice(0, 10)}.csv`,
    text: exportText(state, reader, { exported: rows.length, count }),
  });
  await call.reply(message);
}
