import type { ExternalSelect, PlainTextOption } from '@slack/types';
import type { Outcome } from '../../api/outcome.ts';
import { option, plain } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { NO_CHOICE, noChoice } from '../../slack/no-choice.ts';
import { chosenOption, chosenOptions, type ViewValues } from '../../slack/view-values.ts';
import { type Ask, type Field, type Labelled, labels, type Named, named } from '../field.ts';
import { offeredOptions } from '../search.ts';

/** `isTruncated`: there are others, which nobody can search. */
interface Found {
  items: readonly Named[];
  isTruncated: boolean;
  /** How many were read; defaults to all `items`. */
  read?: number;
}

interface SearchedOptions extends Labelled {
  placeholder?: string;
  /** All that there is, of which those are offered whose names hold the words. */
  find(ask: Ask): Promise<Outcome<Found> | readonly Named[]>;
  /** Said where there is nothing at all. */
  none: string;
  /** Nothing can be looked up before a project is chosen. */
  needsProject?: boolean;
  /** What is found depends on the project, but something is found without one too. */
  usesProject?: boolean;
  /** What may be typed instead of chosen, as the option that offers it; the id is the words themselves. */
  typing?(words: string): string;
}

/** One of many, searched while somebody types; answered within 2.5 s. Slack sends the search to the form's feature. */
export function searched(options: SearchedOptions): Field<Named | undefined> {
  return {
    ...labels(options),
    ...choosing,
    read: (values, blockId) => {
      const read = readNamed(values, blockId);
      // What was typed has no name but itself.
      return read && options.typing?.(read.id) === read.name ? { id: read.id, name: read.id } : read;
    },
    element: ({ actionId, value }) => searchedSelect(actionId, options.placeholder ?? 'None', value),
    usesProject: options.needsProject === true || options.usesProject === true,
    search: (ask) => offered(options, ask),
    ...(options.optional !== true && {
      fault: (value) => (value === undefined ? `Choose “${options.label}”.` : undefined),
    }),
  };
}

/** The state of a select whose options are things of the service's. */
export const choosing = {
  empty: undefined,
  value: named.optional(),
  read: readNamed,
  from: (words: string): Named => ({ id: words, name: words }),
} as const;

export function searchedSelect(
  actionId: string,
  placeholder: string,
  value: Named | undefined,
): ExternalSelect {
  const [initial] = namedOptions(value ? [value] : []);
  return {
    type: 'external_select',
    action_id: actionId,
    min_query_length: 0,
    placeholder: plain(placeholder, LIMITS.placeholder),
    ...(initial && { initial_option: initial }),
  };
}

/** As options; one whose id Slack cannot carry is left out. */
export function namedOptions(items: readonly Named[]): PlainTextOption[] {
  return items.filter(({ id }) => id.length <= LIMITS.optionValue).map(({ id, name }) => option(name, id));
}

/** Those of a static menu's options that are chosen: Slack refuses an initial option that is none of the options. */
export function initialOptions(
  options: readonly PlainTextOption[],
  chosen: readonly Named[],
): PlainTextOption[] {
  return options.filter(({ value }) => chosen.some(({ id }) => id === value));
}

function readNamed(values: ViewValues, blockId: string): Named | undefined {
  const chosen = chosenOption(values, blockId);
  return chosen && chosen.value !== NO_CHOICE ? { id: chosen.value, name: chosen.label } : undefined;
}

/** The same of several. */
export function readSeveral(values: ViewValues, blockId: string): Named[] {
  return chosenOptions(values, blockId)
    .filter(({ value }) => value !== NO_CHOICE)
    .map(({ value: id, label }) => ({ id, name: label }));
}

async function offered(options: SearchedOptions, ask: Ask): Promise<PlainTextOption[]> {
  if (options.needsProject && ask.project === undefined) return noChoice('Choose a project first');
  const query = ask.query.trim();
  const own =
    options.typing && query !== '' ? namedOptions([{ id: query, name: options.typing(query) }]) : [];
  const found = await options.find(ask);
  if ('kind' in found && found.kind !== 'done')
    return [...own, ...noChoice('The service does not answer: try again')];
  const listed: Found = 'kind' in found ? found.data : { items: found, isTruncated: false };
  const { items, isTruncated } = listed;
  const fitting = namedOptions(items.filter(({ id, name }) => matches(name, query) || id === query));
  const read = isTruncated ? (listed.read ?? items.length) : undefined;
  const offers = [...offeredOptions(fitting, read, LIMITS.options - own.length), ...own];
  if (offers.length > 0) return offers;
  return noChoice(query === '' ? options.none : 'Nothing found');
}

function matches(name: string, query: string): boolean {
  return name.toLowerCase().includes(query.trim().toLowerCase());
}
