import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Channel } from '../protocol.ts';
import { StartChatButtons } from './chat.ts';
import { Composer } from './composer.ts';
import { type Directory, findApp, findPartner, getChannelTitle, useDirectory } from './directory.ts';
import { Hint } from './hint.ts';
import { html } from './html.ts';
import { Icon } from './icon.ts';
import { InteractiveBlocks } from './interactive-blocks.ts';
import { MessageList } from './message-list.ts';
import { PlaceMenu } from './place-menu.ts';
import { readBlocks } from './slack-json.ts';
import type { PageState } from './state.ts';
import { Tools } from './tools.ts';
import { useAppState, useFaults, usePage, usePageState } from './use-page.ts';

/** An app's Home tab, as the app published it for this person. */
function Home({ app }: { app: Directory['app'] }) {
  const home = usePageState(({ workspace }) => workspace?.homes?.[app.botUserId]);
  const container = useMemo(() => ({ type: 'home', app: app.botUserId }), [app.botUserId]);
  const blocks = useMemo(() => readBlocks(home?.view.blocks), [home]);
  return html`<div class="home scroller" tabindex="0" role="region" aria-label=${`${app.name} Home`}>
    ${
      home === undefined
        ? html`<p class="empty quiet">${app.name} hasn’t shown anything here yet.</p>`
        : html`<${InteractiveBlocks} container=${container} blocks=${blocks} />`
    }
  </div>`;
}

const TABS: readonly [PageState['route']['tab'], string][] = [
  ['home', 'Home'],
  ['messages', 'Messages'],
];

/**
 * The tabs of an app: Home, if its manifest enables it, and Messages. The Tab key stops once, and the arrow keys move
 * between the tabs.
 */
function AppTabs({ app: { name, hasHome }, channel, tab }: { app: Directory['app'] } & PageState['route']) {
  const { goTo } = usePage();
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
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
  return html`<div role="status">
    ${active.map(
      ({ group, text }) => html`<p key=${group.id} class="notice row">
        <span>${text}</span>
        <button
          type="button"
          class="tool-button"
          aria-label=${`Back to usual: ${group.label}`}
          onClick=${() => choose(group)}
        >
          Back to usual
        </button>
      </p>`,
    )}
    ${active.length > 0 && error ? html`<p class="notice">${error}</p>` : null}
  </div>`;
}

/** The middle column: the open channel, its messages and the composer. */
export function ChannelView() {
  const directory = useDirectory();
  const route = usePageState((state) => state.route);
  const team = usePageState((state) => state.workspace?.team.name);
  const [sentCount, setSentCount] = useState(0);
  const channel = directory.channels.get(route.channel);
  const title = getChannelTitle(channel, directory);
  const app = findApp(channel, directory);
  // After a reload, the address can name the Home tab of an app that no longer has one.
  const tab = app?.hasHome ? route.tab : 'messages';
  useEffect(() => {
    document.title = `${title} · ${team}`;
  }, [title, team]);
  return html`<main class="channel column">
    <h1 class="sr-only">${team}</h1>
    <${ChannelHead} title=${title} channel=${channel} topic=${channel?.kind === 'im' ? describePartner(channel, directory) : channel?.topic} />
    ${app ? html`<${AppTabs} app=${app} channel=${route.channel} tab=${tab} />` : null}
    ${
      app && tab === 'home'
        ? html`<${Home} app=${app} />`
        : html`<${MessageList} channel=${route.channel} title=${title} sentCount=${sentCount}>${app === directory.app ? html`<${Hint} />` : null}<//>
            <${ConnectionNotice} app=${app ?? directory.app} />
            ${
              channel?.archived
                ? html`<p class="notice not-connected">${title} is archived. You can read it, but nobody can write here.</p>`
                : html`<${Composer} channel=${route.channel} title=${title} onSent=${() => setSentCount((count) => count + 1)} />`
            }`
    }
  </main>`;
}

function ConnectionNotice({ app: { name, botUserId } }: { app: Directory['app'] }) {
  const appState = useAppState(botUserId);
  if (appState === 'connected') return null;
  const text =
    appState === 'connecting'
      ? `${name} is connecting to Slack…`
      : `${name} isn’t connected to Slack. Commands and buttons work when it runs.`;
  return html`<p class="notice not-connected" role="status">${text}</p>`;
}

function describePartner(channel: Channel, directory: Directory) {
  const partner = findPartner(channel, directory);
  if (!partner || partner.isBot) return partner && 'App';
  const role = partner.role.includes('guest') ? ` · ${partner.role}` : '';
  return `@${partner.name}${role}`;
}

interface ChannelHeadProps {
  title: string;
  channel: Channel | undefined;
  topic: string | undefined;
}

function ChannelHead({ title, channel, topic }: ChannelHeadProps) {
  const { show } = usePage();
  const panels = usePageState((state) => state.panels);
  const connection = usePageState((state) => state.connection);
  return html`<header class="channel-head row">
      <button
        type="button"
        id="drawer-button"
        class="icon-button drawer-button"
        aria-label="Channels and people"
        aria-expanded=${panels.sidebar ? 'true' : 'false'}
        aria-controls="sidebar"
        onClick=${() => show({ sidebar: !panels.sidebar })}
      >
        <${Icon} name="lines" />
      </button>
      <div class="channel-titles">
        <h2 class="one-line">${title}</h2>
        ${topic ? html`<p class="quiet one-line">${topic}</p>` : null}
      </div>
      ${channel ? html`<${PlaceMenu} channel=${channel} />` : null}
      <${StartChatButtons} />
      <${Tools} />
    </header>
    ${connection === 'lost' ? html`<p class="notice" role="alert">The connection to the workspace was lost. Connecting again…</p>` : null}
    <${ActiveFaults} />`;
}
