import { html } from './html.js';
import { Menu } from './menu.js';
import { emoji } from './mrkdwn.js';
import { useDirectory } from './use-directory.js';
import { useWorkspace } from './use-workspace.js';

/** @import { Message as MessageFacts } from '../protocol.ts' */

/** The emoji that the menu offers. */
const OFFERED = ['thumbsup', 'heart', 'tada', 'eyes', 'white_check_mark', 'raised_hands'];

/** @param {MessageFacts} message */
function useReact({ channel, ts }) {
  const { act } = useWorkspace();
  /** @param {string} name */
  return (name) => void act({ act: 'react', channel, ts, name });
}

/**
 * The reactions of a message. A press adds the reader's own, or removes it.
 * @param {{ message: MessageFacts }} props
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
          ${emoji(name.replace(/::skin-tone-\d$/, ''))} ${users.length}
        </button>
      </li>`;
    })}
  </ul>`;
}

/**
 * The menu that adds a reaction.
 * @param {{ message: MessageFacts }} props
 */
export function AddReaction({ message }) {
  const react = useReact(message);
  const items = OFFERED.map((name) => ({
    key: name,
    label: html`${emoji(name)} ${name.replaceAll('_', ' ')}`,
    pick: () => react(name),
  }));
  return html`<${Menu} label="Add a reaction" class="message-more" side="right" items=${items}>
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7" /><path d="M7 12c1.5 2 4.5 2 6 0M7.5 8v.5M12.5 8v.5" />
    </svg>
  <//>`;
}
