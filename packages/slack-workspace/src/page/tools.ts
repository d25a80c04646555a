import { html } from './html.ts';
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
  return html`<div class="tools">
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
    <${Menu} class="tools-menu overflow" id="tools-button" label="Practice tools" side="right" items=${items}>
      <span class="dots" aria-hidden="true"></span>
    <//>`;
}

/** The open panel. A thread hides it. */
function findOpenPanel({ thread, faults, inspector, steps }: PageState['panels']) {
  if (thread !== undefined) return undefined;
  if (steps) return 'steps';
  return faults ? 'faults' : inspector ? 'inspector' : undefined;
}

/** Moves the focus back to the button of a closed panel. */
export function focusTool(panel: 'faults' | 'inspector' | 'steps') {
  const button = document.getElementById(`${panel}-button`);
  (button?.checkVisibility() ? button : document.getElementById('tools-button'))?.focus();
}
