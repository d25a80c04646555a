import type { ComponentChildren } from 'preact';
import { html } from './html.ts';
import { CloseButton, Icon } from './icon.ts';
import { Menu } from './menu.ts';
import { TOOLS, type Tool } from './state.ts';
import { usePage, usePageState } from './use-page.ts';

/** The buttons that open the panels. On a narrow screen they are in a menu. */
export function Tools() {
  const { show } = usePage();
  const open = usePageState(({ panels }) => (panels.thread ? undefined : panels.tool));
  const hasSteps = usePageState((state) => (state.workspace?.steps ?? []).length > 0);
  const tools = TOOLS.filter(({ key }) => key !== 'steps' || hasSteps).map((tool) => ({
    ...tool,
    choose: () => show({ thread: undefined, tool: open === tool.key ? undefined : tool.key }),
  }));
  return html`<div class="tools row">
      ${tools.map(
        ({ key, label, description, choose }) => html`<button
          type="button"
          key=${key}
          id=${`${key}-button`}
          class="tool-button"
          aria-expanded=${String(open === key)}
          aria-controls=${key}
          title=${description}
          onClick=${choose}
        >
          ${label}
        </button>`,
      )}
    </div>
    <${Menu} class="tools-menu overflow" id="tools-button" label="Practice tools" items=${tools}><${Icon} name="dots" /><//>`;
}

interface PanelProps {
  title: string;
  about: string;
  children: ComponentChildren;
}

/** A panel beside the channel. The label names it for screen readers. */
export function Panel(
  props: PanelProps & { id?: string; class: string; label: string; onClose: () => void },
) {
  const { id, class: name, label, title, about, onClose, children } = props;
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
    show({ tool: undefined });
    const button = document.getElementById(`${tool}-button`);
    (button?.checkVisibility() ? button : document.getElementById('tools-button'))?.focus();
  };
  return html`<${Panel} id=${tool} class="inspector" label=${title} title=${title} ...${content} onClose=${close} />`;
}
