import type { ModalView } from '@slack/types';
import type { Form } from '../../forms/form.ts';
import { actorLoader, type ContextLoader, type FormContext } from '../../forms/form-context.ts';
import { checkboxesField } from '../../forms/inputs/choice.ts';
import {
  chooseNotifications,
  listChosenNotifications,
  type Notification,
} from '../../preferences/notifications.ts';
import { plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';

const TITLE = 'Notifications';
const ALWAYS_SENT_TEXT = 'I’ll always message you if a post wasn’t scheduled or needs your decision.';

/** The choices. `condition` completes the sentence “I’ll message you …”. */
const CHOICES: { value: Notification; name: string; condition: string }[] = [
  { value: 'published', name: 'When my posts go out', condition: 'when your posts go out' },
  {
    value: 'problems',
    name: 'When a post fails or may have failed',
    condition: 'when a post fails or may have failed',
  },
];

const fields = {
  chosen: checkboxesField({ label: 'Message me', choices: CHOICES, optional: true }),
};

/** Loads the actor's choices as initial values. */
const choicesLoader: ContextLoader<FormContext> = {
  schema: actorLoader.schema,
  async load(call, options) {
    const { workspace, user } = call.actor;
    const [result, chosen] = await Promise.all([
      actorLoader.load(call, options),
      listChosenNotifications(call.context.db, { workspace, user }),
    ]);
    return { ...result, prefill: { chosen: [...chosen] } };
  },
};

/** The form for the notifications that the actor gets. */
export const notificationsForm: Form<typeof fields, FormContext, readonly string[]> = {
  name: 'notifications',
  version: 1,
  noun: 'notification settings',
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext notifications',
  fields,
  contextLoader: choicesLoader,
  footer: ALWAYS_SENT_TEXT,
  check: ({ values }) => ({ kind: 'valid', contents: [values.chosen] }),
  onSubmit: {
    async respond(call, chosen) {
      const choice = { chosen, chosenAt: call.now() };
      await chooseNotifications(call.context.db, call.actor, choice);
      await call.answer({ view: buildSavedView(chosen) });
    },
  },
};

function buildSavedView(chosen: readonly string[]): ModalView {
  const conditions = CHOICES.filter(({ value }) => chosen.includes(value)).map(({ condition }) => condition);
  const text =
    conditions.length === 0
      ? 'I won’t message you after your posts’ times.'
      : `I’ll message you ${conditions.join(', and ')}.`;
  return {
    type: 'modal',
    title: plain(TITLE, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [section(`Saved. ${text}`), section(ALWAYS_SENT_TEXT)],
  };
}
