import { type AuditAction, buildDoneEntry, type PreparedEntry } from '../access/access.ts';
import type { Call } from './call.ts';

/**
 * Creates the function that prepares the audit entries of a request: what the person does with a post or a submission, and in
 * which project. Each is stored with the change that it is about.
 */
export function createEntryPreparer(call: Pick<Call, 'actor' | 'reference' | 'context'>) {
  return (
    action: AuditAction,
    { id: target, project }: { id: string; project: string | null },
  ): PreparedEntry =>
    call.context.record.prepare(buildDoneEntry(call, { action, project: project ?? undefined, target }));
}
