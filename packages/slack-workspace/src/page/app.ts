import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FaultSwitch } from '../faults/fault-switches.ts';
import { ChannelView } from './channel.ts';
import { ThreadFooter, useChat } from './chat.ts';
import { Composer } from './composer.ts';
import { createDirectory, DirectoryContext, findApp, getChannelTitle, useDirectory } from './directory.ts';
import { isHintNeeded } from './hint.ts';
import { html } from './html.ts';
import { Inspector } from './inspector/inspector.ts';
import { Message } from './message.ts';
import { isContinuation } from './message-list.ts';
import { Modals } from './modal.ts';
import { createPage } from './page.ts';
import { Sidebar } from './sidebar.ts';
import { filterThreadMessages, type PageState } from './state.ts';
import { Steps } from './steps.ts';
import type { Store } from './store.ts';
import { Panel, ToolPanel } from './tools.ts';
import { PageContext, useFaults, usePage, usePageState } from './use-page.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

/** The panel with switches that make the service or Slack fail. */
function Faults() {
  const { switches, choose, error } = useFaults();
  const about =
    'Make something fail, for everybody here, until you switch it off. While a form is open, use another tab.';
  return html`<${ToolPanel} tool="faults" title="Practice faults" about=${about}>
    <div class="panel-body scroller">
      <p class="action-error problem" role="alert">${error}</p>
      ${switches.map((group) => html`<${FaultGroup} key=${group.id} group=${group} choose=${choose} />`)}
    </div>
  <//>`;
}

interface FaultGroupProps {
  group: FaultSwitch;
  choose: ReturnType<typeof useFaults>['choose'];
}

/** The faults of one system. Only one can be enabled at a time. */
function FaultGroup({ group, choose }: FaultGroupProps) {
  const heading = `fault-${group.id}`;
  return html`<section role="group" aria-labelledby=${heading}>
    <h3 id=${heading}>${group.label}</h3>
    <div class="faults box">
      ${group.choices.map(({ id, label }) => {
        const isOn = group.chosen === id;
        const toggle = () => choose(group, isOn ? undefined : id);
        return html`<label key=${id} class="fault choose-one">
          <input type="checkbox" role="switch" checked=${isOn} onChange=${toggle} />${label}
        </label>`;
      })}
    </div>
  </section>`;
}

const OPENED_KEY = 'opened-ts';
const READ_KEY = 'read-by:';

/**
 * Stores in the browser up to where each person has read, so that a reload doesn't mark all messages as read. Each
 * person has an own entry, because several tabs can act as different persons.
 */
function keepReadPositions(store: Store<PageState>) {
  const entries = Object.entries(localStorage).filter(([key]) => key.startsWith(READ_KEY));
  const lastReadTs = Object.fromEntries(
    entries.map(([key, value]) => [key.slice(READ_KEY.length), JSON.parse(value)]),
  );
  store.update((state) => ({ ...state, lastReadTs, openedTs: localStorage.getItem(OPENED_KEY) ?? '' }));
  let stored = store.get();
  store.subscribe(() => {
    const state = store.get();
    const { workspace, lastReadTs: current, openedTs } = state;
    const isStored = current === stored.lastReadTs && openedTs === stored.openedTs;
    if (workspace === undefined || isStored) return;
    stored = state;
    localStorage.setItem(OPENED_KEY, openedTs);
    localStorage.setItem(READ_KEY + workspace.me.id, JSON.stringify(current[workspace.me.id] ?? {}));
  });
}

/** Scrolls to the message in the page's address once. A permalink leads to `?channel=C…&message=<ts>`. */
function useLinkedMessage(address: URL) {
  const { goTo } = usePage();
  const channels = usePageState((state) => state.workspace?.channels);
  useEffect(() => {
    const channel = address.searchParams.get('channel');
    const ts = address.searchParams.get('message') ?? '';
    if (channels === undefined || channel === null) return;
    address.searchParams.delete('channel');
    address.searchParams.delete('message');
    history.replaceState(null, '', address);
    if (!channels.some(({ id }) => id === channel)) return;
    goTo(channel);
    requestAnimationFrame(() => {
      const row = document.querySelector(`.channel [data-ts="${CSS.escape(ts)}"]`);
      row?.scrollIntoView({ block: 'center' });
      row?.classList.add('is-linked');
    });
  }, [channels]);
}

const TOOL_PANELS = { steps: Steps, faults: Faults, inspector: Inspector };

