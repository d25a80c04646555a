import { useEffect, useRef, useState } from 'preact/hooks';
import { commandIn, commandsFor } from './complete-command.js';
import { usePageState, useWorkspace } from './use-workspace.js';

/** @import { CommandEntry } from '../protocol.ts' */

/** @type {readonly CommandEntry[]} */
const NO_COMMANDS = [];

/**
 * What stands in the composer, and what its keys do: Enter sends, Shift+Enter breaks the line, "/" offers commands, ↑ in
 * an empty box brings back what was sent before.
 * @param {string} channel
 * @param {{ text: string, count: number }} draft put in from outside; `count` tells a new one from the last
 */
export function useComposer(channel, draft) {
  const { act, store } = useWorkspace();
  const commands = usePageState((state) => state.world?.commands) ?? NO_COMMANDS;
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [hidden, setHidden] = useState(false);
  /** @type {{ current: HTMLTextAreaElement | null }} */
  const box = useRef(null);
  const history = useHistory();
  const offered = hidden ? NO_COMMANDS : commandsFor(text, commands);

  /** @param {string} words */
  const write = (words) => {
    setText(words);
    setActive(0);
    setHidden(false);
  };
  useEffect(() => {
    write('');
    box.current?.focus();
  }, [channel]);
  useEffect(() => {
    if (draft.count === 0) return;
    write(draft.text);
    box.current?.focus();
  }, [draft]);

  const send = () => {
    const words = text.trim();
    if (words === '') return;
    // What cannot be sent stays.
    if (store.get().connection === 'open') {
      history.remember(words);
      write('');
    }
    void act({ act: words.startsWith('/') ? 'command' : 'message', channel, text: words });
  };
  /** @param {CommandEntry} entry */
  const take = (entry) => {
    write(`${entry.command} `);
    box.current?.focus();
  };
  const bringBack = () => {
    const older = history.older();
    if (older === undefined) return;
    write(older);
    setHidden(true);
  };
  return {
    ...{ box, text, offered, active, hint: commandIn(text, commands), browsing: history.browsing },
    ...{ write, send, take, bringBack, setActive, hide: () => setHidden(true), leaveHistory: history.leave },
  };
}

/**
 * @param {ReturnType<typeof useComposer>} composer
 * @param {KeyboardEvent} event
 */
export function composerKey(composer, event) {
  if (event.isComposing || !keyDoes(composer, event)) return;
  event.preventDefault();
}

/**
 * Whether the key did something here, so that it does nothing else.
 * @param {ReturnType<typeof useComposer>} composer
 * @param {KeyboardEvent} event
 */
function keyDoes(composer, { key, shiftKey }) {
  const { offered, active, text } = composer;
  const entry = offered[active];
  if (entry !== undefined) {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    // A command that is written out is sent; a part of one is completed first.
    const takes = !shiftKey && (key === 'Tab' || (key === 'Enter' && entry.command !== text));
    if (step !== 0) composer.setActive((active + step + offered.length) % offered.length);
    else if (key === 'Escape') composer.hide();
    else if (takes) composer.take(entry);
    if (step !== 0 || key === 'Escape' || takes) return true;
  }
  const sends = key === 'Enter' && !shiftKey;
  const older = key === 'ArrowUp' && (text === '' || composer.browsing());
  if (sends) composer.send();
  if (older) composer.bringBack();
  return sends || older;
}

/** What this person sent since the page was opened. */
function useHistory() {
  const sent = useRef(/** @type {string[]} */ ([]));
  const at = useRef(0);
  return {
    browsing: () => at.current > 0,
    leave: () => {
      at.current = 0;
    },
    /** @param {string} words */
    remember: (words) => {
      sent.current.push(words);
      at.current = 0;
    },
    older: () => {
      at.current = Math.min(at.current + 1, sent.current.length);
      return at.current === 0 ? undefined : sent.current.at(-at.current);
    },
  };
}
