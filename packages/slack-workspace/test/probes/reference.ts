import { readFileSync } from 'node:fs';
import { listWords } from '../../src/words.ts';

/** Facts from Slack's method reference. The file names its source. */
interface MethodReference {
  access: 'GET' | 'POST';
  takesJson: boolean;
  /** Undefined if the page names none. */
  tier?: 1 | 2 | 3 | 4 | 'special';
  /** Scopes of a bot token. */
  scopes: string[];
  arguments: ArgumentReference[];
  errors: string[];
}

interface ArgumentReference {
  name: string;
  /** `channel`, `user`, `timestamp`, `boolean`, … */
  type: string;
  isRequired: boolean;
}

type Stored = Record<'scopes' | 'arguments' | 'errors', string> &
  Pick<MethodReference, 'access' | 'takesJson' | 'tier'>;

const stored = JSON.parse(readFileSync(new URL('reference.json', import.meta.url), 'utf8')) as {
  commonErrors: string;
  methods: Record<string, Stored>;
};

function readArgument(text: string): ArgumentReference {
  const [name = '', type = ''] = text.replace('!', '').split(':');
  return { name, type, isRequired: text.endsWith('!') };
}

/** Errors that Slack documents for every method. */
export const COMMON_ERRORS: readonly string[] = listWords(stored.commonErrors);

export const REFERENCE: ReadonlyMap<string, MethodReference> = new Map(
  Object.entries(stored.methods).map(([method, { scopes, arguments: args, errors, ...facts }]) => [
    method,
    {
      ...facts,
      scopes: listWords(scopes),
      arguments: listWords(args).map(readArgument),
      errors: listWords(errors),
    },
  ]),
);
