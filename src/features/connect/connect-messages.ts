import type { Button, KnownBlock } from '@slack/types';
import { actions, button, context, plain, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import type { Credential } from '../../workspaces/workspaces.ts';

export const CONNECT = 'connect.open';
export const REPLACE = 'connect.replace';
export const REMOVE = 'connect.remove';

/** More are there, and can be replaced by their name; a message holds 50 blocks. */
const MOST_SHOWN = 20;
const NAME = 60;

type Shown = Omit<Credential, 'token'>;

/** What the workspace has connected. No token is ever in it. */
export function connectedMessage(all: readonly Shown[], hasDefault: boolean): Message {
  const whole = all.find(({ project }) => !project);
  const own = all.filter(({ project }) => project);
  const first = whole
    ? row(`This workspace is connected to ${at(whole)}.`, whole, 'Disconnect')
    : [section(hasDefault ? DEFAULT : 'This workspace is not connected to a scheduling service yet.')];
  const projects = own
    .slice(0, MOST_SHOWN)
    .flatMap((one) => row(`${nameOf(one)} has a token of its own, for ${at(one)}.`, one, 'Remove it'));
  const more = own.length > MOST_SHOWN ? [context(`And ${own.length - MOST_SHOWN} more projects.`)] : [];
  const text = `${whole ? `This workspace is connected to ${at(whole)}.` : first.length > 0 && hasDefault ? DEFAULT : 'Nothing is connected yet.'}${own.length > 0 ? ` ${own.length} with a token of their own.` : ''}`;
  return {
    text,
    blocks: [
      ...first,
      ...projects,
      ...more,
      actions(button(whole || hasDefault ? 'Connect another' : 'Connect', CONNECT, undefined, 'primary')),
    ],
  };
}

const DEFAULT = 'This workspace uses the scheduling service that Upnext was set up with.';

function row(text: string, one: Shown, remove: string): KnownBlock[] {
  const ask = `${one.project ? 'This project' : 'This workspace'} cannot be used with that token any more. What waits to be sent stays kept.`;
  return [
    section(text),
    context(`Connected by <@${one.connectedBy}>.`),
    actions(button('Replace', REPLACE, one.id), confirmed(button(remove, REMOVE, one.id, 'danger'), ask)),
  ];
}

function confirmed(pressed: Button, text: string): Button {
  return {
    ...pressed,
    confirm: {
      title: plain('Remove the token?'),
      text: plain(text),
      confirm: plain('Remove'),
      deny: plain('Keep it'),
    },
  };
}

function at({ url }: Shown): string {
  return `\`${escapeText(new URL(url).host)}\``;
}

function nameOf({ project }: Shown): string {
  return escapeText(clip(sanitizeLine(project?.name ?? ''), NAME));
}
