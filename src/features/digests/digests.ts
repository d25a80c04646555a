import { z } from 'zod';
import type { PauseReason } from '../../digests/digest.ts';
import { isChannelId } from '../../forms/conversation.ts';
import { createForm } from '../../forms/create-form.ts';
import type { CommandCall, EventCall, Handler } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createListHandlers, noticeHandlers } from './digest-buttons.ts';
import { parseDigestCommand, saveFromCommand } from './digest-command.ts';
import { digestForm } from './digest-form.ts';
import {
  createDigestListMessage,
  createSendNowMessage,
  NEW_DIGEST_ACTION,
  renderFormOffer,
} from './digest-messages.ts';

const channelFields = z.object({ channel: z.string(), connected_team_id: z.string().nullish() });

/**
 * Handlers of Slack's events about channels. Digests are paused if their channel is archived, deleted or shared, or if
 * the bot leaves it.
 */
const DIGEST_EVENTS: Readonly<Record<string, Handler<EventCall>>> = {
  channel_archive: { deed: 'archive a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  group_archive: { deed: 'archive a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  channel_deleted: { deed: 'delete a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  group_deleted: { deed: 'delete a channel', run: (call) => pauseDigestsIn(call, 'archived') },
  channel_left: { deed: 'leave a channel', run: (call) => pauseDigestsIn(call, 'not-in-channel') },
  group_left: { deed: 'leave a channel', run: (call) => pauseDigestsIn(call, 'not-in-channel') },
  channel_shared: { deed: 'share a channel with another organization', run: pauseSharedChannel },
};

async function pauseDigestsIn({ context, actor, event }: EventCall, reason: PauseReason): Promise<void> {
  const channel = channelFields.safeParse(event.payload).data?.channel;
  if (channel === undefined) return;
  await context.digests.pauseChannel({ workspace: actor.workspace, channel }, reason);
}

/** Handles the event that another organisation joined the channel. */
async function pauseSharedChannel({ context, actor, event }: EventCall): Promise<void> {
  const { channel, connected_team_id: team } = channelFields.safeParse(event.payload).data ?? {};
  if (channel === undefined) return;
  await context.digests.pauseInSharedChannel({ workspace: actor.workspace, channel }, team ? [team] : []);
}

const form = createForm(digestForm);

/** `/upnext digest` sets up summaries of upcoming posts, which come regularly in a channel or as a direct message. */
export const digests: Feature = {
  name: 'digests',
  commands: [
    {
      name: 'digest',
      aliases: ['digests', 'summary', 'daily', 'morning'],
      summary: 'Send what’s next here, every day or week',
      usage: '[days, time, zone, project] or [list|new|now]',
      examples: {
        '/upnext digest': 'See this channel’s digests, or set one up.',
        '/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee': 'Send one here every weekday.',
        '/upnext digest me weekly monday 9:00': 'Get the week as a direct message.',
        '/upnext digest now': 'See which digests you can send now.',
      },
      opensForm: (args) => parseDigestCommand(args).kind === 'new',
      deed: 'use `/upnext digest`',
      role({ text }) {
        const command = parseDigestCommand(text);
        return command.kind === 'set' && !command.isPersonal ? 'manager' : 'viewer';
      },
      run: onDigestCommand,
    },
  ],
  role: 'viewer',
  ...form,
  scopes: {
    'channels:read': 'to check whether the bot can write in a channel, and who reads it',
    'groups:read': 'to check the same for a private channel that the bot was invited to',
  },
  optionalScopes: {
    'channels:history': {
      purpose: 'to check whether a digest arrived when Slack doesn’t answer',
      missingAbility: 'check whether a digest arrived in a public channel when Slack doesn’t answer',
    },
    'groups:history': {
      purpose: 'to check the same in a private channel that the bot was invited to',
      missingAbility: 'check whether a digest arrived in a private channel when Slack doesn’t answer',
    },
    'files:write': {
      purpose: 'to show the week as a picture',
      missingAbility: 'show the week as a picture',
    },
  },
  events: DIGEST_EVENTS,
  actions: {
    ...form.actions,
    ...createListHandlers((call, digest) => form.openForm(call, { prefill: { digest } })),
    ...noticeHandlers,
    [NEW_DIGEST_ACTION]: { deed: 'open the digest form', run: (call) => form.openForm(call) },
  },
};

async function onDigestCommand(call: CommandCall): Promise<void> {
  const command = parseDigestCommand(call.text);
  switch (command.kind) {
    case 'new':
      return form.openForm(call);
    case 'list':
      return (await shouldOpenForm(call))
        ? form.openForm(call)
        : call.reply(await createDigestListMessage(call));
    case 'now':
      return call.reply(await createSendNowMessage(call));
    case 'set': {
      const result = await saveFromCommand(call, command);
      // A message in a thread has no trigger, so a button opens the form.
      if ('prefill' in result && call.trigger === undefined) return call.reply(renderFormOffer());
      return 'prefill' in result ? form.openForm(call, result) : call.reply(result);
    }
  }
}

/** Whether `/upnext digest` opens the form instead of an empty list. A form can only be opened with a trigger. */
async function shouldOpenForm(call: CommandCall): Promise<boolean> {
  const { actor, channel } = call;
  if (call.trigger === undefined || call.text !== '') return false;
  const visibleDigests = await call.context.digests.list({
    workspace: actor.workspace,
    channel: isChannelId(channel) ? channel : actor.user,
  });
  return visibleDigests.digests.length + visibleDigests.unreadableCount === 0;
}
