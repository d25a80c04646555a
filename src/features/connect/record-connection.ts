import type { Call } from '../../app/call.ts';

/** For the record: to which host, and of which project where it is not of all. */
export async function recordConnection(
  { context, who, reference }: Call,
  done: { action: string; target: string; project: string | undefined },
): Promise<void> {
  const { workspace, user } = who;
  await context.record.add({ ...done, workspace, who: user, decision: 'done', reference });
}
