import { html } from './html.js';
import { Menu } from './menu.js';
import { usePage, usePageState } from './use-page.js';

/** The global shortcuts of all apps. */
export function Shortcuts() {
  const { act } = usePage();
  const all = usePageState((state) => state.workspace?.shortcuts) ?? [];
  const items = all
    .filter(({ type }) => type === 'global')
    .map(({ callbackId, app, botUserId, name, description }) => ({
      key: `${app} ${callbackId}`,
      label: name,
      description,
      choose: () => void act({ act: 'shortcut', callbackId, app: botUserId }),
    }));
  if (items.length === 0) return null;
  return html`<${Menu} label="Shortcuts" class="shortcuts" isUpwards items=${items}>
    <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M11.5 1.8 4 11.4h4.6l-.9 6.8L16 8.2h-5.2z" /></svg>
  <//>`;
}
