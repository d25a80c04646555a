import type { Kysely } from 'kysely';
import type { Call } from '../../app/call.ts';
import { boundProjects, whileBound } from '../../preferences/bindings.ts';
import { clearZone, type KnownZones, setZone, type ZoneScope } from '../../preferences/zones.ts';
import type { Message } from '../../slack/message.ts';
import type { BotSchema } from '../../store/schema.ts';
import { setMessage, setWords } from './zone-messages.ts';

/** A zone for a channel, a project or a person; none where `zone` is absent. */
export interface Chosen {
  scope: ZoneScope;
  zone?: string;
  project?: { id: string; name: string };
}

/** Stores it, and says what applies from now on. Throws where the person doesn't run all that it is for. */
export async function setZoneFor(
  call: Call,
  { scope, zone, project }: Chosen,
  here: {
    channel: string | undefined;
    zones: KnownZones;
    project: { id: string; name: string } | undefined;
  },
): Promise<Message> {
  const { context, who, now } = call;
  const subject = { channel: here.channel, project: project?.id, person: who.user }[scope];
  if (subject === undefined) throw new Error(`a zone of a ${scope} that is not known`);
  const key = { workspace: who.workspace, scope, subject };
  const change = (db: Kysely<BotSchema>) =>
    zone === undefined
      ? clearZone(db, key)
      : setZone(db, { ...key, zone, chosenBy: who.user, chosenAt: now() });
  if (scope === 'channel') await changeForChannel(call, subject, change);
  else {
    if (scope === 'project') await permitAll(call, [subject], scope);
    await change(context.db);
  }
  return setMessage(setWords(scope, zone, project), changed(here.zones, scope, subject, zone), here.project);
}

/** It takes who runs every project that the channel is about, and that may be others by the time it is changed. */
async function changeForChannel(
  call: Call,
  channel: string,
  change: (db: Kysely<BotSchema>) => Promise<void>,
): Promise<void> {
  const { context, who } = call;
  const at = { workspace: who.workspace, channel };
  let isChanged = false;
  while (!isChanged) {
    const projects = await boundProjects(context.db, at);
    await permitAll(call, projects, 'channel');
    isChanged = await whileBound(context.db, { ...at, projects }, change);
  }
}

async function permitAll(call: Call, projects: readonly string[], scope: ZoneScope): Promise<void> {
  for (const project of projects) await call.permit('manager', project, `zone set ${scope}`);
}

function changed(zones: KnownZones, scope: ZoneScope, subject: string, zone: string | undefined): KnownZones {
  switch (scope) {
    case 'channel':
      return { ...zones, channel: zone };
    case 'person':
      return { ...zones, own: zone };
    case 'project': {
      const { [subject]: _, ...others } = zones.byProject;
      return { ...zones, byProject: zone === undefined ? others : { ...others, [subject]: zone } };
    }
  }
}
