import type { Call } from '../../app/call.ts';
import { type DigestSettings, isPersonal } from '../../digests/digest.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { isInternal, permitSharingWithOutsiders } from '../../slack/share-outside.ts';
import { audienceOfChannel, type Conversation } from './conversation.ts';

type DigestScope = Pick<DigestSettings, 'channel' | 'projects'>;

/**
 * A digest of a channel needs a manager of its projects, and a personal digest a viewer of them. If outsiders read the
 * channel, or that is unknown, it needs an owner. Throws NotAllowed.
 */
export async function permitSaving(
  call: Call,
  digest: DigestScope,
  conversation: Conversation | undefined,
): Promise<void> {
  const what = 'digests save';
  if (isPersonal(digest)) return permitAll(call, 'viewer', await resolveProjects(call, digest), what);
  const audience = audienceOfChannel(conversation);
  if (!isInternal(audience)) {
    await permitSharingWithOutsiders(call, {
      audience,
      subject: what,
      ability: 'choose what its digest shows',
    });
  }
  await permitAll(call, 'manager', await resolveProjects(call, digest), what);
}

/** Changing, pausing, sending and deleting a channel's digest needs a manager of its projects. Throws NotAllowed. */
export async function permitManaging(call: Call, digest: DigestScope, what: string): Promise<void> {
  if (!isPersonal(digest)) await permitAll(call, 'manager', await resolveProjects(call, digest), what);
}

/** Whether to show the actor the buttons of a digest. Each press is checked again. */
export async function mayManage(call: Call, digest: DigestScope): Promise<boolean> {
  if (isPersonal(digest)) return true;
  return eachOrAny(await resolveProjects(call, digest)).every((project) => call.may('manager', project));
}

/** A preview needs a viewer of the digest's projects. Throws NotAllowed. */
export async function permitPreview(call: Call, digest: DigestScope): Promise<void> {
  await permitAll(call, 'viewer', await resolveProjects(call, digest), 'digests preview');
}

async function permitAll(
  call: Call,
  role: 'viewer' | 'manager',
  projects: readonly string[],
  what: string,
): Promise<void> {
  for (const project of eachOrAny(projects)) await call.permit(role, project, what);
}

/** A digest without projects needs the role in any project. */
function eachOrAny(projects: readonly string[]): readonly (string | undefined)[] {
  return projects.length === 0 ? [undefined] : projects;
}

async function resolveProjects(
  { context, actor }: Call,
  { projects, channel }: DigestScope,
): Promise<readonly string[]> {
  if (projects !== 'channel') return projects;
  return boundProjects(context.db, { workspace: actor.workspace, channel });
}
