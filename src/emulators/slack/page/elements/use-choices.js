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
 * @typedef {LoadedChoices & { pending: boolean }} CurrentChoices `pending`: these are for other words than those that are typed
 */

/** Pause in typing, ms, after which the app is asked. */
const TYPING_PAUSE_MS = 250;

/** Slack's default. Most apps expect less. */
const MIN_QUERY_LENGTH = 3;

/**
 * The options of a select for the typed text. For external options, asks the app.
 * @param {Select | MultiSelect} element
 * @param {string} blockId
 * @param {string} typed
 * @param {boolean} open
 * @returns {CurrentChoices}
 */
export function useChoices(element, blockId, typed, open) {
  const directory = useDirectory();
  const asksApp = element.type === 'external_select' || element.type === 'multi_external_select';
  const own = useMemo(() => listOwnChoices(element, directory), [element, directory]);
  const least = asksApp ? (element.min_query_length ?? MIN_QUERY_LENGTH) : 0;
  const external = useExternalChoices(element, blockId, typed, open && asksApp && typed.length >= least);
  if (asksApp && typed.length < least) {
    return {
      choices: [],
      pending: false,
      status: `Type ${least === 1 ? 'a letter' : `at least ${least} letters`} to search.`,
    };
  }
  if (asksApp) return external;
  const choices = searchItems(own, typed, (choice) => `${choice.label} ${choice.description ?? ''}`);
  return { choices, pending: false, status: choices.length === 0 ? 'No results' : undefined };
}

/**
 * @param {Select | MultiSelect} element
 * @param {string} blockId
 * @param {string} typed
 * @param {boolean} wanted
 * @returns {CurrentChoices}
 */
function useExternalChoices(element, blockId, typed, wanted) {
  const surface = useBlockContainer();
  const [offered, setOffered] = useState(
    /** @type {LoadedChoices & { to?: string }} */ ({ choices: [], status: LOADING }),
  );
  useEffect(() => {
    if (!wanted) return undefined;
    // A response to an earlier text is ignored.
    let current = true;
    setOffered((before) => ({ choices: before.choices, status: LOADING }));
    const asking = setTimeout(
      async () => {
        const answer = await surface.options(blockId, getActionId(element), typed);
        if (!current) return;
        if (!answer.ok)
          return setOffered({
            to: typed,
            choices: [],
            status: 'The options could not be loaded. Type again to retry.',
          });
        const choices = readChoices(answer.data);
        setOffered({ to: typed, choices, status: choices.length === 0 ? 'No results' : undefined });
      },
      typed === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      current = false;
      clearTimeout(asking);
    };
  }, [wanted, typed, blockId]);
  return { ...offered, pending: wanted && offered.to !== typed };
}

const LOADING = 'Loading…';
