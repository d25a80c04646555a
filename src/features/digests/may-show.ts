import type { Call } from '../../app/call.ts';
import { type DigestSettings, isPersonal } from '../../digests/digest.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { isInternal, permitOutside } from '../../slack/share-outside.ts';
import { audienceAt, type Conversation } from './conversation.ts';

type Shown = Pick<DigestSettings, 'channel' | 'projects'>;

/**
 * A channel's digest takes a manager of its projects, and one's own a viewer of them. Where people of another
 * organisation read the channel, or may, it takes an owner. Throws NotAllowed.
 */
export async function permitSaving(
  call: Call,
  digest: Shown,
  conversation: Conversation | undefined,
): Promise<void> {
  const what = 'digests save';
  if (isPersonal(digest)) return permitAll(call, 'viewer', await projectsOf(call, digest), what);
  const audience = audienceAt(conversation);
  if (!isInternal(audience)) {
    await permitOutside(call, { audience, what, can: 'choose what its digest shows' });
  }
  await permitAll(call, 'manager', await projectsOf(call, digest), what);
}

/** A channel's digest is changed, paused, sent and deleted by who runs its projects; their own by everybody. */
export async function permitRunning(call: Call, digest: Shown, what: string): Promise<void> {
  if (!isPersonal(digest)) await permitAll(call, 'manager', await projectsOf(call, digest), what);
}

/** Whether its buttons are offered to them; each press is checked anew. */
export async function mayRun(call: Call, digest: Shown): Promise<boolean> {
  if (isPersonal(digest)) return true;
  return eachOrAny(await projectsOf(call, digest)).every((project) => call.may('manager', project));
}

/** A preview is for who may look at its projects. */
export async function permitLooking(call: Call, digest: Shown): Promise<void> {
  await permitAll(call, 'viewer', await projectsOf(call, digest), 'digests preview');
}

async function permitAll(
  call: Call,
  role: 'viewer' | 'manager',
  projects: readonly string[],
  what: string,
): Promise<void> {
  for (const project of eachOrAny(projects)) await call.permit(role, project, what);
}

/** What is about no project takes the role anywhere. */
function eachOrAny(projects: readonly string[]): readonly (string | undefined)[] {
  return projects.length === 0 ? [undefined] : projects;
}

async function projectsOf({ context, who }: Call, { projects, channel }: Shown): Promise<readonly string[]> {
  if (projects !== 'channel') return projects;
  return boundProjects(context.db, { workspace: who.workspace, channel });
}
