import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';

/** Time for which “Copied” is visible, ms. */
const COPIED_MS = 2_000;

/**
 * @param {{ label: string, text: () => string }} props
 */
export function CopyButton({ label, text }) {
  const [state, setState] = useState(/** @type {'ready' | 'copied' | 'refused'} */ ('ready'));
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text())) ? 'copied' : 'refused');
  return html`<button type="button" class="button" onClick=${copy}>${label}</button>
    <span class="traffic-copied" role="status">${STATE_TEXTS[state]}</span>`;
}

const STATE_TEXTS = { ready: '', copied: 'Copied', refused: 'The browser didn’t allow it' };

/**
 * Copies a text. Resolves with whether the browser allowed it. Browsers offer the clipboard API only on loopback and
 * over HTTPS, so other addresses need `execCommand`.
 * @param {string} text
 */
async function copyText(text) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = text;
  const { activeElement } = document;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}
