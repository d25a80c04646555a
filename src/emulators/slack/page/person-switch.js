import { Avatar } from './avatar.js';
import { html } from './html.js';
import { Menu } from './menu.js';
import { getCity } from './time.js';
import { useDirectory } from './use-directory.js';
import { usePage } from './use-page.js';

/** @import { Person } from '../protocol.ts' */

/** The current person, and a menu to act as somebody else. */
export function PersonSwitch() {
  const { people, me } = useDirectory();
  const { actAs } = usePage();
  const items = [...people.values()]
    .filter(({ isBot, deactivated }) => !isBot && !deactivated)
    .map((person) => ({
      key: person.id,
      label: html`<${Avatar} name=${person.realName} color=${person.color} small />${person.realName}`,
      description: describePerson(person),
      checked: person.id === me.id,
      choose: () => person.id !== me.id && actAs(person.name),
    }));
  return html`<${Menu} class="person-switch" label=${`Acting as ${me.realName}, ${describePerson(me)}. Switch person`} isUpwards items=${items}>
    <${Avatar} name=${me.realName} color=${me.color} />
    <span class="person-words">
      <span class="person-acting">Acting as</span>${' '}
      <span class="person-name">${me.realName}</span>${' '}
      <span class="person-about">${describePerson(me)}</span>
    </span>
    <span class="select-arrow" aria-hidden="true"></span>
  <//>`;
}

/** @param {Person} person */
const describePerson = (person) =>
  [person.role, person.from && `from ${person.from.name}`, getCity(person.tz)].filter(Boolean).join(', ');
