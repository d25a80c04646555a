import { getRecords, getString } from '../json.ts';
import type { FileEntry, Person, ShortcutEntry, Message as SlackMessage, WithApp } from '../protocol.ts';
import { allowAddress } from './address.ts';
import { Avatar } from './avatar.ts';
import { ChatTitle } from './chat.ts';
import { useDirectory } from './directory.ts';
import { formatFileSize } from './file-size.ts';
import { html } from './html.ts';
import { Icon } from './icon.ts';
import { InteractiveBlocks } from './interactive-blocks.ts';
import { memo } from './memo.ts';
import { Menu } from './menu.ts';
import { Mrkdwn, renderEmoji, renderLink } from './mrkdwn.ts';
import { Enlargeable } from './picture.ts';
import { SLACKBOT } from './state.ts';
import { formatFullDate, formatTime, parseTs } from './time.ts';
import { usePage } from './use-page.ts';

/** The emoji in the menu. */
const SUGGESTED_EMOJI = ['thumbsup', 'heart', 'tada', 'eyes', 'white_check_mark', 'raised_hands'];

function useReact({ channel, ts }: SlackMessage) {
  const { act } = usePage();
  return (name: string) => void act({ act: 'react', channel, ts, name });
}

/** The reactions to a message. A press adds the reader's own reaction, or removes it. */
function Reactions({ message }: { message: SlackMessage }) {
  const { people, me } = useDirectory();
  const react = useReact(message);
  if (message.reactions === undefined) return null;
  return html`<ul class="reactions row wrapping" aria-label="Reactions">
    ${message.reactions.map(({ name, users }) => {
      const names = users.map((id) => people.get(id)?.realName ?? id).join(', ');
      return html`<li key=${name}>
        <button
          type="button"
          class="reaction box"
          aria-pressed=${String(users.includes(me.id))}
          title=${`${names} reacted with :${name}:`}
          onClick=${() => react(name)}
        >
          ${renderEmoji(name.replace(/::skin-tone-\d$/, ''))} ${users.length}
        </button>
      </li>`;
    })}
  </ul>`;
}

/** The menu that adds a reaction. */
function AddReaction({ message }: { message: SlackMessage }) {
  const react = useReact(message);
  const items = SUGGESTED_EMOJI.map((name) => ({
    key: name,
    label: html`${renderEmoji(name)} ${name.replaceAll('_', ' ')}`,
    choose: () => react(name),
  }));
  return html`<${Menu} label="Add a reaction" items=${items}><${Icon} name="smile" /><//>`;
}

/** The actions of a message: a reaction, a reply in its thread, and the apps' message shortcuts. */
function MessageActions({ message, shortcuts, inThread }: Omit<MessageProps, 'isContinuation'>) {
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
  return html`<div class="message-actions box">
    <${AddReaction} message=${message} />
    ${
      inThread
        ? null
        : html`<button
            type="button"
            class="icon-button reply-button"
            aria-label="Reply in a thread"
            title="Reply in a thread"
            onClick=${() => openThread(message.channel, message.threadTs ?? message.ts)}
          >
            <${Icon} name="reply" />
          </button>`
    }
    ${
      items.length > 0 ? html`<${Menu} label="More actions" items=${items}><${Icon} name="dots" /><//>` : null
    }
  </div>`;
}

/** The number of replies and the time of the last one. A press opens the thread. `latest`: time of the last reply. */
function Replies({ message, latest }: { message: SlackMessage; latest: string | undefined }) {
  const { openThread } = usePage();
  const count = message.replyCount ?? 0;
  if (count === 0) return null;
  return html`<button type="button" class="link-button" onClick=${() => openThread(message.channel, message.ts)}>
    ${count === 1 ? '1 reply' : `${count} replies`}
    ${latest === undefined ? null : html`<span class="quiet">last at ${latest}</span>`}
  </button>`;
}

/** The files of a message: pictures, and links to other files. */
function Files({ files }: { files: readonly FileEntry[] }) {
  return html`<div class="files">${files.map((file) => html`<${File} key=${file.id} file=${file} />`)}</div>`;
}

function File({ file }: { file: FileEntry }) {
  const { name, title, mimetype, size, url, altText } = file;
  if (mimetype.startsWith('image/')) {
    return html`<figure>
      <figcaption class="quiet">${title}</figcaption>
      <${Enlargeable} url=${url} alt=${altText ?? title}>
        <img class="image-large" src=${allowAddress(url)} alt=${altText ?? title} loading="lazy" />
      <//>
    </figure>`;
  }
  return html`<p class="file box row">
    <span class="file-icon" aria-hidden="true"></span>
    <span>
      <a class="file-name" href=${allowAddress(`${url}&download`)} download=${name}>${title}</a>
      <span class="description quiet">${[name, formatFileSize(size)].join(' · ')}</span>
    </span>
  </p>`;
}

/** Colours with names (docs.slack.dev, "Legacy secondary message attachments"). */
const NAMED_COLORS = new Map([
  ['good', '#2eb67d'],
  ['warning', '#ecb22e'],
  ['danger', '#e01e5a'],
]);

function getColor({ color }: Record<string, unknown>) {
  if (typeof color !== 'string') return 'var(--line-strong)';
  return NAMED_COLORS.get(color) ?? `#${color}`;
}

