import type { AnyBlock, KnownBlock, ModalView } from '@slack/types';
import { actions, button, context, plain, quoted, section } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';
import { PRACTICE_NOTICE } from '../slack/practice.ts';
import { actionId, blockId, type Field, type Fields, formMetadata, type Generations } from './field.ts';
import type { Confirmation, Form, State } from './form.ts';
import { IS_LAST, type Loaded } from './loaded.ts';

/** Everything that a form shows beside its own state. */
interface Shown {
  formId: string;
  generations: Generations;
  state: State;
  practice: boolean;
  /** What happened, on top; mrkdwn. */
  banner?: string;
  /** What the service said besides, below that; plain text. */
  others?: string;
  /** What the service found wrong, under its field; plain text. */
  warnings?: Readonly<Partial<Record<string, string>>>;
}

/** The names of a form's own actions and of its second view. */
export const RELOAD = 'reload';
export const BACK = 'back';
export const CONFIRM = 'confirm';

/** The title of a form that is not there yet. */
const BEFORE = 'One moment…';

/** Titles, buttons and ids: all that a view needs of a form. */
type Named = Pick<Form<Fields, Loaded, unknown>, 'name' | 'version' | 'title' | 'before' | 'command'>;

/** Shown at once, within the three seconds of the trigger. */
export function loadingView(form: Named, text: string, retry?: { formId: string }): ModalView {
  const again = retry ? [actions(button('Try again', actionId(form.name, RELOAD), retry.formId))] : [];
  return {
    type: 'modal',
    title: plain(form.before ?? BEFORE, LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [section(text), ...again],
  };
}

export function formView(form: Form, shown: Shown): ModalView {
  const { state, banner, others = '' } = shown;
  const send = typeof form.send === 'function' ? form.send(state) : (form.send ?? 'Send');
  const foot = [
    ...(form.foot === undefined ? [] : [form.foot]),
    ...(shown.practice ? [PRACTICE_NOTICE] : []),
  ];
  return {
    type: 'modal',
    callback_id: form.name,
    private_metadata: formMetadata(form.version, shown.formId),
    title: plain(form.title, LIMITS.viewTitle),
    submit: plain(send, LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...(banner === undefined ? [] : [section(banner)]),
      ...(others === '' ? [] : [quoted(others)]),
      ...(state.facts.isLast ? [context(plain(IS_LAST))] : []),
      ...(form.head?.(state) ?? []),
      ...fieldBlocks(form, shown),
      ...(foot.length === 0 ? [] : [context(...foot)]),
    ],
  };
}

function fieldBlocks(form: Form, { state, generations, warnings = {} }: Shown): AnyBlock[] {
  const hidden: readonly string[] = form.hidden?.(state) ?? [];
  const under: Readonly<Record<string, readonly KnownBlock[] | undefined>> = form.under?.(state) ?? {};
  return Object.entries(form.fields)
    .filter(([name]) => !hidden.includes(name))
    .flatMap(([name, field]) => [
      inputBlock(form.name, name, field, { state, generations }),
      ...(under[name] ?? []).map((block, index) => ({
        ...block,
        block_id: `${name}-under-${index}.${generations[name] ?? 0}`,
      })),
      ...(warnings[name] === undefined ? [] : [context(plain(`⚠️ ${warnings[name]}`))]),
    ]);
}

function inputBlock(
  form: string,
  name: string,
  field: Field<unknown>,
  { state, generations }: { state: State; generations: Generations },
): AnyBlock {
  const { facts: loaded, now, typed } = state;
  const instead = field.instead?.(loaded);
  if (instead !== undefined) {
    const shown = { block_id: `${name}-shown.${generations[name] ?? 0}` };
    return { ...context(plain(instead)), ...shown };
  }
  return {
    type: 'input',
    block_id: blockId(name, generations),
    label: plain(field.label, LIMITS.inputLabel),
    element: field.element({ actionId: actionId(form, name), value: typed[name], loaded, now }),
    optional: field.optional,
    ...(field.live && { dispatch_action: true }),
    ...(field.hint !== undefined && { hint: plain(field.hint, LIMITS.inputHint) }),
  };
}

/** A second look, before it is sent; [Back] brings the form with every word. */
export function confirmationView(form: Named, formId: string, confirmation: Confirmation): ModalView {
  return {
    type: 'modal',
    callback_id: actionId(form.name, CONFIRM),
    private_metadata: formMetadata(form.version, formId),
    title: plain(confirmation.title, LIMITS.viewTitle),
    submit: plain(confirmation.send, LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [...confirmation.blocks, actions(button('Back', actionId(form.name, BACK), formId))],
  };
}

/** Nothing of a form that is not understood whole is sent; its words are shown, so that they can be copied. */
export function outdatedView(form: Named, words: readonly string[]): ModalView {
  const kept = words.length === 0 ? [] : [section('Your text, to copy:'), ...words.map(quoted)];
  return {
    type: 'modal',
    title: plain(form.title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      section(`*This form is out of date, so nothing was sent.*\nType \`${form.command}\` for a new one.`),
      ...kept,
    ],
  };
}
