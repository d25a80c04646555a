import type { Channel, Person } from '../protocol.ts';
import { type Directory, findPartner, getChannelTitle, useDirectory } from './directory.ts';
import { html } from './html.ts';
import { Icon } from './icon.ts';
import { Menu, type MenuItem } from './menu.ts';
import { usePage, usePageState } from './use-page.ts';

/** Changes that owners of a workspace make in Slack’s settings: who shares a channel, and who is a guest. */
export function PlaceMenu({ channel }: { channel: Channel }) {
  const partner = findPartner(channel, useDirectory());
  if (channel.kind === 'public' || channel.kind === 'private')
    return html`<${SharingMenu} channel=${channel} />`;
  return channel.kind === 'im' && partner && canChangeRole(partner)
    ? html`<${RoleMenu} person=${partner} />`
    : null;
}

/** One item for each other organisation that the workspace knows. */
function SharingMenu({ channel }: { channel: Channel }) {
  const directory = useDirectory();
  const { act } = usePage();
  const ownTeam = usePageState((state) => state.workspace?.team.id);
  const teams = usePageState((state) => state.workspace?.teams) ?? [];
  const organisations = new Map(
    [...listOrganisations(directory), ...teams].map((team) => [team.id, team.name]),
  );
  const memberTeams = channel.members.map((member) => directory.people.get(member)?.from?.id);
  const connectedTeams = [...memberTeams, ...(channel.sharedWith ?? [])];
  const items = [...organisations]
    .filter(([team]) => team !== ownTeam)
    .map(([team, name]) => {
      const isShared = connectedTeams.includes(team);
      return {
        key: team,
        label: isShared ? `Stop sharing with ${name}` : `Share with ${name}`,
        description: isShared ? 'Its people leave this channel.' : 'Its people can read this channel.',
        choose: () => void act({ act: 'share-channel', channel: channel.id, team, isShared: !isShared }),
      };
    });
  return items.length === 0
    ? null
    : html`<${SettingsMenu} of=${getChannelTitle(channel, directory)} items=${items} />`;
}

const listOrganisations = ({ people }: Directory) => [...people.values()].flatMap(({ from }) => from ?? []);

/** The roles that a person can get. Owners stay owners, so that the workspace always has one. */
const ROLES = [
  { role: 'member', label: 'Make a full member', description: 'Can find and join all public channels.' },
  { role: 'guest', label: 'Make a guest', description: 'Is only in the channels that they’re invited to.' },
  {
    role: 'single-channel-guest',
    label: 'Make a single-channel guest',
    description: 'Is in one channel only.',
  },
] as const;

function canChangeRole({ isBot, from, deactivated, role }: Person): boolean {
  return !isBot && !from && !deactivated && role !== 'owner';
}

function RoleMenu({ person }: { person: Person }) {
  const { act } = usePage();
  const items = ROLES.filter(({ role }) => role !== person.role).map(({ role, label, description }) => ({
    ...{ key: role, label, description },
    choose: () => void act({ act: 'change-role', person: person.id, role }),
  }));
  return html`<${SettingsMenu} of=${person.realName} items=${items} />`;
}

function SettingsMenu({ of, items }: { of: string; items: readonly MenuItem[] }) {
  return html`<${Menu} class="overflow" label=${`Settings of ${of}`} items=${items}><${Icon} name="sliders" /><//>`;
}
