import type { Role } from '../../access/access.ts';
import type { CommandCall } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { RESUME_OUTSIDE } from './check-resume.ts';
import { digestForm } from './digest-form.ts';
import { NEW, openFormMessage, PRESSES, pressId } from './digest-messages.ts';
import { parseDigestCommand } from './parse-digest-command.ts';
import { createDigestList, events, listActions, noticeActions } from './presses.ts';
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
      opensForm: (words) => parseDigestCommand(words).kind === 'new',
      run,
    },
  ],
  role: roleFor,
  open: form.open,
  scopes: {
    'channels:read': 'to see whether it can post in a channel, and who reads it',
    'groups:read': 'to see the same of a private channel that it was invited to, and who is in it',
    'channels:history': 'to find a digest again of which Slack did not say whether it was posted',
    'groups:history': 'to find the same in a private channel that it was invited to',
    'files:write': 'to show the week as a picture',
  },
  events,
  views: form.views,
  actions: {
    ...form.actions,
    ...listActions((call, digest) => form.openForm(call, { prefill: { digest } })),
    ...noticeActions,
    [NEW]: (call) => form.openForm(call),
  },
  options: form.options,
};

/** Personal digests need a viewer; digests of a channel need a manager. */
function roleFor(attempt: Attempt): Role {
  switch (attempt.surface) {
    case 'command': {
      const words = parseDigestCommand(attempt.words);
      return words.kind === 'set' && !words.isMine ? 'manager' : 'viewer';
    }
    case 'view': {
      const where = Object.keys(attempt.values).find((id) => id.startsWith('where.'));
      const chosen = where === undefined ? undefined : getChosenOption(attempt.values, where)?.value;
      return chosen === 'me' ? 'viewer' : 'manager';
    }
    case 'action': {
      if (attempt.id === RESUME_OUTSIDE) return 'owner';
      const isRunning = PRESSES.some((press) => press !== 'preview' && pressId(press, false) === attempt.id);
      return isRunning ? 'manager' : 'viewer';
    }
    default:
      return 'viewer';
  }
}

async function run(call: CommandCall): Promise<void> {
  const words = parseDigestCommand(call.words);
  switch (words.kind) {
    case 'new':
      return form.openForm(call);
    case 'list':
      return (await isFirstDigest(call)) ? form.openForm(call) : call.reply(await createDigestList(call));
    case 'set': {
      const outcome = await saveFromCommand(call, words);
      // A message in a thread has no trigger, so a button opens the form.
      if (outcome.kind === 'form' && call.trigger === undefined) return call.reply(openFormMessage());
      return outcome.kind === 'message'
        ? call.reply(outcome.message)
        : form.openForm(call, { prefill: outcome.prefill });
    }
  }
}

/** Whether `/upnext digest` opens the form, because there is nothing to list and a trigger to open it with. */
async function isFirstDigest(call: CommandCall): Promise<boolean> {
  const { actor, channel } = call;
  if (call.trigger === undefined || call.words !== '') return false;
  const isChannel = channel !== undefined && /^[CG]/.test(channel);
  const there = await call.context.digests.list({
    workspace: actor.workspace,
    channel: isChannel ? channel : actor.user,
  });
  return there.digests.length + there.unreadable === 0;
}
