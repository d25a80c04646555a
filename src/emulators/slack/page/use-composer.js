import { useRef } from 'preact/hooks';
import { findCommand } from './suggestions.js';
import { useDraft } from './use-draft.js';
import { usePage, usePageState } from './use-page.js';

/** @import { CommandEntry, Person } from '../protocol.ts' */

/** @type {readonly CommandEntry[]} */
const NO_COMMANDS = [];

/** @type {readonly Person[]} */
const NOBODY = [];

/**
 * The composer's text and keys: Enter sends, Shift+Enter starts a new line, "/" suggests commands, "@" suggests people,
 * and ↑ in an empty text box restores the last sent text.
 * @param {string} channel
 * @param {{ text: string, count: number }} prefill replaces the text whenever `count` changes
 * @param {{ threadTs?: string | undefined, onSent: () => void }} options `threadTs` in a thread
 */
export function useComposer(channel, prefill, { threadTs, onSent }) {
  const { act, store } = usePage();
  const channelCommands = usePageState((state) => state.workspace?.commands) ?? NO_COMMANDS;
  const people = usePageState((state) => state.workspace?.people) ?? NOBODY;
  const commands = threadTs === undefined ? channelCommands : NO_COMMANDS;
  const draft = useDraft(`${channel} ${threadTs}`, prefill, { commands, people });
  const { text, write } = draft;
  const history = useHistory();
  const send = () => {
    const trimmed = text.trim();
    if (trimmed === '') return;
    const command = /^\/\S+/.exec(trimmed)?.[0];
    if (command && threadTs !== undefined) {
      // Slack's own text.
      return draft.setError(`${command} is not supported in threads. Sorry!`);
    }
    // Without a connection, the text stays in the text box.
    if (store.get().connection === 'open') {
      history.add(trimmed);
      write('');
      onSent();
    }
    if (command) void act({ act: 'command', channel, text: trimmed });
    else
      void act({ act: 'message', channel, text: trimmed, ...(threadTs === undefined ? {} : { threadTs }) });
  };
  const showOlder = () => {
    const older = history.older();
    if (older === undefined) return;
    write(older);
    draft.hideSuggestions();
  };
  return {
    ...draft,
    ...{ hint: findCommand(text, commands), send, showOlder },
    ...{ isInHistory: history.isOpen, leaveHistory: history.leave },
  };
}

/**
 * @param {ReturnType<typeof useComposer>} composer
 * @param {KeyboardEvent} event
 */
export function handleComposerKey(composer, event) {
  if (event.isComposing || !handleKey(composer, event)) return;
  event.preventDefault();
}

/**
 * Returns whether the key was handled.
 * @param {ReturnType<typeof useComposer>} composer
 * @param {KeyboardEvent} event
 */
function handleKey(composer, { key, shiftKey }) {
  const { suggestions, active, text } = composer;
  const suggestion = suggestions[active];
  if (suggestion !== undefined) {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    // Enter sends a complete command, and completes an incomplete one.
    const accepts = !shiftKey && (key === 'Tab' || (key === 'Enter' && !suggestion.isComplete));
    if (step !== 0) composer.setActive((active + step + suggestions.length) % suggestions.length);
    else if (key === 'Escape') composer.hideSuggestions();
    else if (accepts) composer.accept(suggestion);
    if (step !== 0 || key === 'Escape' || accepts) return true;
  }
  const sends = key === 'Enter' && !shiftKey;
  const showsOlder = key === 'ArrowUp' && (text === '' || composer.isInHistory());
  if (sends) composer.send();
  if (showsOlder) composer.showOlder();
  return sends || showsOlder;
}

/** The texts that the person has sent since the page was opened, oldest first. */
function useHistory() {
  const sent = useRef(/** @type {string[]} */ ([]));
  const position = useRef(0);
  return {
    isOpen: () => position.current > 0,
    leave: () => {
      position.current = 0;
    },
    /** @param {string} text */
    add: (text) => {
      sent.current.push(text);
      position.current = 0;
    },
    older: () => {
      position.current = Math.min(position.current + 1, sent.current.length);
      return position.current === 0 ? undefined : sent.current.at(-position.current);
    },
  };
}
