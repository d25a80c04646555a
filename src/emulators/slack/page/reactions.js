import { html } from './html.js';
import { Menu } from './menu.js';
import { renderEmoji } from './mrkdwn.js';
import { useDirectory } from './use-directory.js';
import { usePage } from './use-page.js';

/** @import { Message as SlackMessage } from '../protocol.ts' */

/** The emoji in the menu. */
const SUGGESTED_EMOJI = ['thumbsup', 'heart', 'tada', 'eyes', 'white_check_mark', 'raised_hands'];

/** @param {SlackMessage} message */
function useReact({ channel, ts }) {
  const { act } = usePage();
  /** @param {string} name */
  return (name) => void act({ act: 'react', channel, ts, name });
}

/**
 * The reactions to a message. A press adds the reader's own reaction, or removes it.
 * @param {{ message: SlackMessage }} props
 */
export function Reactions({ message }) {
  const { people, me } = useDirectory();
  const react = useReact(message);
  if (message.reactions === undefined) return null;
  return html`<ul class="reactions" aria-label="Reactions">
    ${message.reactions.map(({ name, users }) => {
      const names = users.map((id) => people.get(id)?.realName ?? id).join(', ');
      return html`<li key=${name}>
        <button
          type="button"
          class="reaction"
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

/**
 * The menu that adds a reaction.
 * @param {{ message: SlackMessage }} props
 */
export function AddReaction({ message }) {
  const react = useReact(message);
  const items = SUGGESTED_EMOJI.map((name) => ({
    key: name,
    label: html`${renderEmoji(name)} ${name.replaceAll('_', ' ')}`,
    choose: () => react(name),
  }));
  return html`<${Menu} label="Add a reaction" class="message-more" side="right" items=${items}>
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7" /><path d="M7 12c1.5 2 4.5 2 6 0M7.5 8v.5M12.5 8v.5" />
    </svg>
  <//>`;
}
