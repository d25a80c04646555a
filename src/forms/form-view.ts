import type { AnyBlock, KnownBlock, ModalView } from '@slack/types';
import { renderPostTime } from '../posts/post-time.ts';
import { actions, button, context, plain, plainSection, section, withConfirmation } from '../slack/blocks.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import { LIMITS } from '../slack/limits.ts';
import { buildModal } from '../slack/message-view.ts';
import {
  type BlockVersions,
  buildActionId,
  buildBlockId,
  type Field,
  type Fields,
  isOptional,
} from './field.ts';
import type { Confirmation, Form, FormState } from './form.ts';
import { type FormContext, FROM_CACHE_NOTICE } from './form-context.ts';
import { buildFormMetadata, type UnfinishedOffer } from './stored-form.ts';

interface FormViewContent {
  formId: string;
  blockVersions: BlockVersions;
  state: FormState;
  /** Whether this is the first render of the form, which sets the focus. Defaults to false. */
  isOpening?: boolean;
  /** The offer to continue an earlier form. */
  offer?: UnfinishedOffer | undefined;
  /** A message about the last submission, shown at the top; mrkdwn. */
  banner?: string;
  /** The service's error messages that don't belong to any field of the form, shown below the banner; plain text. */
  generalMessages?: string;
  /** The service's error messages by field; plain text. */
  warnings?: Readonly<Partial<Record<string, string>>>;
}

/** Name of the [Try again] button in its action_id. */
export const RELOAD = 'reload';
export const CONTINUE = 'continue';
export const DISCARD = 'discard';
/** Name of the confirmation view in its callback_id. */
export const CONFIRM = 'confirm';

/** The properties of a form that are needed for a view without fields. */
type FormHead = Pick<Form<Fields, FormContext, unknown>, 'name' | 'version' | 'title' | 'command'>;

export const LOADING_TITLE = 'Loading…';

/** Renders the view that is open while the form loads. Slack's trigger expires after three seconds. */
export function renderLoadingView(): ModalView {
  return buildModal(LOADING_TITLE, [section('Loading…')], 'Cancel');
}

/** Renders the view that says why the form isn't there (mrkdwn), with a button that opens it again. */
export function renderRetryView(form: FormHead, formId: string, text: string, title = form.title): ModalView {
  const retryButton = button('Try again', buildActionId(form.name, RELOAD), formId);
  return buildModal(title, [section(text), actions(retryButton)], 'Cancel');
}

export function renderFormView(form: Form, content: FormViewContent): ModalView {
  const { state, banner, generalMessages = '' } = content;
  const submitLabel =
    typeof form.submitLabel === 'function' ? form.submitLabel(state) : (form.submitLabel ?? 'Send');
  return {
    type: 'modal',
    callback_id: form.name,
    private_metadata: buildFormMetadata(form.version, content.formId),
    title: plain(form.findTitle?.(state) ?? form.title, LIMITS.viewTitle),
    submit: plain(submitLabel, LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...(banner === undefined ? [] : [section(banner)]),
      ...(generalMessages === '' ? [] : [plainSection(generalMessages)]),
      ...(state.formContext.isFromCache ? [context(plain(FROM_CACHE_NOTICE))] : []),
      ...(content.offer ? renderUnfinishedOffer(form, content.offer, state) : []),
      ...(form.renderAboveFields?.(state) ?? []),
      ...renderFieldBlocks(form, content),
      ...(form.footer === undefined ? [] : [context(form.footer)]),
    ],
  };
}

const REPLACE_DIALOG = {
  title: 'Replace what you’ve typed?',
  text: 'I’ll keep it, and offer it the next time you open the form.',
  confirm: 'Replace',
};

function renderUnfinishedOffer(
  form: Pick<Form, 'name' | 'unfinished'>,
  { formId, excerpt, savedAt, hasEarlier = false }: UnfinishedOffer,
  state: FormState,
): KnownBlock[] {
  const { formContext, now } = state;
  const noun = form.unfinished?.noun;
  const { actorZone = 'UTC', actorLocale: locale } = formContext;
  const continueButton = button('Continue', buildActionId(form.name, CONTINUE), formId, 'primary');
  const hasTypedText = form.unfinished !== undefined && form.unfinished.getText(state) !== '';
  const savedTime = renderPostTime({ instant: new Date(savedAt), zone: actorZone }, { locale }, now);
  return [
    section(
      `You have an unsaved ${noun} from *${savedTime.mrkdwn}*${hasEarlier ? ', and an earlier one' : ''}.`,
    ),
    context(plain(excerpt)),
    actions(
      hasTypedText ? withConfirmation(continueButton, REPLACE_DIALOG) : continueButton,
      withConfirmation(button('Discard', buildActionId(form.name, DISCARD), formId), {
        title: `Discard your unsaved ${noun}?`,
        text: 'You can’t undo this.',
        confirm: 'Discard',
        style: 'danger',
      }),
    ),
  ];
}

