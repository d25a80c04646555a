import { useMemo } from 'preact/hooks';
import { BlocksIn } from './blocks-in.js';
import { html } from './html.js';
import { blocksIn } from './slack-json.js';
import { useDirectory } from './use-directory.js';
import { usePageState } from './use-workspace.js';

const CONTAINER = { type: 'home' };

/** The app's Home tab, as the app published it for this person. */
export function Home() {
  const { app } = useDirectory();
  const home = usePageState((state) => state.world?.home);
  const blocks = useMemo(() => blocksIn(home?.view.blocks), [home]);
  return html`<div class="home" tabindex="0" role="region" aria-label=${`${app.name} Home`}>
    ${
      home === undefined
        ? html`<p class="empty">${app.name} has not shown anything here yet.</p>`
        : html`<${BlocksIn} container=${CONTAINER} blocks=${blocks} />`
    }
  </div>`;
}