/** The attachments of a message. Each has a bar in its colour on the left. */
function Attachments({ message }: { message: SlackMessage }) {
  const container = { type: 'message', channel: message.channel, ts: message.ts };
  return html`${(message.attachments ?? []).map(
    (attachment, index) => html`<div
      key=${index}
      class="attachment"
      ref=${(node: HTMLElement | null) => node?.style.setProperty('--bar', getColor(attachment))}
    >
      ${
        Array.isArray(attachment.blocks)
          ? html`<${InteractiveBlocks} container=${container} blocks=${attachment.blocks} />`
          : html`<${LegacyAttachment} attachment=${attachment} />`
      }
    </div>`,
  )}`;
}

function LegacyAttachment({ attachment }: { attachment: Record<string, unknown> }) {
  const [title, address, image] = ['title', 'title_link', 'image_url'].map((key) =>
    getString(attachment, key),
  );
  const fields = getRecords(attachment, 'fields');
  return html`
    <${Line} text=${getString(attachment, 'pretext')} />
    <${Line} text=${getString(attachment, 'author_name')} />
    ${title ? html`<p><strong>${address ? renderLink(address, title) : title}</strong></p>` : null}
    <${Line} text=${getString(attachment, 'text')} />
    ${fields.map(
      (field) =>
        html`<p><strong>${getString(field, 'title')}</strong> <${Mrkdwn} text=${getString(field, 'value') ?? ''} /></p>`,
    )}
    ${image ? html`<img class="attachment-image" src=${allowAddress(image)} alt=${getString(attachment, 'fallback') ?? ''} />` : null}
    <${Line} text=${getString(attachment, 'footer')} />
  `;
}

function Line({ text }: { text: string | undefined }) {
  return text ? html`<p><${Mrkdwn} text=${text} /></p>` : null;
}

interface MessageProps {
  message: SlackMessage;
  /** Whether it has no heading, because the message above has the same author and almost the same time. */
  isContinuation: boolean;
  shortcuts: readonly (ShortcutEntry & WithApp)[];
  /** Whether it is in the thread beside the channel. */
  inThread?: boolean;
}

function MessageRow({ message, isContinuation, shortcuts, inThread = false }: MessageProps) {
  const directory = useDirectory();
  const ms = parseTs(message.ts);
  const person = directory.people.get(message.user);
  const isBot = person?.isBot ?? false;
  const name =
    message.username ?? person?.realName ?? (message.user === SLACKBOT ? 'Slackbot' : message.user);
  const time = html`<time class="message-time quiet" title=${formatFullDate(ms, directory.reader)}>${formatTime(ms, directory.reader)}</time>`;
  const classes = [
    'message',
    isContinuation && 'message-continuation',
    message.ephemeralTo && 'message-ephemeral',
    message.subtype && SYSTEM_SUBTYPES.has(message.subtype) && 'message-quiet',
  ];
  return html`<li class=${classes.filter(Boolean).join(' ')} data-ts=${message.ts}>
    <div class="message-gutter">${isContinuation ? time : html`<${Avatar} name=${name} color=${person?.color ?? 'var(--quiet)'} isBot=${isBot} />`}</div>
    <div class="message-body">
      ${message.pinned ? html`<p class="message-note row quiet">Pinned by ${directory.people.get(message.pinned.by)?.realName}</p>` : null}
      ${message.ephemeralTo ? html`<p class="message-note row quiet"><${Icon} name="eye" />Only visible to you</p>` : null}
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
      ${message.isStreaming ? html`<span class="quiet">Writing…</span>` : null}
      ${message.edited ? html`<span class="quiet">(edited)</span>` : null}
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

/** A note if the author is deactivated or belongs to another workspace. */
function renderOrigin(person: Person | undefined) {
  const text = person?.deactivated ? 'deactivated' : person?.from && `from ${person.from.name}`;
  return text ? html`<span class="quiet">(${text})</span>` : null;
}

function Body({ message }: { message: SlackMessage }) {
  if (message.subtype === 'assistant_app_thread') return html`<${ChatTitle} message=${message} />`;
  if (message.blocks === undefined || message.blocks.length === 0) {
    if (message.text === '') return null;
    return html`<div class="message-text"><${Mrkdwn} text=${message.text} /></div>`;
  }
  const container = { type: 'message', channel: message.channel, ts: message.ts };
  return html`<${InteractiveBlocks} container=${container} blocks=${message.blocks} />`;
}
