import { useEffect, useMemo, useState } from 'preact/hooks';
import { filterByWords } from '../filter.js';
import { actionIdOf } from '../slack-json.js';
import { useSurface } from '../surface.js';
import { useDirectory } from '../use-directory.js';
import { choicesFrom, ownChoices } from './choices.js';

/**
 * @import { MultiSelect, Select } from '@slack/types'
 * @import { Choice } from './choices.js'
 * @typedef {{ choices: readonly Choice[], status: string | undefined }} Offered
 * @typedef {Offered & { pending: boolean }} Found `pending`: these are for other words than those that are typed
 */

/** Pause in typing, ms, after which the app is asked. */
const REST_MS = 250;

/** Slack's default. Most apps expect less. */
const MIN_QUERY_LENGTH = 3;

/**
 * The options of a select for the typed text. For external options, asks the app.
 * @param {Select | MultiSelect} element
 * @param {string} blockId
 * @param {string} typed
 * @param {boolean} open
 * @returns {Found}
 */
export function useChoices(element, blockId, typed, open) {
  const directory = useDirectory();
  const asksApp = element.type === 'external_select' || element.type === 'multi_external_select';
  const own = useMemo(() => ownChoices(element, directory), [element, directory]);
  const least = asksApp ? (element.min_query_length ?? MIN_QUERY_LENGTH) : 0;
  const external = useExternal(element, blockId, typed, open && asksApp && typed.length >= least);
  if (asksApp && typed.length < least) {
    return {
      choices: [],
      pending: false,
      status: `Type ${least === 1 ? 'a letter' : `at least ${least} letters`} to search.`,
    };
  }
  if (asksApp) return external;
  const choices = filterByWords(own, typed, (choice) => `${choice.label} ${choice.description ?? ''}`);
  return { choices, pending: false, status: choices.length === 0 ? 'No results' : undefined };
}

/**
 * @param {Select | MultiSelect} element
 * @param {string} blockId
 * @param {string} typed
 * @param {boolean} wanted
 * @returns {Found}
 */
function useExternal(element, blockId, typed, wanted) {
  const surface = useSurface();
  const [offered, setOffered] = useState(
    /** @type {Offered & { to?: string }} */ ({ choices: [], status: LOADING }),
  );
  useEffect(() => {
    if (!wanted) return undefined;
    // A response to an earlier text is ignored.
    let current = true;
    setOffered((before) => ({ choices: before.choices, status: LOADING }));
    const asking = setTimeout(
      async () => {
        const answer = await surface.options(blockId, actionIdOf(element), typed);
        if (!current) return;
        if (!answer.ok)
          return setOffered({
            to: typed,
            choices: [],
            status: 'The options could not be loaded. Type again to retry.',
          });
        const choices = choicesFrom(answer.data);
        setOffered({ to: typed, choices, status: choices.length === 0 ? 'No results' : undefined });
      },
      typed === '' ? 0 : REST_MS,
    );
    return () => {
      current = false;
      clearTimeout(asking);
    };
  }, [wanted, typed, blockId]);
  return { ...offered, pending: wanted && offered.to !== typed };
}

const LOADING = 'Loading…';
