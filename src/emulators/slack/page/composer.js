import { html } from './html.js';
import { Menu } from './menu.js';
import { handleComposerKey, useComposer } from './use-composer.js';
import { usePage, usePageState } from './use-page.js';

/** The global shortcuts of all apps. */
function Shortcuts() {
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

/**
 * @import { Suggestion } from './suggestions.js'
 * @typedef {{ currentTarget: HTMLTextAreaElement }} TextAreaEvent
 */

/**
 * The text box of a channel or thread, with suggestions.
 * @param {{ channel: string, title: string, prefill: { text: string, count: number }, threadTs?: string, onSent: () => void }} props
 */
export function Composer({ channel, title, prefill, threadTs, onSent }) {
  const composer = useComposer(channel, prefill, { threadTs, onSent });
  const { suggestions, active, hint, text, error } = composer;
  const id = threadTs === undefined ? 'composer' : 'thread-composer';
  const label = threadTs === undefined ? `Message ${title}` : 'Reply in the thread';
  const isOpen = suggestions.length > 0;
  /** @param {TextAreaEvent} event */
  const moveCursor = ({ currentTarget }) => composer.setCursor(currentTarget.selectionStart);
  const usage = !isOpen && hint?.usageHint ? `${hint.command} ${hint.usageHint}` : undefined;
  return html`<div class="composer">
    ${isOpen ? html`<${SuggestionList} id=${id} title=${composer.title} suggestions=${suggestions} active=${active} onPick=${composer.accept} onHover=${composer.setActive} />` : null}
    ${usage ? html`<p class="usage" id=${`${id}-usage`}><code>${usage}</code></p>` : null}
    <p class="action-error" role="alert">${error}</p>
    <div class="composer-box">
      ${threadTs === undefined ? html`<${Shortcuts} />` : null}
      <label class="sr-only" for=${id}>${label}</label>
      <textarea
        ref=${composer.textArea}
        id=${id}
        rows="1"
        aria-haspopup="listbox"
        aria-controls=${isOpen ? `${id}-suggestions` : undefined}
        aria-autocomplete="list"
        aria-activedescendant=${isOpen ? `${id}-suggestion-${active}` : undefined}
        aria-describedby=${usage ? `${id}-usage` : undefined}
        autocomplete="off"
        placeholder=${threadTs === undefined ? `${label} or type /` : label}
        value=${text}
        onInput=${(/** @type {TextAreaEvent} */ { currentTarget }) => {
          composer.leaveHistory();
          composer.write(currentTarget.value, currentTarget.selectionStart);
        }}
        onKeyUp=${moveCursor}
        onClick=${moveCursor}
        onBlur=${composer.hideSuggestions}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => handleComposerKey(composer, event)}
      ></textarea>
      <button type="button" class="send" aria-label="Send" title="Send" disabled=${text.trim() === ''} onClick=${composer.send}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2.5 3.2 18 10 2.5 16.8l2-6.1L11 10l-6.5-.7z" /></svg>
      </button>
    </div>
  </div>`;
}

/** @param {{ id: string, title: string, suggestions: readonly Suggestion[], active: number, onPick: (suggestion: Suggestion) => void, onHover: (index: number) => void }} props */
function SuggestionList({ id, title, suggestions, active, onPick, onHover }) {
  return html`<div class="commands" onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}>
    <p class="commands-title" aria-hidden="true">${title} <span>↑ ↓ to choose, Enter to insert</span></p>
    <ul id=${`${id}-suggestions`} role="listbox" aria-label=${title}>
      ${suggestions.map(
        (suggestion, index) => html`<li
          key=${suggestion.key}
          id=${`${id}-suggestion-${index}`}
          role="option"
          aria-selected=${index === active ? 'true' : 'false'}
          class=${`command ${index === active ? 'is-active' : ''}`}
          ref=${(/** @type {HTMLElement | null} */ node) => index === active && node?.scrollIntoView({ block: 'nearest' })}
          onMouseMove=${() => index !== active && onHover(index)}
          onClick=${() => onPick(suggestion)}
        >
          <span class="command-name">${suggestion.name} <span class="command-usage">${suggestion.usage}</span></span>
          <span class="command-description">${suggestion.description}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}
