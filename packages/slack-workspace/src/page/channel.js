import { useEffect, useMemo, useState } from 'preact/hooks';
import { StartChatButtons } from './chat.js';
import { Composer } from './composer.js';
import { findApp, findPartner, getChannelTitle } from './directory.js';
import { Hint } from './hint.js';
import { html } from './html.js';
import { InteractiveBlocks } from './interactive-blocks.js';
import { MessageList } from './message-list.js';
import { renderEmoji, renderLink } from './mrkdwn.js';
import { readBlocks } from './slack-json.js';
import { Tools } from './tools.js';
import { useAppState } from './use-app-state.js';
import { useDirectory } from './use-directory.js';
import { useFaults } from './use-faults.js';
import { usePage, usePageState } from './use-page.js';

/**
 * An app's Home tab, as the app published it for this person.
 * @param {{ app: import('./directory.js').Directory['app'] }} props
 */
function Home({ app }) {
  const home = usePageState(({ workspace }) => {
    if (workspace?.app.botUserId === app.botUserId) return workspace.home;
    return workspace?.otherApps?.find(({ botUserId }) => botUserId === app.botUserId)?.home;
  });
  const container = useMemo(() => ({ type: 'home', app: app.botUserId }), [app.botUserId]);
  const blocks = useMemo(() => readBlocks(home?.view.blocks), [home]);
  return html`<div class="home" tabindex="0" role="region" aria-label=${`${app.name} Home`}>
    ${
      home === undefined
        ? html`<p class="empty">${app.name} hasn’t shown anything here yet.</p>`
        : html`<${InteractiveBlocks} container=${container} blocks=${blocks} />`
    }
  </div>`;
}

/** @type {readonly ['home' | 'messages', string][]} */
const TABS = [
  ['home', 'Home'],
  ['messages', 'Messages'],
];

/**
 * The tabs of an app: Home, if its manifest enables it, and Messages. The Tab key stops once, and the arrow keys move
 * between the tabs.
 * @param {{ app: import('./directory.js').Directory['app'], channel: string, tab: 'home' | 'messages' }} props
 */
