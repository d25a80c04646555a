import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { commandIn } from './complete-command.js';
import { NOTHING, offersFor } from './offers.js';
import { usePageState, useWorkspace } from './use-workspace.js';

/**
 * @import { CommandEntry, Person } from '../protocol.ts'
 * @import { Offer } from './offers.js'
 */

/** @type {readonly CommandEntry[]} */
const NO_COMMANDS = [];

/** @type {readonly Person[]} */
const NOBODY = [];

/**
 * What stands in the composer, and what its keys do: Enter sends, Shift+Enter breaks the line, "/" offers commands, "@"
 * people, ↑ in an empty box brings back what was sent before.
 * @param {string} channel
 * @param {{ text: string, count: number }} draft put in from outside; `count` tells a new one from the last
 * @param {string | undefined} threadTs where what is sent goes into a thread
 */
export function useComposer(channel, draft, threadTs) {
  const { act, store } = useWorkspace();
  const commands = usePageState((state) => state.world?.commands) ?? NO_COMMANDS;
  const people = usePageState((state) => state.world?.people) ?? NOBODY;
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const [refused, setRefused] = useState('');
  const [active, setActive] = useState(0);
  const [hidden, setHidden] = useState(false);
  /** @type {{ current: HTMLTextAreaElement | null }} */
  const box = useRef(null);
  const history = useHistory();
  const known = { commands: threadTs === undefined ? commands : NO_COMMANDS, people };
  const { title, offers } = hidden ? NOTHING : offersFor(text, cursor, known);
  const moveCursor = useCursor(box);

  /**
   * @param {string} words
   * @param {number} [at] where the cursor is; at the end where undefined
   */
  const write = (words, at = words.length) => {
    setText(words);
    setCursor(at);
    setActive(0);
    setHidden(false);
    setRefused('');
  };
  // At once: the next key is meant for what is written here.
  useLayoutEffect(() => {
    write('');
    box.current?.focus();
  }, [channel, threadTs]);
  useEffect(() => {
    if (draft.count === 0) return;
    write(draft.text);
    box.current?.focus();
  }, [draft]);

  const send = () => {
    const words = text.trim();
    if (words === '') return;
    const command = /^\/\S+/.exec(words)?.[0];
    // Slack's words for it.
    if (command && threadTs !== undefined)
      return setRefused(`${command} is not supported in threads. Sorry!`);
    // What cannot be sent stays.
    if (store.get().connection === 'open') {
      history.remember(words);
      write('');
    }
    if (command) void act({ act: 'command', channel, text: words });
    else void act({ act: 'message', channel, text: words, ...(threadTs === undefined ? {} : { threadTs }) });
  };
  /** @param {Offer} offer */
  const take = (offer) => {
    write(offer.text, offer.cursor);
    moveCursor(offer.cursor);
    box.current?.focus();
  };
  const bringBack = () => {
    const older = history.older();
    if (older === undefined) return;
    write(older);
    setHidden(true);
  };
  return {
    ...{ box, text, title, offers, active, refused, hint: commandIn(text, known.commands) },
    ...{ write, send, take, bringBack, setActive, setCursor, hide: () => setHidden(true) },
    ...{ browsing: history.browsing, leaveHistory: history.leave },
  };
}

/**
 * Puts the cursor somewhere once what was taken stands in the box: the browser would leave it at the end.
 * @param {{ current: HTMLTextAreaElement | null }} box
 */
function useCursor(box) {
  const wanted = useRef(/** @type {number | undefined} */ (undefined));
  useLayoutEffect(() => {
    if (wanted.current !== undefined) box.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  });
  return (/** @type {number} */ at) => {
    wanted.current = at;
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
  const { offers, active, text } = composer;
  const offer = offers[active];
  if (offer !== undefined) {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    // A command that is written out is sent; a part of one is completed first.
    const takes = !shiftKey && (key === 'Tab' || (key === 'Enter' && !offer.finished));
    if (step !== 0) composer.setActive((active + step + offers.length) % offers.length);
    else if (key === 'Escape') composer.hide();
    else if (takes) composer.take(offer);
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
