import { Avatar } from './avatar.js';
import { BlocksIn } from './blocks-in.js';
import { html } from './html.js';
import { memo } from './memo.js';
import { Menu } from './menu.js';
import { Mrkdwn } from './mrkdwn.js';
import { SLACKBOT } from './notice.js';
import { clock, fullMoment, momentOf } from './time.js';
import { useDirectory } from './use-directory.js';
import { useWorkspace } from './use-workspace.js';

/** @import { Message as MessageFacts, ShortcutEntry } from '../protocol.ts' */

/**
 * One message. `follows` means that the one above is by the same writer a little earlier: no name again.
 * @param {{ message: MessageFacts, follows: boolean, shortcuts: readonly ShortcutEntry[] }} props
 */
function MessageRow({ message, follows, shortcuts }) {
  const directory = useDirectory();
  const ms = momentOf(message.ts);
  const person = directory.people.get(message.user);
  const isBot = person?.isBot ?? false;
  const name = person?.realName ?? (message.user === SLACKBOT ? 'Slackbot' : message.user);
  const time = html`<time class="message-time" title=${fullMoment(ms, directory.reader)}>${clock(ms, directory.reader)}</time>`;
  const classes = [
    'message',
    follows && 'message-follows',
    message.ephemeralTo && 'message-ephemeral',
    message.threadTs && message.threadTs !== message.ts && 'message-reply',
  ];
  return html`<li class=${classes.filter(Boolean).join(' ')} data-ts=${message.ts}>
    <div class="message-gutter">${follows ? time : html`<${Avatar} name=${name} color=${person?.color ?? 'var(--quiet)'} isBot=${isBot} />`}</div>
    <div class="message-body">
      ${message.ephemeralTo ? html`<p class="message-only-you"><span aria-hidden="true" class="eye"></span>Only visible to you</p>` : null}
      ${
        follows
          ? html`<span class="sr-only">${name}</span>`
          : html`<p class="message-head">
              <span class="message-name">${name}</span>${isBot ? html`<span class="app-badge">APP</span>` : null}${time}
            </p>`
      }
      <${Body} message=${message} />
      ${message.edited ? html`<span class="message-edited">(edited)</span>` : null}
    </div>
    ${shortcuts.length > 0 && !message.ephemeralTo ? html`<${MoreActions} message=${message} shortcuts=${shortcuts} />` : null}
  </li>`;
}

export const Message = memo(MessageRow);

/** @param {{ message: MessageFacts }} props */
function Body({ message }) {
  if (message.blocks === undefined || message.blocks.length === 0) {
    return html`<div class="message-text"><${Mrkdwn} text=${message.text} /></div>`;
  }
  const container = { type: 'message', channel: message.channel, ts: message.ts };
  return html`<${BlocksIn} container=${container} blocks=${message.blocks} />`;
}

/** @param {{ message: MessageFacts, shortcuts: readonly ShortcutEntry[] }} props */
function MoreActions({ message, shortcuts }) {
  const { act } = useWorkspace();
  const items = shortcuts.map((shortcut) => ({
    key: shortcut.callbackId,
    label: shortcut.name,
    description: shortcut.description,
    pick: () =>
      void act({
        act: 'shortcut',
        callbackId: shortcut.callbackId,
        message: { channel: message.channel, ts: message.ts },
      }),
  }));
  return html`<${Menu} label="More actions" class="message-more" side="right" items=${items}><span class="dots" aria-hidden="true"></span><//>`;
}
