import type { KnownBlock } from '@slack/types';
import { renderMomentForReaders } from '../../posts/post-time.ts';
import {
  actions,
  addAccessibilityLabel,
  button,
  clipLine,
  context,
  escapeText,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import type { PersonLinks } from '../../web/web.ts';
import { renderCount } from '../../words.ts';

export const OPEN_ACTION = 'plan.open';
export const FEED_ACTION = 'plan.feed';
export const END_ACTION = 'plan.end';
export const END_OF_PERSON_ACTION = 'plan.end-person';

export const NO_PAGES: Message = {
  text: 'I can’t show pages yet, because I don’t know my own address. Whoever runs Upnext can set `PUBLIC_URL`.',
};

const LIFETIME = 'It ends after 30 days without a visit, after half a year, or as soon as you end it.';

/** Renders the person's new link. Slack shows no preview of a button's address. */
export function renderLink(address: string): Message {
  const text =
    '*Your plan as a page*\nThe months, and each post as it will look. The page shows what you may see whenever you open it.';
  return {
    text: 'Your plan as a page',
    blocks: [
      section(text),
      actions(
        { ...button('Open the plan', OPEN_ACTION, undefined, 'primary'), url: address },
        button('Calendar feed', FEED_ACTION),
        renderEndButton(),
      ),
      context(`The link is yours alone: whoever has it sees the same, so don’t forward it. ${LIFETIME}`),
    ],
  };
}

/** Renders the address of the person's new calendar feed, to copy. */
export function renderFeed(address: string): Message {
  const how =
    'In Google Calendar choose *Add calendar › From URL*, in Outlook *Add calendar › Subscribe from web*, in Apple Calendar *File › New Calendar Subscription*.';
  return {
    text: 'Your calendar feed',
    blocks: [
      section('*Your calendar feed*\nCopy this address into your calendar:'),
      section(`\`\`\`${escapeText(address)}\`\`\``),
      section(how),
      actions(renderEndButton()),
      context(
        'Calendars ask for changes when they like: Apple and Outlook every few hours, Google about once a day.',
        `The address is yours alone: whoever has it sees your plan. ${LIFETIME}`,
      ),
    ],
  };
}

/** The answer to a text that names no project, or several. */
export function renderNoSuchProject(text: string): Message {
  return buildQuotingMessage(
    `I don’t know which project “${clipLine(text)}” is, so I made no link.`,
    'Type `/upnext plan` and a project’s whole name, or only `/upnext plan`. `/upnext projects` lists them.',
  );
}

function renderEndButton() {
  return withConfirmation(button('End all my links', END_ACTION, undefined, 'danger'), {
    title: 'End all your links?',
    text: 'Pages and calendars that use them show nothing from then on. You can get new ones.',
    confirm: 'End them',
  });
}

/** Says how many links have ended. `user`: whose they were, if they weren't the reader's. */
export function renderEnd(count: number, user: string | undefined): Message {
  const [had, owner] =
    user === undefined ? ['You had', 'your'] : [`<@${escapeText(user)}> had`, `<@${escapeText(user)}>’s`];
  if (count === 0) return { text: `${had} no links left.` };
  return {
    text: `I ended ${owner} ${count === 1 ? 'link' : `${count} links`}. Whoever opens one reads that it isn’t here.`,
  };
}

/**
 * Renders who has links, for Owners, who can end them. `names`: those of the people, as far as Slack told them.
 * `hiddenCount`: how many more people have links.
 */
export function renderLinks(
  people: readonly PersonLinks[],
  { names, hiddenCount }: { names: ReadonlyMap<string, string>; hiddenCount: number },
): Message {
  if (people.length === 0) return { text: 'Nobody has a link to the plan.' };
  const rows = people.map(({ person, count, usedAt }): KnownBlock => {
    const at = renderMomentForReaders(usedAt, usedAt.toISOString().slice(0, 16).replace('T', ' '));
    return {
      ...section(`<@${escapeText(person)}> · ${renderCount(count, 'link')} · last opened ${at}`),
      accessory: addAccessibilityLabel(
        button('End links', END_OF_PERSON_ACTION, person, 'danger'),
        `End the links of ${names.get(person) ?? 'this person'}`,
      ),
    };
  });
  const rest = hiddenCount > 0 ? [context(`…and ${hiddenCount} more, who opened theirs earlier.`)] : [];
  return { text: 'Links to the plan', blocks: [section('*Links to the plan*'), ...rows, ...rest] };
}
