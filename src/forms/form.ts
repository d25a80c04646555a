import type { KnownBlock, ModalView } from '@slack/types';
import type { RawBuilder } from 'kysely';
import type { RequiredRole } from '../access/access.ts';
import type { Call, SubmissionCall } from '../handlers/call.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import type { SubmissionKind } from '../submissions/kind.ts';
import type { FieldName, Fields, FormValues } from './field.ts';
import type { ContextLoader, FormContext } from './form-context.ts';

export interface FormState<F extends Fields = Fields, Context extends FormContext = FormContext> {
  values: FormValues<F>;
  formContext: Context;
  now: Date;
}

/** Changes of a form's state: values by field, or a new context. */
export interface FormChange<F extends Fields = Fields, Context extends FormContext = FormContext> {
  values?: Partial<FormValues<F>>;
  formContext?: Context;
}

/** The result of a check: contents to submit, one for each moment in the form, or errors by field (plain text). */
export type CheckResult<F extends Fields, Content> =
  | { kind: 'valid'; contents: readonly Content[] }
  | { kind: 'invalid'; errors: Partial<Record<FieldName<F>, string>> };

/** Submits one content. */
export function valid<Content>(content: Content): CheckResult<never, Content> {
  return { kind: 'valid', contents: [content] };
}

/** Refuses a submission. Without errors here, the required field that is missing has its own. */
export function invalid<F extends Fields>(
  errors: Partial<Record<FieldName<F>, string>>,
): CheckResult<F, never> {
  return { kind: 'invalid', errors };
}

/** The content of a second view, which asks for confirmation before the form is sent. */
export interface Confirmation {
  title: string;
  blocks: readonly KnownBlock[];
  /** The label of the submit button; at most 24 characters. */
  submitLabel: string;
}

/** What a receipt offers besides. */
export interface ReceiptOffer {
  blocks: readonly KnownBlock[];
  /** Lets a later receipt offer it, because this one wasn't sent. */
  withdraw(): Promise<void>;
}

/** The action of a submitted valid form: creates submissions to the service, or calls a function of the feature. */
export type SubmitAction<F extends Fields, Context extends FormContext, Content> =
  | {
      kind: SubmissionKind<Content>;
      /**
       * Returns the initial values for reopening the form from a stored submission, and any further prefill that
       * `contextLoader.load` needs.
       */
      toValues(content: Content): Partial<FormValues<F>> & Readonly<Record<string, unknown>>;
      /** Selects what `intercept` needs of the database. The statement that reads the submitted form reads it too. */
      selectWithForm?(call: Call, formId: string): RawBuilder<unknown>;
      /** Renders what a receipt offers besides. `id`: that of the first content's submission. */
      renderReceiptOffer?(
        call: SubmissionCall,
        first: { id: string; content: Content },
        state: FormState<F, Context>,
      ): Promise<ReceiptOffer | undefined>;
      /** Handles valid contents that aren't sent now. `send`: the contents are sent as usual. */
      intercept?(
        call: SubmissionCall,
        contents: readonly Content[],
        state: FormState<F, Context>,
        form: FormOrigin & { selected: Selected },
      ): Promise<FormAnswer<F, Context> | 'send'>;
    }
  | {
      /** Handles the content of a form that sends nothing to the service. Such a form has one content. */
      respond(
        call: SubmissionCall,
        content: Content,
        state: FormState<F, Context>,
        form: FormOrigin,
      ): Promise<FormAnswer<F, Context>>;
    };

export interface Selected {
  value: unknown;
  /** When its statement began, ms on the monotonic clock. The service may have been asked for the form since. */
  at: number;
  /**
   * Whether a handler of the form was running when the submission came, or has begun before its contents are handled, in
   * this instance. It may have stored something else.
   */
  isOvertaken?: boolean;
}

export interface FormOrigin {
  formId: string;
  /** The channel that the form was opened from. */
  channel: string | undefined;
}

/** A feature's answer to a form: what keeps it open (errors, or with a `Context` a banner), or what replaces it. */
export type FormAnswer<F extends Fields = Fields, Context extends FormContext = never> =
  | KeptOpen<F, Context>
  /** Opens a view on top of the form. */
  | { push: ModalView }
  | { close: true }
  | {
      view: ModalView;
      /** Whether the typed values are stored nowhere else, so that they are offered again. Defaults to false. */
      isUnsaved?: boolean;
      /** Continues after the answer, if the view only says that the result follows. */
      finish?(): Promise<void>;
    };

/** What keeps a submitted form open, with all typed values. */
export type KeptOpen<F extends Fields = Fields, Context extends FormContext = FormContext> =
  /** Errors by field; plain text. */
  | { errors: Partial<Record<FieldName<F>, string>> }
  /** A message above the fields (mrkdwn), and the context that the next submission is checked with. */
  | { banner: string; formContext: Context };

interface SubmitLabelMethod<F extends Fields, Context extends FormContext> {
  renderSubmitLabel(state: FormState<F, Context>): string;
}

interface FooterMethod<F extends Fields, Context extends FormContext> {
  renderFooter(state: FormState<F, Context>): readonly string[];
}

interface ButtonMethod<F extends Fields, Context extends FormContext> {
  handleButton(value: string | undefined, state: FormState<F, Context>): FormChange<F, Context>;
}

/** Handles a button inside a form. Maps the button's value and the form's state to a change. Pure. */
export type ButtonHandler<
  F extends Fields = Fields,
  Context extends FormContext = FormContext,
> = ButtonMethod<F, Context>['handleButton'];

