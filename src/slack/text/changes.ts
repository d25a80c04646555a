import { clip } from '../escape.ts';

/** Things of one kind that are listed; the rest is counted. */
const MAX_LISTED = 5;
/** UTF-16 units of one listed thing. */
const MAX_QUOTE_LENGTH = 60;

/** Differences between the message in Slack and its plain text, collected during reading, without duplicates. */
export interface Changes {
  /** Label to address. */
  links: Map<string, string>;
  mentions: Set<string>;
  formats: Set<string>;
  dates: Set<string>;
  /** Names of the workspace's custom emoji, without colons. */
  ownEmoji: Set<string>;
  /** The message has a mention whose name is unknown. */
  nameless: boolean;
  /** The message has a part that isn't text. */
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
  const first = [...links].slice(0, MAX_LISTED);
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
  render: (list: string) => string,
  renderThing: (thing: string) => string = (thing) => thing,
): string[] {
  if (things.size === 0) return [];
  const first = [...things].slice(0, MAX_LISTED).map((thing) => short(renderThing(thing)));
  const more = things.size - first.length;
  return [render(first.join(', ') + (more > 0 ? ` and ${more} more` : ''))];
}

function short(text: string): string {
  return clip(text.replace(/\s+/g, ' '), MAX_QUOTE_LENGTH);
}
