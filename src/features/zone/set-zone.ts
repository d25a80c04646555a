import type { KnownZones } from '../../posts/usual-zone.ts';
import type { Call } from '../../slack/feature.ts';
import type { Message } from '../../slack/message.ts';
import { boundProjects } from '../../store/bindings.ts';
import { clearZone, setZone, type ZoneScope } from '../../store/zones.ts';
import type { Parts } from '../../submissions/parts.ts';
import { setMessage, setWords } from './zone-messages.ts';

/** A zone for a channel, a project or a person; none where `zone` is absent. */
export interface Chosen {
  scope: ZoneScope;
  zone?: string;
  project?: { id: string; name: string };
}

/** Stores it, and says what applies from now on. Throws where the person doesn't run all that it is for. */
export async function setZoneFor(
  call: Call<Parts>,
  { scope, zone, project }: Chosen,
  here: {
    channel: string | undefined;
    zones: KnownZones;
    project: { id: string; name: string } | undefined;
  },
): Promise<Message> {
  const { parts, who, now } = call;
  const subject = { channel: here.channel, project: project?.id, person: who.user }[scope];
  if (subject === undefined) throw new Error(`a zone of a ${scope} that is not known`);
  const key = { workspace: who.workspace, scope, subject };
  await permitSetting(call, scope, subject);
  if (zone === undefined) await clearZone(parts.db, key);
  else await setZone(parts.db, { ...key, zone, chosenBy: who.user, chosenAt: now() });
  return setMessage(setWords(scope, zone, project), changed(here.zones, scope, subject, zone), here.project);
}

/** Their own is everybody's; a project's takes who runs it, a channel's who runs every project that it is about. */
async function permitSetting(call: Call<Parts>, scope: ZoneScope, subject: string): Promise<void> {
  if (scope === 'person') return;
  const { parts, who } = call;
  const projects =
    scope === 'project'
      ? [subject]
      : await boundProjects(parts.db, { workspace: who.workspace, channel: subject });
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
