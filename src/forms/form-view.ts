import type { AnyBlock, KnownBlock, ModalView } from '@slack/types';
import { actions, button, context, plain, plainSection, section } from '../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../slack/emulator-notice.ts';
import { LIMITS } from '../slack/limits.ts';
import { actionId, blockId, type Field, type Fields, formMetadata, type Generations } from './field.ts';
import type { Confirmation, Form, State } from './form.ts';
import { type FormContext, FROM_CACHE_NOTICE } from './form-context.ts';

/** What the view of a form is rendered from. */
interface FormViewInput {
  formId: string;
  generations: Generations;
  state: State;
  practice: boolean;
  /** What happened, shown at the top; mrkdwn. */
  banner?: string;
  /** The service's messages that name no field of the form, shown below the banner; plain text. */
  others?: string;
  /** The service's messages by field; plain text. */
  warnings?: Readonly<Partial<Record<string, string>>>;
}

/** The names of the actions that every form has, and of its confirmation view. */
export const RELOAD = 'reload';
export const BACK = 'back';
export const CONFIRM = 'confirm';

const DEFAULT_LOADING_TITLE = 'One moment…';

/** The properties of a form that views without fields need. */
type FormHead = Pick<
  Form<Fields, FormContext, unknown>,
  'name' | 'version' | 'title' | 'loadingTitle' | 'command'
>;

/** Shown at once, before the trigger expires after three seconds. */
export function loadingView(form: FormHead, text: string, retry?: { formId: string }): ModalView {
  const again = retry ? [actions(button('Try again', actionId(form.name, RELOAD), retry.formId))] : [];
  return {
    type: 'modal',
    title: plain(form.loadingTitle ?? DEFAULT_LOADING_TITLE, LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [section(text), ...again],
  };
}

export function formView(form: Form, shown: FormViewInput): ModalView {
  const { state, banner, others = '' } = shown;
  const send = typeof form.send === 'function' ? form.send(state) : (form.send ?? 'Send');
  const footer = [
    ...(form.footer === undefined ? [] : [form.footer]),
    ...(shown.practice ? [EMULATOR_NOTICE] : []),
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
      ...(others === '' ? [] : [plainSection(others)]),
      ...(state.formContext.isFromCache ? [context(plain(FROM_CACHE_NOTICE))] : []),
      ...(form.head?.(state) ?? []),
      ...fieldBlocks(form, shown),
      ...(footer.length === 0 ? [] : [context(...footer)]),
    ],
  };
}

function fieldBlocks(form: Form, { state, generations, warnings = {} }: FormViewInput): AnyBlock[] {
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
  const { formContext, now, typed } = state;
  const fixedText = field.fixedText?.(formContext);
  if (fixedText !== undefined) {
    const shown = { block_id: `${name}-shown.${generations[name] ?? 0}` };
    return { ...context(plain(fixedText)), ...shown };
  }
  return {
    type: 'input',
    block_id: blockId(name, generations),
    label: plain(field.label, LIMITS.inputLabel),
    element: field.element({ actionId: actionId(form, name), value: typed[name], formContext, now }),
    optional: field.optional,
    ...(field.live && { dispatch_action: true }),
    ...(field.hint !== undefined && { hint: plain(field.hint, LIMITS.inputHint) }),
  };
}

/** Asks for confirmation before the form is sent. [Back] returns to the form with all values. */
export function confirmationView(form: FormHead, formId: string, confirmation: Confirmation): ModalView {
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

/**
 * Replaces a form that can't be read whole. Nothing of it is sent; the typed text is shown so that it can be copied.
 */
export function outdatedView(form: FormHead, words: readonly string[]): ModalView {
  const stored = words.length === 0 ? [] : [section('Your text, to copy:'), ...words.map(plainSection)];
  return {
    type: 'modal',
    title: plain(form.title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      section(`*This form is out of date, so nothing was sent.*\nType \`${form.command}\` for a new one.`),
      ...stored,
    ],
  };
}
