import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { NO_SUGGESTIONS, suggest } from './suggestions.js';

/**
 * @import { CommandEntry, Person } from '../protocol.ts'
 * @import { Suggestion } from './suggestions.js'
 */

/**
 * The unsent text of a composer, with its cursor and suggestions.
 * @param {string} conversationKey the channel and thread. A change clears the text.
 * @param {{ text: string, count: number }} prefill replaces the text whenever `count` changes
 * @param {{ commands: readonly CommandEntry[], people: readonly Person[] }} sources of suggestions
 */
export function useDraft(conversationKey, prefill, sources) {
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const [error, setError] = useState('');
  const [active, setActive] = useState(0);
  const [isHidden, setHidden] = useState(false);
  /** @type {{ current: HTMLTextAreaElement | null }} */
  const textArea = useRef(null);
  const moveCursor = useCursor(textArea);
  /**
   * @param {string} newText
   * @param {number} [newCursor] Defaults to the end.
   */
  const write = (newText, newCursor = newText.length) => {
    setText(newText);
    setCursor(newCursor);
    setActive(0);
    setHidden(false);
    setError('');
  };
  // A layout effect, because the next key press is meant for this text.
  useLayoutEffect(() => {
    write('');
    textArea.current?.focus();
  }, [conversationKey]);
  useEffect(() => {
    if (prefill.count === 0) return;
    write(prefill.text);
    textArea.current?.focus();
  }, [prefill]);
  /** @param {Suggestion} suggestion */
  const accept = (suggestion) => {
    write(suggestion.text, suggestion.cursor);
    moveCursor(suggestion.cursor);
    textArea.current?.focus();
  };
  const { title, suggestions } = isHidden ? NO_SUGGESTIONS : suggest(text, cursor, sources);
  return {
    ...{ textArea, text, title, suggestions, active, error },
    ...{ write, accept, setError, setActive, setCursor, hideSuggestions: () => setHidden(true) },
  };
}

/**
 * Moves the cursor after a suggestion was inserted, because the browser would leave it at the end.
 * @param {{ current: HTMLTextAreaElement | null }} textArea
 */
function useCursor(textArea) {
  const nextCursor = useRef(/** @type {number | undefined} */ (undefined));
  useLayoutEffect(() => {
    if (nextCursor.current !== undefined)
      textArea.current?.setSelectionRange(nextCursor.current, nextCursor.current);
    nextCursor.current = undefined;
  });
  return (/** @type {number} */ cursor) => {
    nextCursor.current = cursor;
  };
}
