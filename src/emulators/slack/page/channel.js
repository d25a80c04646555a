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
  const place = usePageState((state) => state.route);
  const team = usePageState((state) => state.workspace?.team.name);
  const [draft, setDraft] = useState({ text: '', count: 0 });
  const [sent, setSent] = useState(0);
  const channel = directory.channels.get(place.channel);
  const title = getChannelTitle(channel, directory);
  const app = findApp(channel, directory);
  // A page that is loaded again may remember the Home tab of an app that no longer has one.
  const tab = app?.hasHome ? place.tab : 'messages';
  useEffect(() => {
    document.title = `${title} · ${team}`;
  }, [title, team]);
  /** @param {string} text */
  const suggest = (text) => setDraft(({ count }) => ({ text, count: count + 1 }));
  return html`<main class="channel">
    <h1 class="sr-only">${team}</h1>
    <${ChannelHead} title=${title} topic=${channel?.kind === 'im' ? describePartner(channel, directory) : channel?.topic} bookmarks=${channel?.bookmarks ?? []} />
    ${app ? html`<${AppTabs} app=${app} channel=${place.channel} tab=${tab} />` : null}
    ${
      app && tab === 'home'
        ? html`<${Home} app=${app} />`
        : html`<${MessageList} channel=${place.channel} title=${title} sent=${sent}><${Hint} onTry=${suggest} /><//>
            <${ConnectionNotice} app=${app ?? directory.app} />
            ${
              channel?.archived
                ? html`<p class="not-connected">${title} is archived. You can read it, but nobody can write here.</p>`
                : html`<${Composer} channel=${place.channel} title=${title} draft=${draft} onSent=${() => setSent((count) => count + 1)} />`
            }`
    }
  </main>`;
}

/** @param {{ app: import('./directory.js').Directory['app'] }} props */
function ConnectionNotice({ app: { name, botUserId } }) {
  const appState = useAppState(botUserId);
  if (appState === 'connected') return null;
  const words =
    appState === 'connecting'
      ? `${name} is connecting to Slack…`
      : `${name} isn’t connected to Slack. Commands and buttons are answered once it runs.`;
  return html`<p class="not-connected" role="status">${words}</p>`;
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
      (one) =>
        html`<li key=${one.id}>${one.emoji ? renderEmoji(one.emoji.replaceAll(':', '')) : null} ${renderLink(one.link, one.title)}</li>`,
    )}
  </ul>`;
}

/** @param {{ title: string, topic: string | undefined, bookmarks: readonly import('../protocol.ts').Bookmark[] }} props */
function ChannelHead({ title, topic, bookmarks }) {
  const { show } = usePage();
  const shown = usePageState((state) => state.panels);
  const connection = usePageState((state) => state.connection);
  return html`<header class="channel-head">
      <button
        type="button"
        id="drawer-button"
        class="icon-button drawer-button"
        aria-label="Channels and people"
        aria-expanded=${shown.sidebar ? 'true' : 'false'}
        aria-controls="sidebar"
        onClick=${() => show({ sidebar: !shown.sidebar })}
      >
        <span class="burger" aria-hidden="true"></span>
      </button>
      <div class="channel-words">
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
