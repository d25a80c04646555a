import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isRecord } from '../json.ts';
import type { Channel, Person } from '../protocol.ts';
import { Avatar } from './avatar.ts';
import { ClockSwitch } from './clock-switch.ts';
import { type Directory, findApp, findPartner, getChannelTitle, useDirectory } from './directory.ts';
import { html } from './html.ts';
import { Icon } from './icon.ts';
import { Menu } from './menu.ts';
import { findUnread } from './state.ts';
import { getCity } from './time.ts';
import { useAppState, usePage, usePageState } from './use-page.ts';

/** The workspace's name, with a menu if there are several workspaces. */
function TeamSwitch() {
  const team = usePageState((state) => state.workspace?.team);
  const teams = usePageState((state) => state.workspace?.teams) ?? [];
  const { goToTeam } = usePage();
  const name = html`<span class="avatar team-mark" aria-hidden="true" data-initials=${team?.name.charAt(0)}></span>
    <div><p class="team-name">${team?.name}</p><p class="side-quiet">Practice workspace</p></div>`;
  if (teams.length < 2) return html`<header class="team row">${name}</header>`;
  const items = teams.map(({ id, name: label }) => ({
    key: id,
    label,
    checked: id === team?.id,
    choose: () => id !== team?.id && goToTeam(id),
  }));
  return html`<header class="team row">
    <${Menu} class="person-switch team-switch" label=${`${team?.name}. Switch workspace`} items=${items}>
      ${name}<${Icon} name="arrow" />
    <//>
  </header>`;
}

/** The current person, and a menu to act as somebody else. */
function PersonSwitch() {
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
  return html`<${Menu} class="person-switch" label=${`Acting as ${me.realName}, ${describePerson(me)}. Switch person`} items=${items}>
    <${Avatar} name=${me.realName} color=${me.color} />
    <span class="person-words">
      <span class="side-quiet">Acting as</span>${' '}
      <span class="one-line">${me.realName}</span>${' '}
      <span class="side-quiet">${describePerson(me)}</span>
    </span>
    <${Icon} name="arrow" />
  <//>`;
}

const describePerson = (person: Person) =>
  [person.role, person.from && `from ${person.from.name}`, getCity(person.tz)].filter(Boolean).join(', ');

/** The workspace's name, the app, the channels, the direct messages, and the current person. */
export function Sidebar() {
  const directory = useDirectory();
  const { me, apps } = directory;
  const isOpen = usePageState((state) => state.panels.sidebar);
  const channels = usePageState((state) => state.workspace?.channels) ?? [];
  const ownChannels = channels.filter(({ members }) => members.includes(me.id));
  const directMessages = ownChannels.filter(
    (channel) => channel.kind === 'im' && !findApp(channel, directory),
  );
  const groups = ownChannels.filter(({ kind }) => kind === 'mpim');
  const drawer = useDrawer(isOpen);
  return html`<nav class=${`sidebar column ${isOpen ? 'is-open' : ''}`} id="sidebar" aria-label="Workspace" ...${drawer}>
    <${TeamSwitch} />
    <div class="places scroller">
      <${Section} title="Apps">${apps.map((app) => html`<${AppEntry} key=${app.botUserId} app=${app} channels=${ownChannels} />`)}<//>
      <${Section} title="Channels">
        ${ownChannels.filter(({ kind }) => kind === 'public' || kind === 'private').map((channel) => html`<${ChannelEntry} key=${channel.id} channel=${channel} />`)}
      <//>
      <${Section} title="Direct messages">
        ${[...directMessages, ...groups].map((channel) => html`<${ChannelEntry} key=${channel.id} channel=${channel} />`)}
        <${NewDirectMessages} directMessages=${directMessages} />
      <//>
    </div>
    <${ClockSwitch} />
    <${PersonSwitch} />
  </nav>`;
}

