import { type Digest, findFreeSlot, parseDigest, readDigest, type Schedule } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import {
  changeDigest,
  type DigestKey,
  findDigest,
  findTakenDates,
  listDigestProjects,
  listDigests,
  listWorkspacesOfPaused,
} from './sql/digests.ts';

/** The columns of a digest that is on, with its next slot. */
export async function computeActiveColumns(context: DigestContext, schedule: Schedule, id: string) {
  const now = context.clock.now();
  const takenDates = await findTakenDates(context.db, [id], now);
  const slot = findFreeSlot(schedule, now, takenDates.get(id));
  const next = { next_at: slot?.instant ?? null, next_date: slot?.date ?? null };
  return { ...next, state: 'on', pause_reason: null, notify_at: null, notifying_since: null } as const;
}

/** Resumes a digest with its next slot. `sharedWith`: see `DigestSettings`. Undefined if the key matches no digest. */
export async function resumeDigest(
  context: DigestContext,
  key: DigestKey,
  sharedWith: Digest['sharedWith'],
): Promise<Digest | undefined> {
  const found = await findDigest(context.db, key);
  const digest = found && parseDigest(found);
  if (!digest || digest.state === 'on') return digest;
  const row = await changeDigest(context.db, key, {
    ...(await computeActiveColumns(context, digest, digest.id)),
    shared_with: sharedWith && JSON.stringify(sharedWith),
    changed_at: context.clock.readShared(),
  });
  context.verbs.wake();
  return row && parseDigest(row);
}

/**
 * Resumes the digests of a workspace that were paused because a project was gone, and whose projects are all at a connected
 * service again. Their readers are checked before each message, as always. Resolves with the resumed digests.
 */
export async function resumeReturned(context: DigestContext, workspace: string): Promise<Digest[]> {
  const resumed: Digest[] = [];
  for (const row of await listDigests(context.db, { workspace })) {
    const digest = readDigest(context, row);
    if (digest?.state !== 'paused' || digest.pauseReason !== 'project-gone') continue;
    const projects = await listDigestProjects(context.db, digest);
    const apis = await Promise.all(projects.map((id) => context.findApiClient(workspace, id)));
    if (apis.length === 0 || apis.includes(undefined)) continue;
    // Somebody may have resumed or paused it meanwhile.
    const key = { workspace, id: digest.id, expected: { state: 'paused' } } as const;
    const changed = await resumeDigest(context, key, digest.sharedWith);
    if (changed) resumed.push(changed);
  }
  return resumed;
}

/** Does the same for all workspaces after this instance has started, because the settings may name a service again. */
export async function resumeAfterStart(context: DigestContext): Promise<void> {
  const { db, startup } = context;
  if (!startup.isDue) return;
  startup.isDue = false;
  try {
    for (const workspace of await listWorkspacesOfPaused(db, 'project-gone'))
      await resumeReturned(context, workspace);
  } catch (error) {
    startup.isDue = true;
    throw error;
  }
}
