import { html } from './html.js';
import { Shortcuts } from './shortcuts.js';
import { handleComposerKey, useComposer } from './use-composer.js';

/**
 * @import { Suggestion } from './suggestions.js'
 * @typedef {{ currentTarget: HTMLTextAreaElement }} TextAreaEvent
 */

/**
 * The box in which people write, in a channel or in a thread.
 * @param {{ channel: string, title: string, draft: { text: string, count: number }, threadTs?: string, onSent: () => void }} props
 */
export function Composer({ channel, title, draft, threadTs, onSent }) {
  const composer = useComposer(channel, draft, { threadTs, onSent });
  const { offers, active, hint, text, refused } = composer;
  const id = threadTs === undefined ? 'composer' : 'thread-composer';
  const label = threadTs === undefined ? `Message ${title}` : 'Reply in the thread';
  const offering = offers.length > 0;
  /** @param {TextAreaEvent} event */
  const cursorMoved = ({ currentTarget }) => composer.setCursor(currentTarget.selectionStart);
  const usage = !offering && hint?.usageHint ? `${hint.command} ${hint.usageHint}` : undefined;
  return html`<div class="composer">
    ${offering ? html`<${SuggestionList} id=${id} title=${composer.title} offers=${offers} active=${active} onPick=${composer.take} onHover=${composer.setActive} />` : null}
    ${usage ? html`<p class="usage" id=${`${id}-usage`}><code>${usage}</code></p>` : null}
    <p class="refused" role="alert">${refused}</p>
    <div class="composer-box">
      ${threadTs === undefined ? html`<${Shortcuts} />` : null}
      <label class="sr-only" for=${id}>${label}</label>
      <textarea
        ref=${composer.box}
        id=${id}
        rows="1"
        aria-haspopup="listbox"
        aria-controls=${offering ? `${id}-offers` : undefined}
        aria-autocomplete="list"
        aria-activedescendant=${offering ? `${id}-offer-${active}` : undefined}
        aria-describedby=${usage ? `${id}-usage` : undefined}
        autocomplete="off"
        placeholder=${threadTs === undefined ? `${label} or type /` : label}
        value=${text}
        onInput=${(/** @type {TextAreaEvent} */ { currentTarget }) => {
          composer.leaveHistory();
          composer.write(currentTarget.value, currentTarget.selectionStart);
        }}
        onKeyUp=${cursorMoved}
        onClick=${cursorMoved}
        onBlur=${composer.hide}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => handleComposerKey(composer, event)}
      ></textarea>
      <button type="button" class="send" aria-label="Send" title="Send" disabled=${text.trim() === ''} onClick=${composer.send}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2.5 3.2 18 10 2.5 16.8l2-6.1L11 10l-6.5-.7z" /></svg>
      </button>
    </div>
  </div>`;
}

/** @param {{ id: string, title: string, offers: readonly Suggestion[], active: number, onPick: (offer: Suggestion) => void, onHover: (index: number) => void }} props */
function SuggestionList({ id, title, offers, active, onPick, onHover }) {
  return html`<div class="commands" onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}>
    <p class="commands-title" aria-hidden="true">${title} <span>↑ ↓ to choose, Enter to take</span></p>
    <ul id=${`${id}-offers`} role="listbox" aria-label=${title}>
      ${offers.map(
        (offer, index) => html`<li
          key=${offer.key}
          id=${`${id}-offer-${index}`}
          role="option"
          aria-selected=${index === active ? 'true' : 'false'}
          class=${`command ${index === active ? 'is-active' : ''}`}
          ref=${(/** @type {HTMLElement | null} */ node) => index === active && node?.scrollIntoView({ block: 'nearest' })}
          onMouseMove=${() => index !== active && onHover(index)}
          onClick=${() => onPick(offer)}
        >
          <span class="command-name">${offer.name} <span class="command-usage">${offer.aside}</span></span>
          <span class="command-description">${offer.description}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}
