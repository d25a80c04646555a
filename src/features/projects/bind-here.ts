import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { bindProjects } from '../../preferences/bindings.ts';
import type { AudienceAnswer } from '../../slack/audience.ts';
import { isInternal, permitOutside, readersOf } from '../../slack/share-outside.ts';

/** For the record. */
const WHAT = 'projects use';

/**
 * From now on the channel is about these. What people of another organisation read, an owner has to choose, knowing who
 * they are: undefined, and nothing is done, where these are not the readers that were `confirmed` (see `readersOf`).
 * Projects of the channel's that the person may not choose stay: `others`.
 */
export async function bindHere(
  call: Call,
  wanted: { channel: string; audience: AudienceAnswer; projects: readonly Project[]; confirmed?: string },
): Promise<{ others: number } | undefined> {
  const { context, who } = call;
  const { channel, audience, projects } = wanted;
  if (projects.length > 0 && !isInternal(audience)) {
    await permitOutside(call, { audience, what: WHAT, can: 'choose its projects' });
    if (wanted.confirmed !== readersOf(audience)) return undefined;
  } else {
    for (const { id } of projects) await call.permit('manager', id, WHAT);
  }
  const all = await bindProjects(context.db, {
    workspace: who.workspace,
    channel,
    projects: projects.map(({ id }) => id),
    stays: (id) => !call.may('manager', id),
    boundBy: who.user,
    boundAt: call.now(),
  });
  return { others: all.filter((id) => !projects.some((chosen) => chosen.id === id)).length };
}