/** The offer of typed values after somebody closed a form without submitting it. */
interface Unfinished<F extends Fields, Context extends FormContext> {
  /** The noun for the content of the form, such as "post". */
  noun: string;
  /** Returns the typed text; '' if there is nothing to offer. */
  getText(state: FormState<F, Context>): string;
  toPrefill(state: FormState<F, Context>): Readonly<Record<string, unknown>>;
  /** Finds out whether the typed values are stored elsewhere than with the form's submissions. */
  isStored(
    call: Call,
    unfinished: {
      formId: string;
      prefill: Readonly<Record<string, unknown>>;
      /** When the values were typed, ISO 8601. */
      savedAt: string;
      /** Whether the same content that was sent in another form since counts too. Finding it takes a while. */
      searchesOthers: boolean;
    },
  ): Promise<boolean>;
}

/**
 * A form in Slack, as data and pure functions. The code of this folder adds what all forms share: a form opens before
 * the trigger expires, says when the service is slow, offers [Try again], preserves the typed text, and shows the
 * service's messages under its fields.
 *
 * The code that opens, renders or submits forms takes `Form` without type arguments, and passes it values that were
 * read with the form's own fields and schema. TypeScript allows that only for methods, whose parameters are compared
 * bivariantly. So every function with a state as parameter is declared as a method. For the same reason,
 * `submitLabel`, `footer` and `buttonHandlers` take their function types from the methods above.
 */
export interface Form<
  F extends Fields = Fields,
  Context extends FormContext = FormContext,
  Content = unknown,
> {
  /** The view's callback_id, and the prefix of all ids of the form. */
  readonly name: string;
  /**
   * Increment the version when a value changes its meaning. An open form of another version is reported as out of date, like
   * one that has an unknown field, or lacks one that isn't hideable.
   */
  readonly version: number;
  /** At most 24 characters. */
  readonly title: string;
  /** What the audit log calls the form, after "the": "post form". */
  readonly noun: string;
  /** The lowest role that may submit these values. Defaults to the role of the feature. */
  getSubmitRole?(values: ViewValues): RequiredRole;
  /** Finds another title for a form in this state. Defaults to `title`. */
  findTitle?(state: FormState<F, Context>): string | undefined;
  /** The label of the submit button, or a function of the state. Defaults to "Send". */
  readonly submitLabel?: string | SubmitLabelMethod<F, Context>['renderSubmitLabel'];
  /** The command that opens a new form, e.g. `/schedule-post`. */
  readonly command: string;
  readonly fields: F;
  /** Finds the field that has the focus when the form opens. Later updates of the view don't move the focus. */
  findFocusedField?(state: FormState<F, Context>): FieldName<F>;
  readonly contextLoader: ContextLoader<Context>;
  /** The fields that `findHiddenFields` may return. */
  readonly hideableFields?: readonly FieldName<F>[];
  /** Finds the fields that the view omits in this state. A field with a warning is shown anyway. */
  findHiddenFields?(state: FormState<F, Context>): readonly FieldName<F>[];
  /** Returns the context of a form that goes on showing these fields, which it shows because of an error. */
  showFields?(formContext: Context, names: readonly string[]): Context;
  /** Whether fields keep their latest values while a view omits them. Defaults to false: they are empty then. */
  readonly keepsHiddenValues?: boolean;
  /** Computes the values of fields that an open view omits. They replace kept ones. */
  computeHiddenValues?(hiddenFields: readonly string[], state: FormState<F, Context>): Partial<FormValues<F>>;
  /** Finds the fields that this state requires, among the fields that are otherwise optional. */
  findRequiredFields?(state: FormState<F, Context>): readonly FieldName<F>[];
  /** Names the part of the contents that a refusal is about; plain text. Undefined if it's about all of them. */
  findRefusedPart?(state: FormState<F, Context>): string | undefined;
  renderAboveFields?(state: FormState<F, Context>): readonly KnownBlock[];
  renderBelowFields?(state: FormState<F, Context>): Partial<Record<FieldName<F>, readonly KnownBlock[]>>;
  /** Finds the fields that come before all others in this state. */
  findFirstFields?(state: FormState<F, Context>): readonly FieldName<F>[];
  /** Small print at the bottom; mrkdwn. */
  readonly footer?: string | FooterMethod<F, Context>['renderFooter'];
  /**
   * Extends the context with data about the current values, read from Slack or from a cache. Runs before
   * `deriveChanges` and `check`, within the time limit of an acknowledgement. `isSubmitted`: the form is submitted, so what
   * only its view shows isn't needed.
   */
  refreshContext?(
    state: FormState<F, Context>,
    call: Call,
    form: { formId: string; isSubmitted?: boolean },
  ): Promise<Context>;
  /** Derives changes from the state, after prefilling and after a live field or a button has changed it. */
  deriveChanges?(state: FormState<F, Context>): FormChange<F, Context>;
  /** Handlers of the buttons inside the form. The key is the part of the action_id after the form's name. */
  readonly buttonHandlers?: Readonly<Record<string, ButtonHandler<F, Context>>>;
  /** Checks the state without network access. `check` need not repeat what `Field.validate` checks. */
  check(state: FormState<F, Context>): CheckResult<F, Content>;
  /**
   * Finds a field whose blocks below it are outdated in the open view, for example because time has passed. A submitted
   * form is then rendered again. An error would refer to buttons that the person can't see yet.
   */
  findFieldWithOutdatedBlocks?(state: FormState<F, Context>): FieldName<F> | undefined;
  /** Creates the confirmation to show before the contents are sent. Undefined if they are sent at once. */
  createConfirmation?(contents: readonly Content[], state: FormState<F, Context>): Confirmation | undefined;
  readonly onSubmit: SubmitAction<F, Context, Content>;
  /** Absent if the typed values of an unfinished form aren't stored. */
  readonly unfinished?: Unfinished<F, Context>;
}
