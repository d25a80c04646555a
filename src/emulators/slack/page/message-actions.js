import { html } from './html.js';
import { Menu } from './menu.js';
import { AddReaction } from './reactions.js';
import { usePage } from './use-page.js';

/** @import { Message as SlackMessage, WithApp, ShortcutEntry } from '../protocol.ts' */

/**
 * The actions of a message: a reaction, a reply in its thread, and the apps' message shortcuts.
 * @param {{ message: SlackMessage, shortcuts: readonly (ShortcutEntry & WithApp)[], inThread: boolean }} props
 */
export function MessageActions({ message, shortcuts, inThread }) {
  const { act, openThread } = usePage();
  const items = shortcuts.map((shortcut) => ({
    key: `${shortcut.app} ${shortcut.callbackId}`,
    label: shortcut.name,
    description: shortcut.description,
    choose: () =>
      void act({
        act: 'shortcut',
        callbackId: shortcut.callbackId,
        app: shortcut.botUserId,
        message: { channel: message.channel, ts: message.ts },
      }),
  }));
  return html`<div class="message-actions">
    <${AddReaction} message=${message} />
    ${
      inThread
        ? null
        : html`<button
            type="button"
            class="message-action reply-button"
            aria-label="Reply in a thread"
            title="Reply in a thread"
            onClick=${() => openThread(message.channel, message.threadTs ?? message.ts)}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 4h14v9.5H9.5L5.5 17v-3.5H3z" /></svg>
          </button>`
    }
    ${
      items.length > 0
        ? html`<${Menu} label="More actions" class="message-more" side="right" items=${items}><span class="dots" aria-hidden="true"></span><//>`
        : null
    }
  </div>`;
}

/**
 * The number of replies and the time of the last one. A press opens the thread.
 * @param {{ message: SlackMessage, latest: string | undefined }} props `latest`: time of the last reply
 */
export function Replies({ message, latest }) {
  const { openThread } = usePage();
  const count = message.replyCount ?? 0;
  if (count === 0) return null;
  return html`<button type="button" class="replies" onClick=${() => openThread(message.channel, message.ts)}>
    ${count === 1 ? '1 reply' : `${count} replies`}
    ${latest === undefined ? null : html`<span class="replies-latest">last at ${latest}</span>`}
  </button>`;
}
