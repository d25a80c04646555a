import type { Shown } from '../history.ts';
import { readTimes, toInstant } from './stated-times.ts';

/** A post that Upnext keeps, as a button or a form names it: by its row, and by the version that the person sees. */
interface Named {
  row: string;
  version: number;
  /** What a button adds, such as the time before a move. */
  rest: string;
}

/** The card of a post that Upnext keeps, recognised by what its buttons send. */
export interface Card extends Named {
  actions: ReadonlySet<string>;
  /** The version of its main text: `§a12.1`. What changed since the version before may stand above it. */
  text: string | undefined;
  /** Ms since the epoch. Null without one, and undefined if it can't be told. */
  time: number | null | undefined;
  /** Who its author is, as the card names them: a mention or a name. */
  author: string | undefined;
}

const VALUE = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d+)(?:\.\S*)?(?: (.*))?$/su;
/** “✏️ *Editable* · *Tue 1 Dec, 09:00* (10:00 Berlin)”, and what follows. */
const FIRST_LINE = /^(?:\S+ )?\*[^*\n]+\* · \*([^*\n]+)\*(.*)\n([\s\S]*)/mu;
const VERSION = /§[a-z]\d+(?:\.\d+)?/u;

/** Reads what a button of a card, or a form about a post, is about. Undefined for others, and for those in lists. */
export function readNamed(value: string): Named | undefined {
  const [, row, version, rest = ''] = VALUE.exec(value) ?? [];
  return row === undefined ? undefined : { row, version: Number(version), rest };
}

/** What the app has stored in a form about one post: which it is, and what the form does with its time. */
export function readTarget(metadata = ''): (Named & { does: string }) | undefined {
  if (!metadata.startsWith('{')) return undefined;
  const { post, does = '' }: { post?: unknown; does?: unknown } = JSON.parse(metadata);
  const named = typeof post === 'string' ? readNamed(post) : undefined;
  return named && { ...named, does: String(does) };
}

/** Reads a card. Undefined for everything else, also for a list of posts. `zone`: that of its reader, if it is known. */
export function readCard(shown: Shown & { at: number }, zone: string | undefined): Card | undefined {
  const { buttons = [], text, at } = shown;
  const named = buttons.flatMap(({ value }) => readNamed(value) ?? []);
  const [first, ...others] = named;
  const [, when, zoneNote = '', rest] = FIRST_LINE.exec(text) ?? [];
  if (!first || when === undefined || rest === undefined) return undefined;
  // A card may open another one below it.
  if (others.some(({ row, version }) => row !== first.row || version !== first.version)) return undefined;
  return {
    ...first,
    actions: new Set(buttons.map(({ actionId }) => actionId)),
    text: VERSION.exec(rest.replace(/^• .*$/gmu, ''))?.[0],
    time: readCardTime(`${when}${zoneNote}`, zone, at),
    author: / · by (<@\w+>|[^·\n]+)/u.exec(rest)?.[1]?.trim(),
  };
}

function readCardTime(when: string, zone: string | undefined, near: number): number | null | undefined {
  if (when === 'No date') return null;
  const place = zone?.split('/').at(-1)?.replaceAll('_', ' ');
  const readable = when.replace(/<!date\^(\d+)\^[^>]*>/gu, '⟨$1⟩');
  const [time, ...others] = readTimes(readable);
  if (time && others.length === 0) return toInstant(time, near);
  const [own] = place === undefined ? [] : readTimes(`${readable} (${place})`);
  return own && toInstant(own, near);
}

/** The time that a form shows for what was typed into it. Undefined without exactly one. */
export function readFormTime(text: string, near: number): number | undefined {
  const lines = text
    .split('\n')
    .filter((line) => /^(?:📅|:calendar:)/u.test(line))
    .map((line) => line.replaceAll('*', ''));
  const instants = lines.flatMap(readTimes).map((time) => toInstant(time, near));
  const [first] = instants;
  return instants.every((instant) => instant === first) ? first : undefined;
}
