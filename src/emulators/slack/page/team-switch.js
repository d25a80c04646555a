import { html } from './html.js';
import { Menu } from './menu.js';
import { usePage, usePageState } from './use-page.js';

/** The workspace's name, with a menu if there are several workspaces. */
export function TeamSwitch() {
  const team = usePageState((state) => state.workspace?.team);
  const teams = usePageState((state) => state.workspace?.teams) ?? [];
  const { goToTeam } = usePage();
  const name = html`<span class="team-mark" aria-hidden="true">${team?.name.charAt(0)}</span>
    <div><p class="team-name">${team?.name}</p><p class="team-kind">Practice workspace</p></div>`;
  if (teams.length < 2) return html`<header class="team">${name}</header>`;
  const items = teams.map(({ id, name: label }) => ({
    key: id,
    label,
    checked: id === team?.id,
    choose: () => id !== team?.id && goToTeam(id),
  }));
  return html`<header class="team">
    <${Menu} class="person-switch team-switch" label=${`${team?.name}. Switch workspace`} items=${items}>
      ${name}<span class="select-arrow" aria-hidden="true"></span>
    <//>
  </header>`;
}
