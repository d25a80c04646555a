import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import { bindProjects } from '../../preferences/bindings.ts';
import { type AudienceResult, isInternal } from '../../slack/audience.ts';
import { hashReaders, permitSharingWithOutsiders } from '../../slack/share-outside.ts';

/** The name of the action in the audit log. */
const AUDIT_ACTION = 'projects use';

/**
 * Binds a channel to projects. Earlier projects that the actor doesn't manage stay bound. `otherProjectCount` is the
 * number of projects that stay bound.
 *
 * If people of another organisation may read the channel, an owner must have confirmed the readers.
 * `confirmedReadersHash` identifies these readers (see `hashReaders`). If the hash is missing, or if the readers have
 * changed since, resolves with undefined and changes nothing.
 */
export async function bindChannel(
  call: Call,
  binding: {
    channel: string;
    audience: AudienceResult;
    projects: readonly Project[];
    confirmedReadersHash?: string;
  },
): Promise<{ otherProjectCount: number } | undefined> {
  const { context, actor, reference } = call;
  const { channel, audience, projects } = binding;
  if (projects.length > 0 && !isInternal(audience)) {
    await permitSharingWithOutsiders(call, {
      audience,
      subject: AUDIT_ACTION,
      ability: 'choose its projects',
    });
    if (binding.confirmedReadersHash !== hashReaders(audience)) return undefined;
  } else {
    for (const { id } of projects) await call.permit('manager', id, AUDIT_ACTION);
  }
  const boundIds = await bindProjects(context.db, {
    workspace: actor.workspace,
    channel,
    projects: projects.map(({ id }) => id),
    staysBound: (id) => !call.may('manager', id),
    boundBy: actor.user,
    boundAt: call.now(),
  });
  for (const project of projects.length === 0 ? [undefined] : projects.map(({ id }) => id)) {
    const entry = { project, action: AUDIT_ACTION, target: `channel ${channel}`, decision: 'done' } as const;
    context.record.enqueue({ ...entry, workspace: actor.workspace, actor: actor.user, reference });
  }
  return { otherProjectCount: boundIds.filter((id) => !projects.some((chosen) => chosen.id === id)).length };
}

const STORED_KIND = 'use-shared.2';

const choiceSchema = z.object({
  channel: z.string(),
  projects: z.array(z.object({ id: z.string(), name: z.string() }).readonly()).readonly(),
  /** The hash of the readers that the confirmation request named (see `hashReaders`). */
  readers: z.string(),
});
type Choice = z.infer<typeof choiceSchema>;

/** Stores a choice of projects until the owner confirms it. Resolves with an opaque id. */
export function storeChoice(call: Call, choice: Choice): Promise<string> {
  return storeSealedValue(call, STORED_KIND, choice);
}

/** Reads a choice that the actor stored. Resolves with undefined if the choice isn't stored any more. */
export function readStoredChoice(call: Call, id: string): Promise<Choice | undefined> {
  return readSealedValue(call, STORED_KIND, choiceSchema, id);
}
