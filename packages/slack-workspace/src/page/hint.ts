import { useLayoutEffect } from 'preact/hooks';
import { useDirectory } from './directory.ts';
import { html } from './html.ts';
import { CloseButton } from './icon.ts';
import { usePage, usePageState } from './use-page.ts';

const DISMISSED_KEY = 'hint-dismissed';

/** Whether the hint was never dismissed in this browser. */
export const isHintNeeded = () => localStorage.getItem(DISMISSED_KEY) === null;

/** Suggests commands to new people. Disappears after the first command. */
export function Hint() {
  const { show } = usePage();
  const isShown = usePageState((state) => state.panels.hint);
  const commands = usePageState((state) => state.workspace?.commands) ?? [];
  const { app } = useDirectory();
  // A layout effect, because the person may reload the page at once.
  useLayoutEffect(() => {
    if (!isShown) localStorage.setItem(DISMISSED_KEY, 'yes');
  }, [isShown]);
  if (!isShown || commands.length === 0) return null;
  const dismiss = () => {
    show({ hint: false });
    document.getElementById('composer')?.focus();
  };
  return html`<section class="hint row" aria-label="Getting started">
    <p>
      <strong>New here?</strong> ${app.name} works with commands: type <kbd>/</kbd> below, or try${' '}
      ${commands
        .slice(0, 2)
        .map(
          ({ command, description }) =>
            html`<button type="button" title=${description} onClick=${() => typeIntoComposer(`${command} `)}>${command}</button> `,
        )}
    </p>
    <${CloseButton} label="Dismiss" onClick=${dismiss} />
  </section>`;
}

function typeIntoComposer(text: string) {
  const composer = document.getElementById('composer');
  if (!(composer instanceof HTMLTextAreaElement)) return;
  composer.value = text;
  composer.dispatchEvent(new InputEvent('input', { bubbles: true }));
  composer.focus();
}
