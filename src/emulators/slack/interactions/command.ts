import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { escapeText } from '../state/escape-text.ts';
import { makeResponseUrl } from '../state/response-urls.ts';
import { runBuiltIn } from './built-in-commands.ts';
import { failure } from './failure.ts';
import { commandsFor } from './for-people-from-here.ts';
import { commandFields } from './payload-parts.ts';
import { respond } from './respond.ts';

/**
 * Slack says `dispatch_failed` at once where no socket is open. Here the app often starts together with the workspace
 * while the page is still open from before, and a newcomer's first command would fail through no fault of theirs: it
 * waits this long. The app sees no difference: its three seconds and the trigger_id begin when the command is sent.
 */
const CONNECTING_MS = 2_000;

function tellFailed(site: Site, person: string, channel: Channel, command: string, error: string): void {
  site.audience.sendTo([person], {
    type: 'notice',
    channel: channel.id,
    text: `${command} failed with the error "${error}"`,
  });
}

/** A typed `/command …`: sent to the app, its acknowledgement shown, its failure told as Slack tells it. */
export async function runCommand(site: Site, person: string, channel: Channel, typed: string): Promise<void> {
  const [, command = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(typed.trim()) ?? [];
  if (runBuiltIn(site, person, channel, command, text)) return;
  if (!commandsFor(site, person).some((entry) => entry.command === command)) {
    site.audience.sendTo([person], {
      type: 'notice',
      channel: channel.id,
      text: `${command} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`,
    });
    return;
  }
  await site.courier.ready(CONNECTING_MS);
  const payload = {
    ...commandFields(site, person, channel),
    command,
    text: escapeText(text),
    response_url: makeResponseUrl(site, { channel: channel.id, person }),
    trigger_id: site.triggers.make(person),
  };
  const answer = await site.courier.deliver(
    { kind: 'slash_commands', label: typed.trim() },
    { type: 'slash_commands', payload, acceptsResponse: true },
  );
  const failed = failure(answer);
  if (failed !== undefined) tellFailed(site, person, channel, command, failed);
  if (answer.kind !== 'acknowledged' || answer.payload === undefined) return;
  try {
    respond(site, { channel: channel.id, person }, answer.payload);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tellFailed(site, person, channel, command, error.code);
  }
}