function renderFieldBlocks(form: Form, content: FormViewContent): AnyBlock[] {
  const { state, blockVersions, warnings = {} } = content;
  const hiddenFields = (form.findHiddenFields?.(state) ?? []).filter((name) => warnings[name] === undefined);
  const requiredFields: readonly string[] = form.findRequiredFields?.(state) ?? [];
  const blocksBelow: Readonly<Record<string, readonly KnownBlock[] | undefined>> =
    form.renderBelowFields?.(state) ?? {};
  return Object.entries(form.fields)
    .filter(([name]) => !hiddenFields.includes(name))
    .flatMap(([name, field]) => [
      renderInputBlock(form, name, field, { ...content, isRequired: requiredFields.includes(name) }),
      ...(blocksBelow[name] ?? []).map((block, index) => ({
        ...block,
        block_id: `${name}-under-${index}.${blockVersions[name] ?? 0}`,
      })),
      ...(warnings[name] === undefined ? [] : [context(plain(`⚠️ ${warnings[name]}`))]),
    ]);
}

function renderInputBlock(
  form: Form,
  name: string,
  field: Field<unknown>,
  { state, blockVersions, isRequired, isOpening }: FormViewContent & { isRequired: boolean },
): AnyBlock {
  const { formContext, now, values } = state;
  const fixedText = field.renderFixedText?.(formContext);
  if (fixedText !== undefined) {
    const blockIdProperty = { block_id: `${name}-shown.${blockVersions[name] ?? 0}` };
    return { ...context(plain(fixedText)), ...blockIdProperty };
  }
  const element = field.renderElement({
    actionId: buildActionId(form.name, name),
    value: values[name],
    formContext,
    now,
  });
  return {
    type: 'input',
    block_id: buildBlockId(name, blockVersions),
    label: plain(field.renderLabel?.(formContext) ?? field.label, LIMITS.inputLabel),
    element: {
      ...element,
      ...(isOpening && name === form.findFocusedField?.(state) && { focus_on_load: true }),
    },
    optional: isOptional(field, isRequired),
    ...(field.isLive && { dispatch_action: true }),
    ...(field.hint !== undefined && { hint: plain(field.hint, LIMITS.inputHint) }),
  };
}

/** Renders the confirmation, which is opened on top of the form. [Back] returns to the form with all its values. */
export function renderConfirmationView(
  form: FormHead,
  formId: string,
  confirmation: Confirmation,
): ModalView {
  return {
    type: 'modal',
    callback_id: buildActionId(form.name, CONFIRM),
    private_metadata: buildFormMetadata(form.version, formId),
    title: plain(confirmation.title, LIMITS.viewTitle),
    submit: plain(confirmation.submitLabel, LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: [...confirmation.blocks],
  };
}

/** Renders the answer to a late copy of a form that its feature has handled. */
export function renderHandledView({ title }: FormHead): ModalView {
  return buildModal(title, [section('*I already have this form.* Nothing was changed again.')]);
}

/** Renders the view that replaces an outdated form. The view shows the typed text for copying, except secrets. */
export function renderOutdatedView(form: FormHead & Pick<Form, 'fields'>, values: ViewValues): ModalView {
  const secretIds = Object.entries(form.fields).flatMap(([name, { isSecret }]) =>
    isSecret ? [buildActionId(form.name, name)] : [],
  );
  const texts = Object.values(values)
    .flatMap((block) => Object.entries(block))
    .filter(([id, { type }]) => type === 'plain_text_input' && !secretIds.includes(id))
    .flatMap(([, { value }]) =>
      value === null || value === undefined || value.trim() === '' ? [] : [value],
    );
  const copyableText = texts.length === 0 ? [] : [section('Your text, to copy:'), ...texts.map(plainSection)];
  return buildModal(form.title, [
    section(`*This form is out of date. Nothing was sent.*\nType \`${form.command}\` for a new one.`),
    ...copyableText,
  ]);
}
