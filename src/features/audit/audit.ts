import { searchRecord } from '../../access/access.ts';
import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader, type Reader } from '../../forms/reader.ts';
import { decodeButtonState } from '../../slack/carried.ts';
import { sendCsv } from '../../slack/csv.ts';
import { findRange } from '../../when/when.ts';
import {
  type AuditState,
  auditList,
  auditState,
  EXPORT,
  exportWords,
  LIST,
  LISTED,
  NEXT,
  PREVIOUS,
  recordAsCsv,
  searchOf,
} from './audit-list.ts';
import { namedPeople } from './named-people.ts';

/** What was decided here: who did what, and who was refused. */
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
  actions: { [LIST]: turn, [PREVIOUS]: turn, [NEXT]: turn, [EXPORT]: exportCsv },
};

/** More is no file that anybody reads. */
const MOST_EXPORTED = 100_000;

async function list(call: CommandCall): Promise<void> {
  const reader = await fetchReader(call);
  const { people, rest } = await namedPeople(call, call.words);
  const found = read(rest, reader);
  await ('tooLong' in found
    ? call.reply({ text: found.tooLong })
    : show(call, { ...found, people }, reader, false));
}

async function turn(call: ActionCall): Promise<void> {
  const state = decodeButtonState(auditState, call.action.value) ?? { words: '', people: [], page: 0 };
  await show(call, state, await fetchReader(call), true);
}

async function show(call: Call, state: AuditState, reader: Reader, replace: boolean): Promise<void> {
  const { context, who } = call;
  // What this request itself is recorded as stands in it too.
  await context.record.settled(who.workspace);
  const search = searchOf(who.workspace, state);
  const wanted = Math.max(0, state.page);
  const found = await searchRecord(context.db, search, { skip: wanted * LISTED, limit: LISTED });
  await call.reply(auditList(found, { ...state, page: wanted }, reader), { replace });
}

/** "refused last week" is a stretch of time and a word to look for. */
function read(text: string, { now, zone, locale }: Reader): Omit<AuditState, 'people'> | { tooLong: string } {
  const found = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!found) return { words: text.trim(), page: 0 };
  if (found.kind === 'not-understood') return { tooLong: found.reason };
  const { reading, rest } = found;
  // Where several stretches are meant, the first is taken; the title names it.
  const range = reading.kind === 'understood' ? reading.range : reading.candidates[0]?.range;
  return {
    words: rest.trim(),
    ...(range?.from && { from: range.from.getTime() }),
    ...(range?.to && { to: range.to.getTime() }),
    page: 0,
  };
}

async function exportCsv(call: ActionCall): Promise<void> {
  const { context, who } = call;
  const state = decodeButtonState(auditState, call.action.value);
  if (!state) return;
  call.countCostly();
  const reader = await fetchReader(call);
  const search = searchOf(who.workspace, state);
  const { rows, count } = await searchRecord(context.db, search, { skip: 0, limit: MOST_EXPORTED });
  const message = await sendCsv(call, {
    csv: recordAsCsv(rows),
    filename: `record-${call.now().toISOString().slice(0, 10)}.csv`,
    words: exportWords(state, reader, { exported: rows.length, count }),
  });
  await call.reply(message);
}
