import { render } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { ChannelView } from './channel.js';
import { createDirectory } from './directory.js';
import { Faults } from './faults.js';
import { isHintNeeded } from './hint.js';
import { html } from './html.js';
import { Inspector } from './inspector/inspector.js';
import { Modals } from './modal.js';
import { createPage } from './page.js';
import { Sidebar } from './sidebar.js';
import { Steps } from './steps.js';
import { Thread } from './thread.js';
import { DirectoryContext } from './use-directory.js';
import { PageContext, usePage, usePageState } from './use-page.js';

/**
 * Scrolls to the message in the page's address once. A permalink leads to `?channel=C…&message=<ts>`.
 * @param {URL} address
 */
function useLinkedMessage(address) {
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

/** @import { PageState } from './state.js' */

/** The page, once the workspace has sent its state. */
function App() {
  const workspace = usePageState((state) => state.workspace);
  const connection = usePageState((state) => state.connection);
  const panels = usePageState((state) => state.panels);
  const clockOffsetMs = usePageState((state) => state.clockOffsetMs);
  const directory = useMemo(
    () => workspace && createDirectory(workspace, clockOffsetMs),
    [
      workspace?.people,
      workspace?.channels,
      workspace?.me,
      workspace?.app.name,
      workspace?.otherApps,
      clockOffsetMs,
    ],
  );
  useLinkedMessage(address);
  if (directory === undefined) {
    const text =
      connection === 'lost' ? 'The workspace can’t be reached. Trying again…' : 'Opening the workspace…';
    return html`<p class="opening" role="status">${text}</p>`;
  }
  const { thread, inspector, faults, steps } = panels;
  const isPanelOpen = thread || inspector || faults || steps;
  return html`<${DirectoryContext.Provider} value=${directory}>
    <div class=${`layout ${isPanelOpen ? 'with-inspector' : ''}`}>
      <${Sidebar} />
      ${panels.sidebar ? html`<${Shade} />` : null}
      <${ChannelView} />
      ${thread ? html`<${Thread} ...${thread} />` : steps ? html`<${Steps} />` : faults ? html`<${Faults} />` : inspector ? html`<${Inspector} />` : null}
    </div>
    <${Modals} />
  <//>`;
}

/** The shade behind the sidebar on a narrow screen. A press on it closes the sidebar. */
function Shade() {
  return html`<div class="shade" onClick=${() => page.show({ sidebar: false })}></div>`;
}

/**
 * Reads the open channel from the fragment of the page's address: `#C123`, or `#D123/home` for an app's Home tab.
 * @param {string} hash
 * @returns {PageState['route'] | undefined}
 */
function readRoute(hash) {
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
