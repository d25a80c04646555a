import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { NO_SUGGESTIONS, suggest } from './suggestions.js';

/**
 * @import { CommandEntry, Person } from '../protocol.ts'
 * @import { Suggestion } from './suggestions.js'
 */

/**
 * The text of a composer, its cursor, and the suggestions for it.
 * @param {string} place another one begins with an empty box
 * @param {{ text: string, count: number }} draft put in from outside; `count` tells a new one from the last
 * @param {{ commands: readonly CommandEntry[], people: readonly Person[] }} known what can be offered
 */
export function useDraft(place, draft, known) {
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const [refused, refuse] = useState('');
  const [active, setActive] = useState(0);
  const [hidden, setHidden] = useState(false);
  /** @type {{ current: HTMLTextAreaElement | null }} */
  const box = useRef(null);
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
    refuse('');
  };
  // Without a delay, because the next key is meant for this text.
  useLayoutEffect(() => {
    write('');
    box.current?.focus();
  }, [place]);
  useEffect(() => {
    if (draft.count === 0) return;
    write(draft.text);
    box.current?.focus();
  }, [draft]);
  /** @param {Suggestion} offer */
  const take = (offer) => {
    write(offer.text, offer.cursor);
    moveCursor(offer.cursor);
    box.current?.focus();
  };
  const { title, offers } = hidden ? NO_SUGGESTIONS : suggest(text, cursor, known);
  return {
    ...{ box, text, title, offers, active, refused },
    ...{ write, take, refuse, setActive, setCursor, hide: () => setHidden(true) },
  };
}

/**
 * Moves the cursor after a suggestion was inserted, because the browser would leave it at the end.
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
