import { useEffect, useState } from 'preact/hooks';
import { ActiveFaults } from './active-faults.js';
import { AppTabs } from './app-tabs.js';
import { StartChatButtons } from './chat.js';
import { Composer } from './composer.js';
import { findApp, findPartner, getChannelTitle } from './directory.js';
import { Hint } from './hint.js';
import { Home } from './home.js';
import { html } from './html.js';
import { MessageList } from './message-list.js';
import { renderEmoji, renderLink } from './mrkdwn.js';
import { Tools } from './tools.js';
import { useAppState } from './use-app-state.js';
import { useDirectory } from './use-directory.js';
import { usePage, usePageState } from './use-page.js';

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
        : html`<${MessageList} channel=${route.channel} title=${title} sentCount=${sentCount}><${Hint} onTry=${suggest} /><//>
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
