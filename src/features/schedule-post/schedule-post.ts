import type { Role } from '../../access/roles.ts';
import type { ActionCall, Attempt, Feature } from '../../slack/feature.ts';
import { chosenOption } from '../../slack/view-values.ts';
import type { Parts } from '../../submissions/parts.ts';
import { checkPost, fixPost, scheduleAnother, sharePost } from './after-sending.ts';
import { actionId, blockId, FORM, generationOf } from './form/fields.ts';
import { RELOAD } from './form/form.ts';
import { showWhen, warmUpWhen } from './live-when.ts';
import { openForm } from './open-form.ts';
import { projectSearch, templateOptions, zoneOptions } from './options.ts';
import { ANOTHER, CHECK, FIX, SHARE } from './sent/sent-views.ts';
import { keptFacts } from './standing-form.ts';
import { submitForm } from './submit-form.ts';

/** A post, scheduled or saved as a draft. */
export const schedulePost: Feature<Parts, Role> = {
  name: 'schedule-post',
  commands: [
    {
      name: 'schedule',
      aliases: ['post', 'new', 'draft'],
      summary: 'Schedule a post, or save a draft',
      usage: '',
      examples: ['/schedule-post'],
      ownCommand: '/schedule-post',
      run: (call) => openForm(call, { ...(call.channel !== undefined && { channel: call.channel }) }),
    },
  ],
  role: roleFor,
  open: (call, prefill) =>
    openForm(call, {
      ...(call.channel !== undefined && { channel: call.channel }),
      ...(prefill.project !== undefined && {
        prefill: { project: { id: prefill.project, name: prefill.project } },
      }),
    }),
  warmUp: warmUpWhen,
  views: { [FORM]: submitForm },
  actions: {
    [actionId('when')]: showWhen,
    [actionId('zone')]: showWhen,
    [RELOAD]: reload,
    [CHECK]: checkPost,
    [SHARE]: sharePost,
    [ANOTHER]: scheduleAnother,
    [FIX]: fixPost,
  },
  options: {
    [actionId('zone')]: zoneOptions,
    [actionId('project')]: projectSearch,
    [actionId('template')]: templateOptions,
  },
};

/** A draft needs an author, what goes out by itself a publisher. */
function roleFor(attempt: Attempt): Role {
  if (attempt.surface !== 'view') return 'author';
  const status = chosenOption(attempt.values, blockId('status', generationOf(Object.keys(attempt.values))));
  return status?.value === 'DRAFT' ? 'author' : 'publisher';
}

/** [Try again] on a form that could not be filled. */
async function reload(call: ActionCall<Parts>): Promise<void> {
  const facts = await keptFacts(call, call.action.value ?? '');
  await openForm(call, facts ?? {}, call.view ? { viewId: call.view.id } : {});
}
