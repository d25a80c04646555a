import { useMemo } from 'preact/hooks';
import { html } from './html.js';
import { InteractiveBlocks } from './interactive-blocks.js';
import { readBlocks } from './slack-json.js';
import { usePageState } from './use-page.js';

/**
 * An app's Home tab, as the app published it for this person.
 * @param {{ app: import('./directory.js').Directory['app'] }} props
 */
export function Home({ app }) {
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