/** The page, once the workspace has sent its state. */
function App() {
  const workspace = usePageState((state) => state.workspace);
  const connection = usePageState((state) => state.connection);
  const panels = usePageState((state) => state.panels);
  const clockOffsetMs = usePageState((state) => state.clockOffsetMs);
  const directory = useMemo(
    () => workspace && createDirectory(workspace, clockOffsetMs),
    [workspace?.people, workspace?.channels, workspace?.me, workspace?.apps, clockOffsetMs],
  );
  useLinkedMessage(address);
  if (directory === undefined) {
    const text =
      connection === 'lost' ? 'The workspace can’t be reached. Trying again…' : 'Opening the workspace…';
    return html`<p class="opening quiet" role="status">${text}</p>`;
  }
  const { thread, tool } = panels;
  return html`<${DirectoryContext.Provider} value=${directory}>
    <div class=${`layout ${thread || tool ? 'with-inspector' : ''}`}>
      <${Sidebar} />
      ${panels.sidebar ? html`<${Shade} />` : null}
      <${ChannelView} />
      ${thread ? html`<${Thread} ...${thread} />` : tool && html`<${TOOL_PANELS[tool]} />`}
    </div>
    <${Modals} />
  <//>`;
}

/** The shade behind the sidebar on a narrow screen. A press on it closes the sidebar. */
function Shade() {
  return html`<div class="shade" onClick=${() => page.show({ sidebar: false })}></div>`;
}

/** Reads the open channel from the fragment of the page's address: `#C123`, or `#D123/home` for an app's Home tab. */
function readRoute(hash: string): PageState['route'] | undefined {
  const [, channel, home] = /^#([A-Z0-9]+)(\/home)?$/.exec(hash) ?? [];
  return channel === undefined ? undefined : { channel, tab: home ? 'home' : 'messages' };
}

const address = new URL(location.href);
const page = createPage({
  liveUrl: new URL('/page/live', address).href.replace(/^http/, 'ws'),
  as: address.searchParams.get('as'),
  team: address.searchParams.get('team'),
  route: readRoute(address.hash),
  onPerson: (name, team) => {
    // With the person in the address, each tab can act as another person, and a reload keeps the person.
    address.searchParams.set('as', name);
    if (team !== null) address.searchParams.set('team', team);
    history.replaceState(null, '', address);
  },
});
page.show({ hint: isHintNeeded() });
keepReadPositions(page.store);
// With the channel in the address, a reload opens the same channel.
page.store.subscribe(() => {
  const { channel, tab } = page.store.get().route;
  const hash = channel === '' ? '' : `#${channel}${tab === 'home' ? '/home' : ''}`;
  if (hash === address.hash) return;
  address.hash = hash;
  history.replaceState(null, '', address);
});

const root = document.getElementById('page');
if (root) render(html`<${PageContext.Provider} value=${page}><${App} /><//>`, root);

/** A message and its replies beside the channel, with a composer for a reply. */
function Thread({ channel, ts }: { channel: string; ts: string }) {
  const directory = useDirectory();
  const { loadThread, closeThread } = usePage();
  const channelMessages = usePageState((state) => state.workspace?.messages[channel]) ?? [];
  const shortcuts = usePageState((state) => state.workspace?.shortcuts) ?? [];
  const messageShortcuts = shortcuts.filter(({ type }) => type === 'message');
  const chat = useChat(channel, ts);
  // The first message of a chat is empty.
  const messages = filterThreadMessages(channelMessages, ts).filter(
    (message) => chat === undefined || message.ts !== ts,
  );
  const [sentCount, setSentCount] = useState(0);
  const { list, onScroll } = useStickToEnd(ts, messages, sentCount);
  const openChannel = directory.channels.get(channel);
  useEffect(() => void loadThread(channel, ts), [channel, ts]);
  const title = chat ? (chat.title ?? 'New chat') : 'Thread';
  const about = chat
    ? `Chat with ${findApp(openChannel, directory)?.name}`
    : getChannelTitle(openChannel, directory);
  return html`<${Panel} class="thread" label="Thread" title=${title} about=${about} onClose=${closeThread}>
    <div class="messages scroller column" ref=${list} onScroll=${onScroll} tabindex="0" role="region" aria-label="Messages in the thread">
      <div role="log" aria-label="Thread"><ol class="message-list">
        ${messages.map((message, index) => {
          const before = messages[index - 1];
          // The first message has a heading of its own, and so has the first reply.
          const continues = index > 1 && before !== undefined && isContinuation(before, message);
          return html`<${Message} key=${message.ts} message=${message} isContinuation=${continues} shortcuts=${messageShortcuts} inThread />`;
        })}
      </ol></div>
      <${ThreadFooter} channel=${channel} ts=${ts} />
    </div>
    ${openChannel?.archived ? null : html`<${Composer} channel=${channel} threadTs=${ts} title="the thread" onSent=${() => setSentCount((count) => count + 1)} />`}
  <//>`;
}