function AppTabs({ app: { name, hasHome }, channel, tab }) {
  const { goTo } = usePage();
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const onKeyDown = (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = event.currentTarget.querySelector('[aria-selected=false]');
    if (!(other instanceof HTMLElement)) return;
    other.click();
    other.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${name} onKeyDown=${onKeyDown}>
    ${TABS.filter(([key]) => key !== 'home' || hasHome).map(
      ([key, label]) => html`<button
        type="button"
        key=${key}
        role="tab"
        aria-selected=${tab === key ? 'true' : 'false'}
        tabindex=${tab === key ? 0 : -1}
        class="tab"
        onClick=${() => goTo(channel, key)}
      >
        ${label}
      </button>`,
    )}
  </div>`;
}

/** The enabled faults, each with a button that disables it. */
function ActiveFaults() {
  const { switches, choose, error } = useFaults();
  const active = switches.flatMap((group) => {
    const choice = group.choices.find(({ id }) => id === group.chosen);
    return choice ? [{ group, text: choice.notice }] : [];
  });
  // Stays in the page while it is empty, because screen readers announce only changes of existing regions.
  return html`<div class="active-faults" role="status">
    ${active.map(
      ({ group, text }) => html`<p key=${group.id}>
        <span>${text}</span>
        <button
          type="button"
          class="fault-end"
          aria-label=${`Back to usual: ${group.label}`}
          onClick=${() => choose(group)}
        >
          Back to usual
        </button>
      </p>`,
    )}
    ${active.length > 0 && error ? html`<p>${error}</p>` : null}
  </div>`;
}

/** The middle column: the open channel, its messages and the composer. */
export function ChannelView() {
  const directory = useDirectory();
  const route = usePageState((state) => state.route);
  const team = usePageState((state) => state.workspace?.team.name);
  const [prefill, setPrefill] = useState({ text: '', count: 0 });
  const [sentCount, setSentCount] = useState(0);
  const channel = directory.channels.get(route.channel);
  const title = getChannelTitle(channel, directory);
  const app = findApp(channel, directory);
  // After a reload, the address can name the Home tab of an app that no longer has one.
  const tab = app?.hasHome ? route.tab : 'messages';
  useEffect(() => {
    document.title = `${title} · ${team}`;
  }, [title, team]);
  /** @param {string} text */
  const suggest = (text) => setPrefill(({ count }) => ({ text, count: count + 1 }));
  return html`<main class="channel">
    <h1 class="sr-only">${team}</h1>
    <${ChannelHead} title=${title} topic=${channel?.kind === 'im' ? describePartner(channel, directory) : channel?.topic} bookmarks=${channel?.bookmarks ?? []} />
    ${app ? html`<${AppTabs} app=${app} channel=${route.channel} tab=${tab} />` : null}
    ${
      app && tab === 'home'
        ? html`<${Home} app=${app} />`
        : html`<${MessageList} channel=${route.channel} title=${title} sentCount=${sentCount}>${app === directory.app ? html`<${Hint} onTry=${suggest} />` : null}<//>
            <${ConnectionNotice} app=${app ?? directory.app} />
            ${
              channel?.archived
                ? html`<p class="not-connected">${title} is archived. You can read it, but nobody can write here.</p>`
                : html`<${Composer} channel=${route.channel} title=${title} prefill=${prefill} onSent=${() => setSentCount((count) => count + 1)} />`
            }`
    }
  </main>`;
}

/** @param {{ app: import('./directory.js').Directory['app'] }} props */
function ConnectionNotice({ app: { name, botUserId } }) {
  const appState = useAppState(botUserId);
  if (appState === 'connected') return null;
  const text =
    appState === 'connecting'
      ? `${name} is connecting to Slack…`
      : `${name} isn’t connected to Slack. Commands and buttons work when it runs.`;
  return html`<p class="not-connected" role="status">${text}</p>`;
}

/**
 * @param {import('../protocol.ts').Channel} channel
 * @param {import('./directory.js').Directory} directory
 */
function describePartner(channel, directory) {
  const partner = findPartner(channel, directory);
  return partner?.isBot ? 'App' : partner && `@${partner.name}`;
}

/** @param {{ bookmarks: readonly import('../protocol.ts').Bookmark[] }} props */
function Bookmarks({ bookmarks }) {
  return html`<ul class="bookmarks" aria-label="Bookmarks">
    ${bookmarks.map(
      ({ id, emoji, link, title }) =>
        html`<li key=${id}>${emoji ? renderEmoji(emoji.replaceAll(':', '')) : null} ${renderLink(link, title)}</li>`,
    )}
  </ul>`;
}

/** @param {{ title: string, topic: string | undefined, bookmarks: readonly import('../protocol.ts').Bookmark[] }} props */
function ChannelHead({ title, topic, bookmarks }) {
  const { show } = usePage();
  const panels = usePageState((state) => state.panels);
  const connection = usePageState((state) => state.connection);
  return html`<header class="channel-head">
      <button
        type="button"
        id="drawer-button"
        class="icon-button drawer-button"
        aria-label="Channels and people"
        aria-expanded=${panels.sidebar ? 'true' : 'false'}
        aria-controls="sidebar"
        onClick=${() => show({ sidebar: !panels.sidebar })}
      >
        <span class="burger" aria-hidden="true"></span>
      </button>
      <div class="channel-titles">
        <h2>${title}</h2>
        ${topic ? html`<p class="topic">${topic}</p>` : null}
        ${bookmarks.length > 0 ? html`<${Bookmarks} bookmarks=${bookmarks} />` : null}
      </div>
      <${StartChatButtons} />
      <${Tools} />
    </header>
    ${connection === 'lost' ? html`<p class="lost" role="alert">The connection to the workspace was lost. Connecting again…</p>` : null}
    <${ActiveFaults} />`;
}
