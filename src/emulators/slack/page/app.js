import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import { ChannelView } from './channel.js';
import { directoryOf } from './directory.js';
import { Examples } from './examples/examples.js';
import { Faults } from './faults.js';
import { hintWanted } from './hint.js';
import { html } from './html.js';
import { Inspector } from './inspector/inspector.js';
import { useLinkedMessage } from './linked-message.js';
import { Modals } from './modal.js';
import { Sidebar } from './sidebar.js';
import { Steps } from './steps.js';
import { Thread } from './thread.js';
import { DirectoryContext } from './use-directory.js';
import { usePageState, WorkspaceContext } from './use-workspace.js';
import { createWorkspace } from './workspace.js';

/** @import { PageState } from './state.js' */

/** The whole page, after the workspace has sent its state. */
function Page() {
  const world = usePageState((state) => state.world);
  const connection = usePageState((state) => state.connection);
  const shown = usePageState((state) => state.shown);
  const ahead = usePageState((state) => state.ahead);
  const directory = useMemo(
    () => world && directoryOf(world, ahead),
    [world?.people, world?.channels, world?.me, world?.app.name, world?.otherApps, ahead],
  );
  useLinkedMessage(address);
  if (directory === undefined) {
    const words =
      connection === 'lost' ? 'The workspace can’t be reached. Trying again…' : 'Opening the workspace…';
    return html`<p class="opening" role="status">${words}</p>`;
  }
  if (address.searchParams.has('examples')) {
    return html`<${DirectoryContext.Provider} value=${directory}><${Examples} origin=${address.origin} /><//>`;
  }
  const { thread, inspector, faults, steps } = shown;
  const isPanelOpen = thread || inspector || faults || steps;
  return html`<${DirectoryContext.Provider} value=${directory}>
    <div class=${`layout ${isPanelOpen ? 'with-inspector' : ''}`}>
      <${Sidebar} />
      ${shown.sidebar ? html`<${Shade} />` : null}
      <${ChannelView} />
      ${thread ? html`<${Thread} ...${thread} />` : steps ? html`<${Steps} />` : faults ? html`<${Faults} />` : inspector ? html`<${Inspector} />` : null}
    </div>
    <${Modals} />
  <//>`;
}

/** The shade behind the drawer on a narrow screen. A press on it closes the drawer. */
function Shade() {
  return html`<div class="shade" onClick=${() => workspace.show({ sidebar: false })}></div>`;
}

/**
 * The channel in the fragment of the page's address: `#C123`, or `#D123/home` for the app's Home tab.
 * @param {string} hash
 * @returns {PageState['place'] | undefined}
 */
function placeIn(hash) {
  const [, channel, home] = /^#([A-Z0-9]+)(\/home)?$/.exec(hash) ?? [];
  return channel === undefined ? undefined : { channel, tab: home ? 'home' : 'messages' };
}

const address = new URL(location.href);
const workspace = createWorkspace({
  live: new URL('/page/live', address).href.replace(/^http/, 'ws'),
  as: address.searchParams.get('as'),
  team: address.searchParams.get('team'),
  place: placeIn(address.hash),
  onPerson: (name, team) => {
    // The address names the person, so that two tabs can be two people, and a reload keeps the person.
    address.searchParams.set('as', name);
    if (team !== null) address.searchParams.set('team', team);
    history.replaceState(null, '', address);
  },
});
workspace.show({ hint: hintWanted() });
// The address names the channel, so that a reload opens the same one.
workspace.store.subscribe(() => {
  const { channel, tab } = workspace.store.get().place;
  const hash = channel === '' ? '' : `#${channel}${tab === 'home' ? '/home' : ''}`;
  if (hash === address.hash) return;
  address.hash = hash;
  history.replaceState(null, '', address);
});

const root = document.getElementById('page');
if (root) render(html`<${WorkspaceContext.Provider} value=${workspace}><${Page} /><//>`, root);
