import { findPolicy, keepsGuestsOut } from '../preferences/project-policy.ts';
import { within } from '../promises.ts';
import { type Guests, isDirectMessage, renderGuestFault } from '../slack/audience.ts';
import type { Call } from './call.ts';

/** Finds out whether guests are in a channel, for at most half of the time that Slack allows for a response. Never rejects. */
export async function findGuests({ context, client, actor }: Call, channel: string): Promise<Guests> {
  // Guests can't use the app, so they have no direct message with it.
  if (isDirectMessage(channel)) return 'no';
  const { workspace } = actor;
  const search = context.access.findGuests(client, { workspace, channel });
  return within(context.pace.acknowledgementTimeoutMs / 2, search, 'not-checked' as const);
}

/** Whether the policy of one of the projects keeps guests out. */
export async function keepOutGuests({ context, actor }: Call, projects: readonly string[]): Promise<boolean> {
  const { workspace } = actor;
  const policies = await Promise.all(
    projects.map((project) => findPolicy(context.db, { workspace, project })),
  );
  return policies.some(keepsGuestsOut);
}

/** Says why posts of the projects can't be shown in a channel because of its guests, as `renderGuestFault` does. */
export async function findGuestFault(
  call: Call,
  channel: string,
  projects: readonly string[],
): Promise<string | undefined> {
  if (!(await keepOutGuests(call, projects))) return undefined;
  return renderGuestFault(await findGuests(call, channel));
}
