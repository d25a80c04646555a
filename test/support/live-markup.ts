/**
 * Finds markup in a payload for Slack that came from people's text: mentions, links, broadcasts, and pictures that Slack
 * fetches. Our own messages only mention people and channels by id, and contain dates; any other markup is a fault.
 * https://docs.slack.dev/messaging/formatting-message-text/
 */

/** Markup that our own messages use: people, channels, user groups, dates, and pages of Slack's. */
const OURS = [
  /^@[UW][A-Z0-9]{2,}$/,
  /^#[CDG][A-Z0-9]{2,}$/,
  /^!subteam\^S[A-Z0-9]{2,}$/,
  /^!date\^\d+\^[\w {}:,]+\|[\w ,.:()+–-]+$/,
  /^https:\/\/(?:[\w-]+\.)?slack\.com\/[\w/?=&.;-]*(?:\|[\w ]+)?$/,
];

/** Fields that Slack reads as markup, by method. */
const READ_AS_MARKUP = ['text', 'fallback', 'pretext', 'initial_comment'];

interface Watched {
  /** Ids that exist only in test texts, so that mentioning one is a fault. */
  strangers?: RegExp;
  /** Addresses that our messages link to. */
  links?: readonly string[];
}

/** Lists the faults, each with its path. */
export function liveMarkup(payload: unknown, watched: Watched = {}): string[] {
  return findFaults(payload, '', watched);
}

function findFaults(value: unknown, path: string, watched: Watched): string[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => findFaults(one, `${path}/${index}`, watched));
  if (typeof value !== 'object' || value === null) return [];
  const type = 'type' in value ? value.type : undefined;
  if (type === 'plain_text') return [];
  const below = Object.entries(value).flatMap(([name, one]) => {
    const here = `${path}/${name}`;
    if (typeof one !== 'string') return findFaults(one, here, watched);
    if (READ_AS_MARKUP.includes(name))
      return findTextFaults(one, watched).map((fault) => `${here}: ${fault}`);
    // Slack fetches pictures, and a button with an address is a link.
    if (/^(?:url|image_url|thumb_url|title_link)$/.test(name) && !isOurs(one, watched))
      return [`${here}: link to ${one}`];
    return [];
  });
  return [...below, ...findBlockFaults(value, type, path)];
}

function findBlockFaults(value: object, type: unknown, path: string): string[] {
  if (type === 'mrkdwn' && !('verbatim' in value && value.verbatim === true)) {
    return [`${path}: mrkdwn that is not verbatim, so that addresses in it become links`];
  }
  if (type === 'markdown' || type === 'broadcast' || type === 'link')
    return [`${path}: ${type}, which escapes nothing`];
  return [];
}

function findTextFaults(text: string, watched: Watched): string[] {
  const faults: string[] = [];
  const rest = text.replace(/<([^<>]*)>/g, (whole, inside: string) => {
    const isStranger = watched.strangers?.test(inside) ?? false;
    if (isStranger || !(OURS.some((form) => form.test(inside)) || isOurs(inside, watched)))
      faults.push(`${whole} is alive`);
    return '';
  });
  if (/[<>]/.test(rest)) faults.push(`an unescaped < or > in ${JSON.stringify(text.slice(0, 200))}`);
  if (/&(?!amp;|lt;|gt;)/.test(rest)) faults.push(`an unescaped & in ${JSON.stringify(text.slice(0, 200))}`);
  return faults;
}

function isOurs(address: string, { links = [] }: Watched): boolean {
  return OURS.some((form) => form.test(address)) || links.some((link) => address === link);
}

/** The options that a message lacks. It has to switch off links, mentions and previews. */
export function unsafeOptions(message: object): string[] {
  const given = new Map(Object.entries(message));
  const wanted = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false };
  return Object.entries(wanted).flatMap(([name, value]) =>
    given.get(name) === value ? [] : [`${name} is ${String(given.get(name))}, not ${String(value)}`],
  );
}
