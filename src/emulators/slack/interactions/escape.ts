import type { Site } from '../site.ts';
import { findChannelByName } from '../state/directory.ts';
import { escapeText } from '../state/escape-text.ts';

/** A typed message as Slack stores it: escaped, with addresses, `@name` and `#channel` marked as what they are. */
export function asMessageText(site: Site, typed: string): string {
  return escapeText(typed)
    .replaceAll(/(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,:;!?)"'])/gi, '$1<$2>')
    .replaceAll(/(^|[\s(])@([\w.-]*\w)/g, (whole, before: string, name: string) => {
      const person = site.state.people.find((entry) => entry.name === name.toLowerCase());
      return person ? `${before}<@${person.id}>` : whole;
    })
    .replaceAll(/(^|[\s(])#([\w-]+)/g, (whole, before: string, name: string) => {
      const channel = findChannelByName(site, name);
      return channel ? `${before}<#${channel.id}|${channel.name}>` : whole;
    });
}
