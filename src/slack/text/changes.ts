import { clip } from '../clip.ts';

/** Said in one breath; the rest is counted. */
const MOST = 5;
/** So much of somebody's words is said back. */
const QUOTED = 60;

/** What the text loses on its way out of Slack, collected while it is read. Every list has each thing once. */
export interface Changes {
  links: Map<string, string>;
  mentions: Set<string>;
  formats: Set<string>;
  dates: Set<string>;
  /** Names of the workspace's own emoji, without colons. */
  ownEmoji: Set<string>;
  /** Somebody or something was mentioned whose name is not known. */
  nameless: boolean;
  /** A part of the message that is no text. */
  unreadable: boolean;
}

export function noChanges(): Changes {
  return {
    links: new Map(),
    mentions: new Set(),
    formats: new Set(),
    dates: new Set(),
    ownEmoji: new Set(),
    nameless: false,
    unreadable: false,
  };
}

/** The changes as sentences for a person; plain text. */
export function renderChanges(changes: Changes, files: readonly string[]): string[] {
  const { links, mentions, formats, dates, ownEmoji } = changes;
  const first = [...links].slice(0, MOST);
  const moreLinks = links.size - first.length;
  return [
    ...first.map(([label, address]) => `“${short(label)}” becomes ${short(address)}.`),
    ...(moreLinks > 0
      ? [
          `${moreLinks} more ${moreLinks === 1 ? 'link becomes its address' : 'links become their addresses'}.`,
        ]
      : []),
    ...sentence(mentions, (names) => `Sent as plain words, nobody is mentioned: ${names}.`),
    ...(changes.nameless ? ['A mention whose name could not be read is sent without it.'] : []),
    ...sentence(dates, (words) => `Sent in these words, the same for every reader: ${words}.`),
    ...sentence(formats, (names) => `Formatting is not sent: ${names}.`),
    ...sentence(
      ownEmoji,
      (names) => `Only this workspace has these emoji: ${names}.`,
      (name) => `:${name}:`,
    ),
    ...(changes.unreadable ? ['A part of the message that is not text is left out.'] : []),
    ...sentence(new Set(files), (names) => `Files stay in Slack and are not sent: ${names}.`),
  ];
}

function sentence(
  things: ReadonlySet<string>,
  say: (list: string) => string,
  written: (thing: string) => string = (thing) => thing,
): string[] {
  if (things.size === 0) return [];
  const first = [...things].slice(0, MOST).map((thing) => short(written(thing)));
  const more = things.size - first.length;
  return [say(first.join(', ') + (more > 0 ? ` and ${more} more` : ''))];
}

function short(words: string): string {
  return clip(words.replace(/\s+/g, ' '), QUOTED);
}
