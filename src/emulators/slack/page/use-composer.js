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
 * and ↑ in an empty box restores the last sent text.
 * @param {string} channel
 * @param {{ text: string, count: number }} draft put in from outside; `count` tells a new one from the last
 * @param {{ threadTs?: string | undefined, onSent: () => void }} to `threadTs` where what is sent goes into a thread
 */
export function useComposer(channel, draft, { threadTs, onSent }) {
  const { act, store } = usePage();
  const all = usePageState((state) => state.workspace?.commands) ?? NO_COMMANDS;
  const people = usePageState((state) => state.workspace?.people) ?? NOBODY;
  const commands = threadTs === undefined ? all : NO_COMMANDS;
  const writing = useDraft(`${channel} ${threadTs}`, draft, { commands, people });
  const { text, write } = writing;
  const history = useHistory();
  const send = () => {
    const words = text.trim();
    if (words === '') return;
    const command = /^\/\S+/.exec(words)?.[0];
    if (command && threadTs !== undefined) {
      // Slack's own text.
      return writing.refuse(`${command} is not supported in threads. Sorry!`);
    }
    // A text that can't be sent stays in the box.
    if (store.get().connection === 'open') {
      history.remember(words);
      write('');
      onSent();
    }
    if (command) void act({ act: 'command', channel, text: words });
    else void act({ act: 'message', channel, text: words, ...(threadTs === undefined ? {} : { threadTs }) });
  };
  const bringBack = () => {
    const older = history.older();
    if (older === undefined) return;
    write(older);
    writing.hide();
  };
  return {
    ...writing,
    ...{ hint: findCommand(text, commands), send, bringBack },
    ...{ browsing: history.browsing, leaveHistory: history.leave },
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
 * Whether the key was handled here.
 * @param {ReturnType<typeof useComposer>} composer
 * @param {KeyboardEvent} event
 */
function handleKey(composer, { key, shiftKey }) {
  const { offers, active, text } = composer;
  const offer = offers[active];
  if (offer !== undefined) {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    // A complete command is sent. An incomplete one is completed first.
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

/** The texts that the person has sent since the page was opened. */
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
