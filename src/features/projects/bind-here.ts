import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { openSealed, storeSealed } from '../../forms/sealed-store.ts';
import { bindProjects } from '../../preferences/bindings.ts';
import type { AudienceResult } from '../../slack/audience.ts';
import { hashReaders, isInternal, permitSharingWithOutsiders } from '../../slack/share-outside.ts';

/** For the record. */
const WHAT = 'projects use';

/**
 * From now on the channel is about these. What people of another organisation read, an owner has to choose, knowing who
 * they are: undefined, and nothing is done, where these are not the readers that were `confirmed` (see `hashReaders`).
 * Projects of the channel's that the person may not choose stay: `others`.
 */
export async function bindHere(
  call: Call,
  wanted: { channel: string; audience: AudienceResult; projects: readonly Project[]; confirmed?: string },
): Promise<{ others: number } | undefined> {
  const { context, actor } = call;
  const { channel, audience, projects } = wanted;
  if (projects.length > 0 && !isInternal(audience)) {
    await permitSharingWithOutsiders(call, { audience, subject: WHAT, ability: 'choose its projects' });
    if (wanted.confirmed !== hashReaders(audience)) return undefined;
  } else {
    for (const { id } of projects) await call.permit('manager', id, WHAT);
  }
  const all = await bindProjects(context.db, {
    workspace: actor.workspace,
    channel,
    projects: projects.map(({ id }) => id),
    stays: (id) => !call.may('manager', id),
    boundBy: actor.user,
    boundAt: call.now(),
  });
  return { others: all.filter((id) => !projects.some((chosen) => chosen.id === id)).length };
}

const KIND = 'use-shared.2';

const choice = z.object({
  channel: z.string(),
  projects: z.array(z.object({ id: z.string(), name: z.string() }).readonly()).readonly(),
  /** Who reads the channel, as the question said: see `hashReaders`. */
  readers: z.string(),
});
type Choice = z.infer<typeof choice>;

/** Stores what an owner is about to choose for a channel; its opaque id. */
export function keepChoice(call: Call, wanted: Choice): Promise<string> {
  return storeSealed(call, KIND, wanted);
}

/** Only for the person who chose it; undefined for everybody else, and when it is no longer stored. */
export function keptChoice(call: Call, id: string): Promise<Choice | undefined> {
  return openSealed(call, KIND, choice, id);
}