/** On a narrow screen, moves the focus into the sidebar when it opens, and back to its button when Escape closes it. */
function useDrawer(isOpen: boolean) {
  const { show } = usePage();
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const places = isOpen && ref.current?.querySelector('.places');
    const stop = places && (places.querySelector('[aria-current=page]') ?? places.querySelector('button'));
    if (stop instanceof HTMLElement) stop.focus();
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    show({ sidebar: false });
    document.getElementById('drawer-button')?.focus();
  };
  return { ref, onKeyDown };
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return html`<section class="place-section"><h2>${title}</h2><ul>${children}</ul></section>`;
}

function ChannelEntry({ channel }: { channel: Channel }) {
  const directory = useDirectory();
  const partner = channel.kind === 'im' ? findPartner(channel, directory) : undefined;
  const isGroup = channel.kind === 'mpim';
  const icon = partner
    ? html`<${Avatar} name=${partner.realName} color=${partner.color} isBot=${partner.isBot} small />`
    : html`<span class="place-icon" aria-hidden="true">${isGroup ? channel.members.length - 1 : channel.kind === 'private' ? html`<${Icon} name="lock" />` : '#'}</span>`;
  return html`<${SidebarEntry} channel=${channel.id} icon=${icon} label=${isGroup ? getChannelTitle(channel, directory) : (partner?.realName ?? channel.name)} />`;
}

interface SidebarEntryProps {
  /** Undefined for a direct message that nobody has opened yet. */
  channel?: string | undefined;
  /** The partner in that direct message. */
  user?: string;
  icon: ComponentChildren;
  label: string;
}

function SidebarEntry({ channel = '', user = '', icon, label }: SidebarEntryProps) {
  const { act, goTo } = usePage();
  const isHere = usePageState((state) => channel !== '' && state.route.channel === channel);
  const isUnread = usePageState((state) => findUnread(state, channel).isUnread);
  const count = usePageState((state) => findUnread(state, channel).count);
  const open = async () => {
    if (channel !== '') return goTo(channel);
    const answer = await act({ act: 'open-dm', user });
    const opened = answer.ok && isRecord(answer.data) ? answer.data.channel : undefined;
    if (isRecord(opened) && typeof opened.id === 'string') goTo(opened.id);
  };
  return html`<li>
    <button
      type="button"
      class=${`place row ${isHere ? 'is-here' : ''} ${isUnread || count > 0 ? 'is-unread' : ''}`}
      aria-current=${isHere ? 'page' : undefined}
      onClick=${open}
    >
      ${icon}<span class="one-line">${label}</span>
      ${
        count > 0
          ? html`<span class="place-unread"><span class="sr-only">, new messages: </span>${count}</span>`
          : isUnread
            ? html`<span class="sr-only">, unread</span>`
            : null
      }
    </button>
  </li>`;
}

const APP_STATES = {
  connected: 'Connected to Slack',
  connecting: 'Connecting to Slack…',
  disconnected: 'Not connected to Slack',
};

/** An app, with the state of its connection. Its direct message is created when somebody first opens it. */
function AppEntry({ app, channels }: { app: Directory['app']; channels: readonly Channel[] }) {
  const { people } = useDirectory();
  const appState = useAppState(app.botUserId);
  const existing = channels.find(({ kind, members }) => kind === 'im' && members.includes(app.botUserId));
  const bot = people.get(app.botUserId);
  const icon = html`<${Avatar} name=${app.name} color=${bot?.color ?? 'var(--accent)'} isBot small />`;
  return html`<${SidebarEntry} channel=${existing?.id} user=${app.botUserId} icon=${icon} label=${app.name} />
    <li class=${`app-state row side-quiet is-${appState}`}>
      <span role="status">${APP_STATES[appState]}</span>
    </li>`;
}

/** People without a direct message yet. */
function NewDirectMessages({ directMessages }: { directMessages: readonly Channel[] }) {
  const { people, me } = useDirectory();
  const partners = new Set(directMessages.flatMap(({ members }) => members));
  return [...people.values()]
    .filter(
      (person) => !person.isBot && !person.deactivated && person.id !== me.id && !partners.has(person.id),
    )
    .map((person) => {
      const icon = html`<${Avatar} name=${person.realName} color=${person.color} small />`;
      return html`<${SidebarEntry} key=${person.id} user=${person.id} icon=${icon} label=${person.realName} />`;
    });
}
