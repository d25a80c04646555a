import { useEffect, useMemo, useState } from 'preact/hooks';
import { useBlockContainer } from '../block-container.js';
import { searchItems } from '../search-items.js';
import { getActionId } from '../slack-json.js';
import { useDirectory } from '../use-directory.js';
import { listOwnChoices, readChoices } from './choices.js';

/**
 * @import { MultiSelect, Select } from '@slack/types'
 * @import { Choice } from './choices.js'
 * @typedef {{ choices: readonly Choice[], status: string | undefined }} LoadedChoices
 * @typedef {LoadedChoices & { isPending: boolean }} CurrentChoices `isPending` while the choices are still those of an earlier query
 */

/** Pause in typing, ms, after which the app is asked. */
const TYPING_PAUSE_MS = 250;

/** Slack's default of `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/**
 * The options of a select menu that match the query. External options come from the app.
 * @param {Select | MultiSelect} element
 * @param {string} blockId
 * @param {string} query
 * @param {boolean} isOpen
 * @returns {CurrentChoices}
 */
export function useChoices(element, blockId, query, isOpen) {
  const directory = useDirectory();
  const isExternal = element.type === 'external_select' || element.type === 'multi_external_select';
  const own = useMemo(() => listOwnChoices(element, directory), [element, directory]);
  const minLength = isExternal ? (element.min_query_length ?? MIN_QUERY_LENGTH) : 0;
  const external = useExternalChoices(
    element,
    blockId,
    query,
    isOpen && isExternal && query.length >= minLength,
  );
  if (isExternal && query.length < minLength) {
    return {
      choices: [],
      isPending: false,
      status: `Type ${minLength === 1 ? 'a letter' : `at least ${minLength} letters`} to search.`,
    };
  }
  if (isExternal) return external;
  const choices = searchItems(own, query, (choice) => `${choice.label} ${choice.description ?? ''}`);
  return { choices, isPending: false, status: choices.length === 0 ? 'No results' : undefined };
}

/**
 * @param {Select | MultiSelect} element
 * @param {string} blockId
 * @param {string} query
 * @param {boolean} isNeeded
 * @returns {CurrentChoices}
 */
function useExternalChoices(element, blockId, query, isNeeded) {
  const container = useBlockContainer();
  const [loaded, setLoaded] = useState(
    /** @type {LoadedChoices & { query?: string }} */ ({ choices: [], status: LOADING }),
  );
  useEffect(() => {
    if (!isNeeded) return undefined;
    // The answer to an earlier query is ignored.
    let isCurrent = true;
    setLoaded((before) => ({ choices: before.choices, status: LOADING }));
    const timer = setTimeout(
      async () => {
        const answer = await container.loadOptions(blockId, getActionId(element), query);
        if (!isCurrent) return;
        if (!answer.ok)
          return setLoaded({
            query,
            choices: [],
            status: 'The options couldn’t be loaded. Type again to retry.',
          });
        const choices = readChoices(answer.data);
        setLoaded({ query, choices, status: choices.length === 0 ? 'No results' : undefined });
      },
      query === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isNeeded, query, blockId]);
  return { ...loaded, isPending: isNeeded && loaded.query !== query };
}

const LOADING = 'Loading…';
