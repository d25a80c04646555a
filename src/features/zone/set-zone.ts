import type { KnownZones } from '../../posts/usual-zone.ts';
import type { Call } from '../../slack/feature.ts';
import type { Message } from '../../slack/message.ts';
import { clearZone, setZone, type ZoneScope } from '../../store/zones.ts';
import type { Parts } from '../../submissions/parts.ts';
import { setMessage, setWords } from './zone-messages.ts';

/** A zone for a channel, a project or a person; none where `zone` is absent. */
export interface Chosen {
  scope: ZoneScope;
  zone?: string;
  project?: { id: string; name: string };
}

/** Keeps it, and says what applies from now on. */
export async function setZoneFor(
  { parts, who, now }: Call<Parts>,
  { scope, zone, project }: Chosen,
  here: {
    channel: string | undefined;
    zones: KnownZones;
    project: { id: string; name: string } | undefined;
  },
): Promise<Message> {
  const subject = { channel: here.channel, project: project?.id, person: who.user }[scope];
  if (subject === undefined) throw new Error(`a zone of a ${scope} that is not known`);
  const key = { workspace: who.workspace, scope, subject };
  if (zone === undefined) await clearZone(parts.db, key);
  else await setZone(parts.db, { ...key, zone, chosenBy: who.user, chosenAt: now() });
  return setMessage(setWords(scope, zone, project), changed(here.zones, scope, subject, zone), here.project);
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
