import type { Role } from '../../access/access.ts';
import type { CommandCall } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { DIGEST_EVENTS } from '../../digests/channel-events.ts';
import { createForm } from '../../forms/create-form.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { RESUME_OUTSIDE } from './check-resume.ts';
import { digestForm } from './digest-form.ts';
import { buildPressId, NEW, PRESSES, renderFormOffer } from './digest-messages.ts';
import { parseDigestCommand } from './parse-digest-command.ts';
import { createDigestList, createListActions, noticeActions } from './presses.ts';
import { saveFromCommand } from './save-from-command.ts';

const form = createForm(digestForm);

/** Scheduled summaries of upcoming posts, in a channel or as a direct message. */
export const digests: Feature = {
  name: 'digests',
  commands: [
    {
      name: 'digest',
      aliases: ['digests', 'summary', 'daily', 'morning'],
      summary: 'What goes out today and next, told here by itself',
      usage: '[days, time, zone, project] or [list|new]',
      examples: [
        '/upnext digest',
        '/upnext digest weekdays 8:30 in Europe/Berlin for Harbour Coffee',
        '/upnext digest me weekly monday 9:00',
      ],
      opensForm: (args) => parseDigestCommand(args).kind === 'new',
      run,
    },
  ],
  role: chooseRole,
  open: form.open,
  scopes: {
    'channels:read': 'to check whether the bot can write in a channel, and who reads it',
    'groups:read': 'to check the same for a private channel that the bot was invited to',
    'channels:history': 'to check whether a digest was sent after Slack did not answer',
    'groups:history': 'to check the same in a private channel that the bot was invited to',
    'files:write': 'to show the week as a picture',
  },
  events: DIGEST_EVENTS,
  views: form.views,
  actions: {
    ...form.actions,
    ...createListActions((call, digest) => form.openForm(call, { prefill: { digest } })),
    ...noticeActions,
    [NEW]: (call) => form.openForm(call),
  },
  options: form.options,
};

/** Chooses the role: viewer for personal digests, manager for digests of a channel. */
function chooseRole(attempt: Attempt): Role {
  switch (attempt.surface) {
    case 'command': {
      const command = parseDigestCommand(attempt.text);
      return command.kind === 'set' && !command.isMine ? 'manager' : 'viewer';
    }
    case 'view': {
      const whereField = Object.keys(attempt.values).find((id) => id.startsWith('where.'));
      const where = whereField === undefined ? undefined : getChosenOption(attempt.values, whereField)?.value;
      return where === 'me' ? 'viewer' : 'manager';
    }
    case 'action': {
      if (attempt.id === RESUME_OUTSIDE) return 'owner';
      const needsManager = PRESSES.some(
        (press) => press !== 'preview' && buildPressId(press, false) === attempt.id,
      );
      return needsManager ? 'manager' : 'viewer';
    }
    default:
      return 'viewer';
  }
}

async function run(call: CommandCall): Promise<void> {
  const command = parseDigestCommand(call.text);
  switch (command.kind) {
    case 'new':
      return form.openForm(call);
    case 'list':
      return (await isFirstDigest(call)) ? form.openForm(call) : call.reply(await createDigestList(call));
    case 'set': {
      const outcome = await saveFromCommand(call, command);
      // A message in a thread has no trigger, so a button opens the form.
      if (outcome.kind === 'form' && call.trigger === undefined) return call.reply(renderFormOffer());
      return outcome.kind === 'message'
        ? call.reply(outcome.message)
        : form.openForm(call, { prefill: outcome.prefill });
    }
  }
}

/** Whether `/upnext digest` opens the form: the actor sees no digest, and the command has a trigger to open a form. */
async function isFirstDigest(call: CommandCall): Promise<boolean> {
  const { actor, channel } = call;
  if (call.trigger === undefined || call.text !== '') return false;
  const isChannel = channel !== undefined && /^[CG]/.test(channel);
  const visibleDigests = await call.context.digests.list({
    workspace: actor.workspace,
    channel: isChannel ? channel : actor.user,
  });
  return visibleDigests.digests.length + visibleDigests.unreadableCount === 0;
}
