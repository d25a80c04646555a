import type { ExternalSelect, PlainTextOption } from '@slack/types';
import type { Outcome } from '../../api/outcome.ts';
import { option, plain } from '../../slack/blocks.ts';
import { getChosenOption, getChosenOptions, type ViewValues } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildNoChoiceOptions, NO_CHOICE } from '../../slack/no-choice.ts';
import { type Field, type Labelled, labels, type Named, named, type SearchRequest } from '../field.ts';
import { limitOptions } from '../search.ts';

interface Found {
  items: readonly Named[];
  /** There are more records, which can't be searched. */
  isTruncated: boolean;
  /** How many records were read. Defaults to the number of `items`. */
  read?: number;
}

interface SearchedOptions extends Labelled {
  placeholder?: string;
  /** Returns all records. The select shows those whose name contains the query. */
  find(request: SearchRequest): Promise<Outcome<Found> | readonly Named[]>;
  /** Shown if there are no records. */
  none: string;
  /** There are no options before a project is chosen. */
  needsProject?: boolean;
  /** The options depend on the project, and there are some without a project. */
  usesProject?: boolean;
  /** The label of an option that takes the query itself as the id. */
  typing?(words: string): string;
}

/** One of many records, in a select that searches while the person types. Searches are answered within 2.5 s. */
export function searchField(options: SearchedOptions): Field<Named | undefined> {
  return {
    ...labels(options),
    ...namedChoice,
    read: (values, blockId) => {
      const read = readNamed(values, blockId);
      // A typed id is its own name.
      return read && options.typing?.(read.id) === read.name ? { id: read.id, name: read.id } : read;
    },
    element: ({ actionId, value }) => searchedSelect(actionId, options.placeholder ?? 'None', value),
    usesProject: options.needsProject === true || options.usesProject === true,
    search: (request) => findOptions(options, request),
    ...(options.optional !== true && {
      validate: (value) => (value === undefined ? `Choose “${options.label}”.` : undefined),
    }),
  };
}

/** The value handling of a select whose options are records of the service. */
export const namedChoice = {
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

/** Converts records to options. Leaves out ids that are longer than Slack allows. */
export function namedOptions(items: readonly Named[]): PlainTextOption[] {
  return items.filter(({ id }) => id.length <= LIMITS.optionValue).map(({ id, name }) => option(name, id));
}

/** The chosen ones among a static menu's options. Slack refuses an initial option that isn't among the options. */
export function initialOptions(
  options: readonly PlainTextOption[],
  chosen: readonly Named[],
): PlainTextOption[] {
  return options.filter(({ value }) => chosen.some(({ id }) => id === value));
}

function readNamed(values: ViewValues, blockId: string): Named | undefined {
  const chosen = getChosenOption(values, blockId);
  return chosen && chosen.value !== NO_CHOICE ? { id: chosen.value, name: chosen.label } : undefined;
}

/** The chosen records of a multi-select. */
export function readSeveral(values: ViewValues, blockId: string): Named[] {
  return getChosenOptions(values, blockId)
    .filter(({ value }) => value !== NO_CHOICE)
    .map(({ value: id, label }) => ({ id, name: label }));
}

async function findOptions(options: SearchedOptions, request: SearchRequest): Promise<PlainTextOption[]> {
  if (options.needsProject && request.project === undefined)
    return buildNoChoiceOptions('Choose a project first');
  const query = request.query.trim();
  const own =
    options.typing && query !== '' ? namedOptions([{ id: query, name: options.typing(query) }]) : [];
  const found = await options.find(request);
  if ('kind' in found && found.kind !== 'done')
    return [...own, ...buildNoChoiceOptions('The service does not answer: try again')];
  const listed: Found = 'kind' in found ? found.data : { items: found, isTruncated: false };
  const { items, isTruncated } = listed;
  const fitting = namedOptions(items.filter(({ id, name }) => matches(name, query) || id === query));
  const read = isTruncated ? (listed.read ?? items.length) : undefined;
  const offers = [...limitOptions(fitting, read, LIMITS.options - own.length), ...own];
  if (offers.length > 0) return offers;
  return buildNoChoiceOptions(query === '' ? options.none : 'Nothing found');
}

function matches(name: string, query: string): boolean {
  return name.toLowerCase().includes(query.trim().toLowerCase());
}
