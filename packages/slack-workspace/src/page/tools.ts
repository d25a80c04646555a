import type { ComponentChildren } from 'preact';
import { html } from './html.ts';
import { CloseButton, Icon } from './icon.ts';
import { Menu } from './menu.ts';
import type { PageState } from './state.ts';
import { usePage, usePageState } from './use-page.ts';

/** The panels beside the channel. */
const TOOLS = [
  { panel: 'steps', label: 'Steps', description: 'Run the app’s workflow steps' },
  { panel: 'faults', label: 'Faults', description: 'Make the service or Slack fail, for practice' },
  {
    panel: 'inspector',
    label: 'Inspector',
    description: 'Requests to the app and its API calls',
  },
] as const;

type Tool = (typeof TOOLS)[number]['panel'];

/** The buttons that open the panels. On a narrow screen they are in a menu. */
export function Tools() {
  const { show } = usePage();
  const panels = usePageState((state) => state.panels);
  const openPanel = findOpenPanel(panels);
  const hasSteps = usePageState((state) => (state.workspace?.steps ?? []).length > 0);
  const tools = TOOLS.filter(({ panel }) => panel !== 'steps' || hasSteps).map((tool) => ({
    ...tool,
    isOpen: openPanel === tool.panel,
    toggle: () =>
      show({
        faults: false,
        inspector: false,
        steps: false,
        thread: undefined,
        [tool.panel]: openPanel !== tool.panel,
      }),
  }));
  const items = tools.map(({ panel, label, description, toggle }) => ({
    key: panel,
    label,
    description,
    choose: toggle,
  }));
  return html`<div class="tools row">
      ${tools.map(
        ({ panel, label, description, isOpen, toggle }) => html`<button
          type="button"
          key=${panel}
          id=${`${panel}-button`}
          class="tool-button"
          aria-expanded=${isOpen ? 'true' : 'false'}
          aria-controls=${panel}
          title=${description}
          onClick=${toggle}
        >
          ${label}
        </button>`,
      )}
    </div>
    <${Menu} class="tools-menu overflow" id="tools-button" label="Practice tools" items=${items}><${Icon} name="dots" /><//>`;
}

/** The open panel. A thread hides it. */
function findOpenPanel({ thread, faults, inspector, steps }: PageState['panels']) {
  if (thread !== undefined) return undefined;
  if (steps) return 'steps';
  return faults ? 'faults' : inspector ? 'inspector' : undefined;
}

interface PanelProps {
  title: string;
  about: string;
  children: ComponentChildren;
}

/** A panel beside the channel. The label names it for screen readers. */
export function Panel({
  id,
  class: name,
  label,
  title,
  about,
  onClose,
  children,
}: PanelProps & { id?: string; class: string; label: string; onClose: () => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) onClose();
  };
  return html`<aside class=${`${name} column`} id=${id} aria-label=${label} onKeyDown=${onKeyDown}>
    <header class="panel-head">
      <div><h2>${title}</h2><p class="quiet">${about}</p></div>
      <${CloseButton} label=${`Close the ${label.toLowerCase()}`} onClick=${onClose} />
    </header>
    ${children}
  </aside>`;
}

/** The panel of a tool. After it is closed, the tool's button gets the focus. */
export function ToolPanel({ tool, title, ...content }: PanelProps & { tool: Tool }) {
  const { show } = usePage();
  const close = () => {
    show({ [tool]: false });
    const button = document.getElementById(`${tool}-button`);
    (button?.checkVisibility() ? button : document.getElementById('tools-button'))?.focus();
  };
  return html`<${Panel} id=${tool} class="inspector" label=${title} title=${title} ...${content} onClose=${close} />`;
}
