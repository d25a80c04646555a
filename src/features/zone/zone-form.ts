import type { Form } from '../../forms/form.ts';
import { radio } from '../../forms/inputs/choice.ts';
import { project } from '../../forms/inputs/project.ts';
import { zone } from '../../forms/inputs/zone.ts';
import { type ZonedFacts, zoneFacts } from '../../forms/loaded.ts';
import type { ZoneScope } from '../../preferences/zones.ts';
import { type Chosen, setZoneFor } from './set-zone.ts';
import { setView, TITLE, whichApplies } from './zone-messages.ts';

/** A project is needed for a project's zone alone. */
const { fault: _, ...anyProject } = project({
  optional: true,
  hint: 'Only where the zone is for a project.',
});

const choices: { value: ZoneScope; name: string }[] = [
  { value: 'channel', name: 'This channel' },
  { value: 'project', name: 'The project, in every channel' },
  { value: 'person', name: 'My own posts' },
];

const fields = {
  scope: radio({ label: 'For', choices }),
  project: anyProject,
  zone: zone({ label: 'Time zone' }),
};

/** Which zone posts begin with here, why, and another. */
export const zoneForm: Form<typeof fields, ZonedFacts, Chosen> = {
  name: 'zone',
  version: 1,
  title: TITLE,
  send: 'Save',
  command: '/upnext zone',
  fields,
  facts: zoneFacts,
  head: ({ facts }) => whichApplies(facts),
  foot: '`/upnext zone here off`, `project off` and `me off` take a zone away again.',
  check({ typed: { scope, project: chosen, zone: wanted } }) {
    if (scope === '') return { kind: 'faulty', errors: {} };
    if (scope === 'project' && !chosen) return { kind: 'faulty', errors: { project: 'Choose a project.' } };
    return {
      kind: 'good',
      contents: [{ scope, zone: wanted, ...(scope === 'project' && chosen && { project: chosen }) }],
    };
  },
  ending: {
    async answer(call, chosen, { facts }, { channel, again }) {
      if (chosen.scope === 'channel' && channel === undefined) {
        return void (await again({
          scope: 'There is no channel here: type /upnext zone in the one that it is for.',
        }));
      }
      const message = await setZoneFor(call, chosen, { channel, zones: facts.zones, project: facts.chosen });
      await call.answer({ view: setView(message) });
    },
  },
};
