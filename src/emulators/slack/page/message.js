import { Attachments } from './attachments.js';
import { Avatar } from './avatar.js';
import { ChatTitle } from './chat.js';
import { Files } from './files.js';
import { html } from './html.js';
import { InteractiveBlocks } from './interactive-blocks.js';
import { memo } from './memo.js';
import { MessageActions, Replies } from './message-actions.js';
import { Mrkdwn } from './mrkdwn.js';
import { SLACKBOT } from './notice.js';
import { Reactions } from './reactions.js';
import { formatFullDate, formatTime, parseTs } from './time.js';
import { useDirectory } from './use-directory.js';

/** @import { Message as SlackMessage, ShortcutEntry } from '../protocol.ts' */

/**
 * One message. `isContinuation`: it has no heading, because the message above has the same author and almost the same
 * time. `inThread`: it is in the thread beside the channel.
 * @param {{ message: SlackMessage, isContinuation: boolean, shortcuts: readonly ShortcutEntry[], inThread?: boolean }} props
 */
function MessageRow({ message, isContinuation, shortcuts, inThread = false }) {
  const directory = useDirectory();
  const ms = parseTs(message.ts);
  const person = directory.people.get(message.user);
  const isBot = person?.isBot ?? false;
  const name =
    message.username ?? person?.realName ?? (message.user === SLACKBOT ? 'Slackbot' : message.user);
  const time = html`<time class="message-time" title=${formatFullDate(ms, directory.reader)}>${formatTime(ms, directory.reader)}</time>`;
  const classes = [
    'message',
    isContinuation && 'message-continuation',
    message.ephemeralTo && 'message-ephemeral',
    message.subtype && SYSTEM_SUBTYPES.has(message.subtype) && 'message-quiet',
  ];
  return html`<li class=${classes.filter(Boolean).join(' ')} data-ts=${message.ts}>
    <div class="message-gutter">${isContinuation ? time : html`<${Avatar} name=${name} color=${person?.color ?? 'var(--quiet)'} isBot=${isBot} />`}</div>
    <div class="message-body">
      ${message.pinned ? html`<p class="message-note">Pinned by ${directory.people.get(message.pinned.by)?.realName}</p>` : null}
      ${message.ephemeralTo ? html`<p class="message-note"><span aria-hidden="true" class="eye"></span>Only visible to you</p>` : null}
      ${
        isContinuation
          ? html`<span class="sr-only">${name}</span>`
          : html`<p class="message-head">
              <span class="message-name">${name}</span>${isBot ? html`<span class="app-badge">APP</span>` : null}${renderOrigin(person)}${time}
            </p>`
      }
      <${Body} message=${message} />
      <${Attachments} message=${message} />
      ${message.files ? html`<${Files} files=${message.files} />` : null}
      ${message.isStreaming ? html`<span class="message-edited">Writing…</span>` : null}
      ${message.edited ? html`<span class="message-edited">(edited)</span>` : null}
      <${Reactions} message=${message} />
      ${inThread ? null : html`<${Replies} message=${message} latest=${message.latestReply && formatTime(parseTs(message.latestReply), directory.reader)} />`}
    </div>
    ${message.ephemeralTo ? null : html`<${MessageActions} message=${message} shortcuts=${shortcuts} inThread=${inThread} />`}
  </li>`;
}

export const Message = memo(MessageRow);

/** Subtypes of messages that Slack sends itself, for example when a person joins. */
const SYSTEM_SUBTYPES = new Set([
  'channel_join',
  'channel_leave',
  'channel_archive',
  'channel_unarchive',
  'channel_name',
  'channel_topic',
  'channel_purpose',
  'tombstone',
]);

/**
 * A note if the author is deactivated or belongs to another workspace.
 * @param {import('../protocol.ts').Person | undefined} person
 */
function renderOrigin(person) {
  const text = person?.deactivated ? 'deactivated' : person?.from && `from ${person.from.name}`;
  return text ? html`<span class="message-origin">(${text})</span>` : null;
}

/** @param {{ message: SlackMessage }} props */
function Body({ message }) {
  if (message.subtype === 'assistant_app_thread') return html`<${ChatTitle} message=${message} />`;
  if (message.blocks === undefined || message.blocks.length === 0) {
    if (message.text === '') return null;
    return html`<div class="message-text"><${Mrkdwn} text=${message.text} /></div>`;
  }
  const container = { type: 'message', channel: message.channel, ts: message.ts };
  return html`<${InteractiveBlocks} container=${container} blocks=${message.blocks} />`;
}
