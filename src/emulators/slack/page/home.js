import { useMemo } from 'preact/hooks';
import { BlocksIn } from './blocks-in.js';
import { html } from './html.js';
import { blocksIn } from './slack-json.js';
import { usePageState } from './use-workspace.js';

/**
 * An app's Home tab, as the app published it for this person.
 * @param {{ app: import('./directory.js').Directory['app'] }} props
 */
export function Home({ app }) {
  const home = usePageState(({ world }) => {
    if (world?.app.botUserId === app.botUserId) return world.home;
    return world?.otherApps?.find(({ botUserId }) => botUserId === app.botUserId)?.home;
  });
  const container = useMemo(() => ({ type: 'home', app: app.botUserId }), [app.botUserId]);
  const blocks = useMemo(() => blocksIn(home?.view.blocks), [home]);
  return html`<div class="home" tabindex="0" role="region" aria-label=${`${app.name} Home`}>
    ${
      home === undefined
        ? html`<p class="empty">${app.name} has not shown anything here yet.</p>`
        : html`<${BlocksIn} container=${container} blocks=${blocks} />`
    }
  </div>`;
}
