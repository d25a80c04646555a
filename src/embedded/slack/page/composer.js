import { html } from './html.js';
import { Shortcuts } from './shortcuts.js';
import { composerKey, useComposer } from './use-composer.js';

/** @import { CommandEntry } from '../protocol.ts' */

/**
 * Where people write.
 * @param {{ channel: string, title: string, draft: { text: string, count: number } }} props
 */
export function Composer({ channel, title, draft }) {
  const composer = useComposer(channel, draft);
  const { offered, active, hint, text } = composer;
  const usage = offered.length === 0 && hint?.usageHint ? `${hint.command} ${hint.usageHint}` : undefined;
  return html`<div class="composer">
    ${offered.length > 0 ? html`<${Offered} commands=${offered} active=${active} onPick=${composer.take} onHover=${composer.setActive} />` : null}
    ${usage ? html`<p class="usage" id="composer-usage"><code>${usage}</code></p>` : null}
    <div class="composer-box">
      <${Shortcuts} />
      <label class="sr-only" for="composer">Message ${title}</label>
      <textarea
        ref=${composer.box}
        id="composer"
        rows="1"
        aria-haspopup="listbox"
        aria-controls=${offered.length > 0 ? 'commands' : undefined}
        aria-autocomplete="list"
        aria-activedescendant=${offered.length > 0 ? `command-${active}` : undefined}
        aria-describedby=${usage ? 'composer-usage' : undefined}
        autocomplete="off"
        placeholder=${`Message ${title} or type /`}
        value=${text}
        onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => {
          composer.leaveHistory();
          composer.write(event.currentTarget.value);
        }}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => composerKey(composer, event)}
      ></textarea>
      <button type="button" class="send" aria-label="Send" title="Send" disabled=${text.trim() === ''} onClick=${composer.send}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2.5 3.2 18 10 2.5 16.8l2-6.1L11 10l-6.5-.7z" /></svg>
      </button>
    </div>
  </div>`;
}

/** @param {{ commands: readonly CommandEntry[], active: number, onPick: (entry: CommandEntry) => void, onHover: (index: number) => void }} props */
function Offered({ commands, active, onPick, onHover }) {
  return html`<div class="commands">
    <p class="commands-title" aria-hidden="true">Commands <span>↑ ↓ to choose, Enter to take</span></p>
    <ul id="commands" role="listbox" aria-label="Commands">
      ${commands.map(
        (entry, index) => html`<li
          key=${entry.command}
          id=${`command-${index}`}
          role="option"
          aria-selected=${index === active ? 'true' : 'false'}
          class=${`command ${index === active ? 'is-active' : ''}`}
          ref=${(/** @type {HTMLElement | null} */ node) => index === active && node?.scrollIntoView({ block: 'nearest' })}
          onMouseMove=${() => index !== active && onHover(index)}
          onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}
          onClick=${() => onPick(entry)}
        >
          <span class="command-name">${entry.command} <span class="command-usage">${entry.usageHint}</span></span>
          <span class="command-description">${entry.description}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}
