import type { Call } from '../../app/call.ts';
import { readContent } from '../../submissions/read-content.ts';
import { changedSince } from '../../submissions/sql/lists.ts';
import { oldValues, PUT_BACK_MS, sourceSubmission } from './source-submission.ts';

/** Of a project's sources, which the person has changed and can still put back: source id → id of the submission. */
export async function stillBack(
  { context, who }: Call,
  project: string,
): Promise<ReadonlyMap<string, string>> {
  const { machine } = context.submissions;
  const rows = await changedSince(context.db, {
    workspace: who.workspace,
    asker: who.user,
    kind: sourceSubmission.name,
    project,
    since: new Date(machine.clock().getTime() - PUT_BACK_MS),
  });
  const newest = new Map<string, string>();
  const seen = new Set<string>();
  for (const row of rows) {
    const read = readContent(machine, sourceSubmission, row);
    if (!read || seen.has(read.content.source.id)) continue;
    seen.add(read.content.source.id);
    if (oldValues(read.content)) newest.set(read.content.source.id, row.id);
  }
  return newest;
}
