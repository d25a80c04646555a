import { useLayoutEffect, useRef } from 'preact/hooks';
import { Avatar } from './avatar.js';
import { ClockSwitch } from './clock-switch.js';
import { findApp, findPartner, getChannelTitle } from './directory.js';
import { html } from './html.js';
import { countUnread } from './messages-state.js';
import { PersonSwitch } from './person-switch.js';
import { isRecord } from './slack-json.js';
import { TeamSwitch } from './team-switch.js';
import { useAppState } from './use-app-state.js';
import { useDirectory } from './use-directory.js';
import { usePage, usePageState } from './use-page.js';

/** @import { Channel } from '../protocol.ts' */

/** The workspace's name, the app, the channels, the direct messages, and the current person. */
export function Sidebar() {
  const directory = useDirectory();
  const { me, apps } = directory;
  const shown = usePageState((state) => state.panels.sidebar);
  const channels = usePageState((state) => state.workspace?.channels) ?? [];
  const mine = channels.filter(({ members }) => members.includes(me.id));
  const direct = mine.filter((channel) => channel.kind === 'im' && !findApp(channel, directory));
  const groups = mine.filter(({ kind }) => kind === 'mpim');
  const drawer = useDrawer(shown);
  return html`<nav class=${`sidebar ${shown ? 'is-shown' : ''}`} id="sidebar" aria-label="Workspace" ...${drawer}>
    <${TeamSwitch} />
    <div class="places">
      <${Section} title="Apps">${apps.map((app) => html`<${AppEntry} key=${app.botUserId} app=${app} channels=${mine} />`)}<//>
      <${Section} title="Channels">
        ${mine.filter(({ kind }) => kind === 'public' || kind === 'private').map((channel) => html`<${ChannelEntry} key=${channel.id} channel=${channel} />`)}
      <//>
      <${Section} title="Direct messages">
        ${[...direct, ...groups].map((channel) => html`<${ChannelEntry} key=${channel.id} channel=${channel} />`)}
        <${NewDirectMessages} direct=${direct} />
      <//>
    </div>
    <a class="examples-link" href=${`?as=${encodeURIComponent(me.name)}&examples`}>Examples of blocks</a>
    <${ClockSwitch} />
    <${PersonSwitch} />
  </nav>`;
}

/**
 * Moves the focus into the drawer of a narrow screen when it opens, and back when Escape closes it.
 * @param {boolean} shown
 */
function useDrawer(shown) {
  const { show } = usePage();
  /** @type {{ current: HTMLElement | null }} */
  const ref = useRef(null);
  useLayoutEffect(() => {
    const places = shown && ref.current?.querySelector('.places');
    const stop = places && (places.querySelector('[aria-current=page]') ?? places.querySelector('button'));
    if (stop instanceof HTMLElement) stop.focus();
  }, [shown]);
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.key !== 'Escape' || !shown) return;
    show({ sidebar: false });
    document.getElementById('drawer-button')?.focus();
  };
  return { ref, onKeyDown };
}

/** @param {{ title: string, children: import('preact').ComponentChildren }} props */
function Section({ title, children }) {
  return html`<section class="place-section"><h2>${title}</h2><ul>${children}</ul></section>`;
}

/** @param {{ channel: Channel }} props */
function ChannelEntry({ channel }) {
  const directory = useDirectory();
  const partner = channel.kind === 'im' ? findPartner(channel, directory) : undefined;
  const isGroup = channel.kind === 'mpim';
  const sign = partner
    ? html`<${Avatar} name=${partner.realName} color=${partner.color} isBot=${partner.isBot} small />`
    : html`<span class=${`place-sign ${channel.kind === 'private' ? 'lock' : ''}`} aria-hidden="true">${isGroup ? channel.members.length - 1 : channel.kind === 'private' ? '' : '#'}</span>`;
  return html`<${SidebarEntry} channel=${channel.id} sign=${sign} label=${isGroup ? getChannelTitle(channel, directory) : (partner?.realName ?? channel.name)} />`;
}

/**
 * @param {object} props
 * @param {string} props.channel
 * @param {import('preact').ComponentChildren} props.sign
 * @param {string} props.label
 */
function SidebarEntry({ channel, sign, label }) {
  const { goTo } = usePage();
  const here = usePageState((state) => state.route.channel === channel);
  const unread = usePageState((state) => countUnread(state, channel));
  return html`<li>
    <button
      type="button"
      class=${`place ${here ? 'is-here' : ''} ${unread > 0 ? 'is-unread' : ''}`}
      aria-current=${here ? 'page' : undefined}
      onClick=${() => goTo(channel)}
    >
      ${sign}<span class="place-name">${label}</span>
      ${unread > 0 ? html`<span class="place-unread"><span class="sr-only">, new messages: </span>${unread}</span>` : null}
    </button>
  </li>`;
}

const APP_STATES = {
  connected: 'Connected to Slack',
  connecting: 'Connecting to Slack…',
  away: 'Not connected to Slack',
};

/**
 * An app: its direct message, which is created when first opened, and whether the app is connected.
 * @param {{ app: import('./directory.js').Directory['app'], channels: readonly Channel[] }} props
 */
function AppEntry({ app, channels }) {
  const { people } = useDirectory();
  const appState = useAppState(app.botUserId);
  const existing = channels.find(({ kind, members }) => kind === 'im' && members.includes(app.botUserId));
  const bot = people.get(app.botUserId);
  const sign = html`<${Avatar} name=${app.name} color=${bot?.color ?? 'var(--accent)'} isBot small />`;
  return html`${
    existing
      ? html`<${SidebarEntry} channel=${existing.id} sign=${sign} label=${app.name} />`
      : html`<${NewDirectMessage} user=${app.botUserId} sign=${sign} label=${app.name} />`
  }
    <li class=${`app-state is-${appState}`}>
      <span role="status">${APP_STATES[appState]}</span>
    </li>`;
}

/**
 * People without a direct message yet.
 * @param {{ direct: readonly Channel[] }} props
 */
function NewDirectMessages({ direct }) {
  const { people, me } = useDirectory();
  const known = new Set(direct.flatMap(({ members }) => members));
  return [...people.values()]
    .filter((person) => !person.isBot && !person.deactivated && person.id !== me.id && !known.has(person.id))
    .map((person) => {
      const sign = html`<${Avatar} name=${person.realName} color=${person.color} small />`;
      return html`<${NewDirectMessage} key=${person.id} user=${person.id} sign=${sign} label=${person.realName} />`;
    });
}

/** @param {{ user: string, sign: import('preact').ComponentChildren, label: string }} props */
function NewDirectMessage({ user, sign, label }) {
  const { act, goTo } = usePage();
  const open = async () => {
    const answer = await act({ act: 'open-dm', user });
    const channel = answer.ok && isRecord(answer.data) ? answer.data.channel : undefined;
    if (isRecord(channel) && typeof channel.id === 'string') goTo(channel.id);
  };
  return html`<li><button type="button" class="place" onClick=${open}>${sign}<span class="place-name">${label}</span></button></li>`;
}
