import type { Kysely } from 'kysely';
import type { Call } from '../../app/call.ts';
import { changeIfBindingsUnchanged, listBoundProjects } from '../../preferences/bindings.ts';
import type { PreferenceTables } from '../../preferences/tables.ts';
import { clearZone, type KnownZones, setZone, type ZoneScope } from '../../preferences/zones.ts';
import type { Message } from '../../slack/message.ts';
import { renderZoneChange, renderZoneChangeMessage } from './zone-messages.ts';

/** The zone to set for a channel, a project or a person. If `zone` is absent, the stored zone is cleared. */
export interface ZoneChoice {
  scope: ZoneScope;
  zone?: string;
  project?: { id: string; name: string };
}

/**
 * Stores the zone and resolves with the message about the change. Throws NotAllowed unless the actor manages every
 * project that the change affects.
 */
export async function changeZone(
  call: Call,
  { scope, zone, project }: ZoneChoice,
  zoneContext: {
    channel: string | undefined;
    /** The zones before the change. */
    zones: KnownZones;
    /** The project of the current channel; undefined if it has none or several. */
    project: { id: string; name: string } | undefined;
  },
): Promise<Message> {
  const { context, actor, now } = call;
  const subject = { channel: zoneContext.channel, project: project?.id, person: actor.user }[scope];
  if (subject === undefined) throw new Error(`cannot set a zone: the ${scope} is unknown`);
  const key = { workspace: actor.workspace, scope, subject };
  const applyChange = (db: Kysely<PreferenceTables>) =>
    zone === undefined
      ? clearZone(db, key)
      : setZone(db, { ...key, zone, chosenBy: actor.user, chosenAt: now() });
  if (scope === 'channel') await changeChannelZone(call, subject, applyChange);
  else {
    if (scope === 'project') await requireManagerOfAll(call, [subject], scope);
    await applyChange(context.db);
  }
  if (scope !== 'person') recordZone(call, scope, subject, zone);
  return renderZoneChangeMessage(
    renderZoneChange(scope, zone, project),
    updateKnownZones(zoneContext.zones, scope, subject, zone),
    zoneContext.project,
  );
}

/**
 * Changes a channel's zone if the actor manages every project that the channel is about. If the channel's projects
 * change in the meantime, the permission is checked again.
 */
async function changeChannelZone(
  call: Call,
  channel: string,
  applyChange: (db: Kysely<PreferenceTables>) => Promise<void>,
): Promise<void> {
  const { context, actor } = call;
  const channelKey = { workspace: actor.workspace, channel };
  let isChanged = false;
  while (!isChanged) {
    const projects = await listBoundProjects(context.db, channelKey);
    await requireManagerOfAll(call, projects, 'channel');
    isChanged = await changeIfBindingsUnchanged(context.db, { ...channelKey, projects }, applyChange);
  }
}

/**
 * Adds the change of a channel's or project's zone to the audit log. `subject`: the id of the channel or project.
 */
function recordZone(
  { context, actor, reference }: Call,
  scope: Exclude<ZoneScope, 'person'>,
  subject: string,
  zone: string | undefined,
): void {
  const target = [scope, subject, zone].filter((part) => part !== undefined).join(' ');
  context.record.enqueue({
    workspace: actor.workspace,
    actor: actor.user,
    ...(scope === 'project' && { project: subject }),
    action: `zone set ${scope}`,
    target,
    decision: 'done',
    reference,
  });
}

async function requireManagerOfAll(
  call: Call,
  projects: readonly string[],
  scope: Exclude<ZoneScope, 'person'>,
): Promise<void> {
  for (const project of projects) await call.permit('manager', project, `zone set ${scope}`);
}

function updateKnownZones(
  zones: KnownZones,
  scope: ZoneScope,
  subject: string,
  zone: string | undefined,
): KnownZones {
  switch (scope) {
    case 'channel':
      return { ...zones, channel: zone };
    case 'person':
      return { ...zones, person: zone };
    case 'project': {
      const { [subject]: _, ...others } = zones.byProject;
      return { ...zones, byProject: zone === undefined ? others : { ...others, [subject]: zone } };
    }
  }
}
