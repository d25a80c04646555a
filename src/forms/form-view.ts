import type { AnyBlock, KnownBlock, ModalView } from '@slack/types';
import { toPlainName } from '../api/problems.ts';
import { renderPostTime } from '../posts/post-time.ts';
import {
  actions,
  button,
  context,
  escapeText,
  plain,
  plainSection,
  section,
  withConfirmation,
} from '../slack/blocks.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import { LIMITS } from '../slack/limits.ts';
import { buildModal } from '../slack/message-view.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import { getProblems, type Problem, type ServiceRefusal } from '../submissions/content.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import { renderProblems } from '../submissions/text/render-submission.ts';
import { renderUnsavedBanner, type UnsavedReason } from '../submissions/text/state-blocks.ts';
import { clip } from '../words.ts';
import type { SubmittedForm } from './current-form.ts';
import {
  type BlockVersions,
  buildActionId,
  buildBlockId,
  buildLowerBlockId,
  type Field,
  type Fields,
  incrementBlockVersions,
  isInput,
  isOptional,
  showsError,
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
  const footer = typeof form.footer === 'function' ? form.footer(state) : [form.footer ?? []].flat();
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
      ...(footer.length === 0 ? [] : [context(...footer)]),
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
  const firstFields: readonly string[] = form.findFirstFields?.(state) ?? [];
  return Object.entries(form.fields)
    .filter(([name]) => !hiddenFields.includes(name))
    .toSorted(([one], [two]) => Number(firstFields.includes(two)) - Number(firstFields.includes(one)))
    .flatMap(([name, field]) => [
      renderInputBlock(form, name, field, { ...content, isRequired: requiredFields.includes(name) }),
      ...(blocksBelow[name] ?? []).map((block, index) => ({
        ...block,
        block_id: buildLowerBlockId(name, index, blockVersions[name] ?? 0, block.block_id),
      })),
      ...(warnings[name] === undefined || showsError(blocksBelow[name] ?? [], warnings[name])
        ? []
        : [context(plain(`⚠️ ${warnings[name]}`))]),
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

/** Renders the form of a submission that was refused after its view was closed. */
export function renderRefusedForm(
  form: Form,
  state: FormState,
  { row, refusal }: { row: SubmissionRow; refusal: ServiceRefusal },
): ModalView {
  const view = renderFormView(form, {
    formId: row.origin,
    state,
    blockVersions: computeRebuiltVersions(form.fields, row),
    ...renderRefusal(refusal, form, state),
  });
  // The view may be on top of the submitted form.
  return { ...view, clear_on_close: true };
}

/** More block versions than a form can reach while somebody fills it in. */
const BLOCK_VERSIONS_PER_REVISION = 1_000;
/** Limits block versions to the five digits that `parseBlockVersions` accepts. */
const MAX_REVISIONS = 90;

/** Computes block versions that the form hasn't had yet. With an earlier block_id, Slack would show the earlier value. */
function computeRebuiltVersions(fields: Fields, { revision }: SubmissionRow): BlockVersions {
  const blockVersion = BLOCK_VERSIONS_PER_REVISION * (1 + (revision % MAX_REVISIONS));
  return Object.fromEntries(Object.keys(fields).map((field) => [field, blockVersion]));
}

/** Maximum length, in UTF-16 units, of all messages under one field together. */
const MAX_MESSAGE_LENGTH = 500;

const TEXT_PRESERVED_NOTE = 'Your text is still here.';

/** Groups the service's problems by field. `otherProblems` are the problems that belong to no shown field. */
export function groupProblemsByField(
  refusal: ServiceRefusal,
  fields: Fields,
  formContext: FormContext,
): { warnings: Record<string, string>; otherProblems: readonly Problem[] } {
  const warnings = new Map<string, string>();
  const otherProblems: Problem[] = [];
  for (const problem of getProblems(refusal)) {
    const field = findField(fields, problem);
    if (field !== undefined && isInput(fields[field], formContext)) {
      const earlierText = warnings.get(field);
      const text = earlierText === undefined ? problem.message : `${earlierText} ${problem.message}`;
      warnings.set(field, clip(text, MAX_MESSAGE_LENGTH));
    } else otherProblems.push(problem);
  }
  return { warnings: Object.fromEntries(warnings), otherProblems };
}

/** Renders the messages of a form that is shown again because a submission was refused or not saved. */
export function renderRefusal(
  refusal: ServiceRefusal | UnsavedReason,
  form: Pick<Form, 'fields' | 'check' | 'onSubmit' | 'findRefusedPart'>,
  state: FormState,
): Required<Pick<FormViewContent, 'banner' | 'generalMessages' | 'warnings'>> {
  if (typeof refusal === 'string')
    return { banner: renderUnsavedBanner(refusal), generalMessages: '', warnings: {} };
  const { warnings, otherProblems } = groupProblemsByField(refusal, form.fields, state.formContext);
  const notFoundText =
    refusal.kind === 'refused' && refusal.status === 404 ? findNotFoundText(form, state) : undefined;
  return {
    banner: renderBanner(refusal, {
      fieldCount: Object.keys(warnings).length,
      notFoundText,
      part: form.findRefusedPart?.(state),
    }),
    generalMessages: renderProblems(otherProblems),
    warnings,
  };
}

/** Finds what a 404 means for what the form sends; plain text. */
function findNotFoundText(
  { check, onSubmit }: Pick<Form, 'check' | 'onSubmit'>,
  state: FormState,
): string | undefined {
  const checked = check(state);
  return 'kind' in onSubmit && checked.kind === 'valid'
    ? onSubmit.kind.copy.renderNotFound?.(checked.contents[0])
    : undefined;
}

/** Renders a submitted form again. Replaced fields, or all if another view has replaced the form, get new block ids. */
export function renderAgain(
  form: Form,
  { formId, state, blockVersions, replacedFields, isFormShown }: SubmittedForm,
  content: Partial<FormViewContent>,
): ModalView {
  const rebuiltFields = isFormShown ? replacedFields : Object.keys(form.fields);
  return renderFormView(form, {
    ...{ formId, state, blockVersions: incrementBlockVersions(blockVersions, rebuiltFields) },
    ...content,
  });
}

/**
 * Renders a submitted form again because a submission was refused or not saved. `rebuilt`: another view has replaced the
 * form, so the fields get new block ids.
 */
export function renderRefusedAgain(
  form: Form,
  submitted: SubmittedForm,
  reason: ServiceRefusal | UnsavedReason,
  mode: 'current' | 'rebuilt',
): ModalView {
  const { isFormShown, state } = submitted;
  const shownForm = { ...submitted, isFormShown: isFormShown && mode === 'current' };
  const view = renderAgain(form, shownForm, renderRefusal(reason, form, state));
  return isFormShown ? view : { ...view, clear_on_close: true };
}

/** Finds the errors of a refused form by block id. Undefined if a problem belongs to no field of the open view. */
export function findFieldErrors(
  { fields }: Form,
  submitted: SubmittedForm,
  refusal: ServiceRefusal,
): Record<string, string> | undefined {
  const { state, hiddenFields, replacedFields, isFormShown } = submitted;
  const { warnings, otherProblems } = groupProblemsByField(refusal, fields, state.formContext);
  const fieldNames = Object.keys(warnings);
  const absentFields = [...hiddenFields, ...replacedFields];
  const areShown = isFormShown && !fieldNames.some((name) => absentFields.includes(name));
  if (!areShown || otherProblems.length > 0 || fieldNames.length === 0) return undefined;
  return mapToBlockIds(warnings, submitted);
}

/** Converts messages by field into messages by block_id. */
export function mapToBlockIds(
  messages: Readonly<Record<string, string>>,
  { blockVersions }: Pick<SubmittedForm, 'blockVersions'>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).map(([field, text]) => [buildBlockId(field, blockVersions), text]),
  );
}

/**
 * Finds the form field for a problem: the first name in its location that is an API field of the form. The location may
 * begin with other names, such as `body` and `post`.
 */
function findField(fields: Fields, { field, loc }: Problem): string | undefined {
  const names = [...loc, field].flatMap((name) => (typeof name === 'string' ? toPlainName(name) : []));
  const findByName = (name: string) =>
    Object.keys(fields).find((formField) =>
      fields[formField]?.apiFields.some((apiField) => toPlainName(apiField) === name),
    );
  return names.map(findByName).find((formField) => formField !== undefined);
}

function renderBanner(
  refusal: ServiceRefusal,
  {
    fieldCount,
    notFoundText,
    part,
  }: { fieldCount: number; notFoundText: string | undefined; part: string | undefined },
): string {
  const title = `:warning: *${part === undefined ? '' : `${escapeText(part)}: `}Not sent.*`;
  if (refusal.kind !== 'invalid')
    return `${title} ${notFoundText === undefined ? renderServiceFailure(refusal) : escapeText(notFoundText)}\n${TEXT_PRESERVED_NOTE} Press the button to try again.`;
  const countText =
    fieldCount === 0
      ? ''
      : ` ${fieldCount === 1 ? 'One field needs' : `${fieldCount} fields need`} a change.`;
  return `${title} The service didn’t accept this.${countText}\n${TEXT_PRESERVED_NOTE}`;
}
