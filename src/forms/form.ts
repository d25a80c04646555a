import type { KnownBlock } from '@slack/types';
import type { Call, SubmissionCall } from '../app/call.ts';
import type { SubmissionKind } from '../submissions/kind.ts';
import type { FieldName, Fields, Typed } from './field.ts';
import type { ContextLoader, FormContext } from './form-context.ts';

/** The values of a form, its context, and the current time. */
export interface State<F extends Fields = Fields, Context extends FormContext = FormContext> {
  typed: Typed<F>;
  formContext: Context;
  now: Date;
}

/** Changes of a form's state: values by field, or a new context. */
export interface Change<F extends Fields = Fields, Context extends FormContext = FormContext> {
  typed?: Partial<Typed<F>>;
  formContext?: Context;
}

/** The result of a check: contents to submit, one for each moment of the form, or errors by field (plain text). */
export type Checked<F extends Fields, Content> =
  | { kind: 'good'; contents: readonly Content[] }
  | { kind: 'faulty'; errors: Partial<Record<FieldName<F>, string>> };

/** A second view that asks for confirmation before the form is sent. */
export interface Confirmation {
  title: string;
  blocks: readonly KnownBlock[];
  /** The label of the submit button; at most 24 characters. */
  send: string;
}

/** Where the contents of a valid form go: to the service as a submission, or to the feature itself. */
export type Destination<F extends Fields, Context extends FormContext, Content> =
  | {
      kind: SubmissionKind<Content>;
      /** Values by field for a form that reopens a stored submission; also whatever else `load` reads. */
      toTyped(content: Content): Partial<Typed<F>> & Readonly<Record<string, unknown>>;
    }
  | {
      /** Answers in the acknowledgement of the submission, with `call.answer` or `again`. */
      answer(
        call: SubmissionCall,
        content: Content,
        state: State<F, Context>,
        form: AnsweredForm<F>,
      ): Promise<void>;
    };

/** The form that a feature answers itself. */
interface AnsweredForm<F extends Fields> {
  /** The channel that the form was opened from. */
  channel: string | undefined;
  /** Keeps the form open with errors by field (plain text). */
  again(errors: Partial<Record<FieldName<F>, string>>): Promise<void>;
}

interface SendLabel<F extends Fields, Context extends FormContext> {
  send(state: State<F, Context>): string;
}

interface PressHandler<F extends Fields, Context extends FormContext> {
  press(value: string | undefined, state: State<F, Context>): Change<F, Context>;
}

/** Handles a button inside a form: from the button's value and the state to a change. Pure. */
export type Press<F extends Fields = Fields, Context extends FormContext = FormContext> = PressHandler<
  F,
  Context
>['press'];

/**
 * A form in Slack, as data and pure functions. All forms share the rest: they open before the trigger expires, say
 * when the service is slow, offer [Try again], preserve every typed word, and come back with warnings under their
 * fields.
 *
 * The code that opens, renders or submits forms takes `Form` without type arguments, and passes it values that were
 * read with the form's own fields and schema. TypeScript allows that only for methods, whose parameters are compared
 * bivariantly, so everything that takes a state is declared as a method, also `send` and `presses`.
 */
export interface Form<
  F extends Fields = Fields,
  Context extends FormContext = FormContext,
  Content = unknown,
> {
  /** The view's callback_id, and the prefix of all ids of the form. */
  readonly name: string;
  /** To be incremented when the fields change. An open form of another version is reported as out of date. */
  readonly version: number;
  /** At most 24 characters. */
  readonly title: string;
  /** The title until the form has loaded. Defaults to "One moment…". */
  readonly loadingTitle?: string;
  /** The label of the submit button, or a function of the state. Defaults to "Send". */
  readonly send?: string | SendLabel<F, Context>['send'];
  /** The command that opens a new form, e.g. `/schedule-post`. */
  readonly command: string;
  readonly fields: F;
  readonly contextLoader: ContextLoader<Context>;
  /** The fields that `hidden` may return. */
  readonly mayHide?: readonly FieldName<F>[];
  /** Fields that the view leaves out in this state. */
  hidden?(state: State<F, Context>): readonly FieldName<F>[];
  /** Blocks above the fields. */
  head?(state: State<F, Context>): readonly KnownBlock[];
  /** Blocks below a field. */
  under?(state: State<F, Context>): Partial<Record<FieldName<F>, readonly KnownBlock[]>>;
  /** Small print at the bottom; mrkdwn. */
  readonly footer?: string;
  /**
   * Adds to the context what Slack or a cache knows about the current values. Runs before `deriveChanges` and `check`,
   * within the time limit of an acknowledgement.
   */
  refreshContext?(state: State<F, Context>, call: Call): Promise<Context>;
  /** Changes that follow from the state after the form was filled, or a live field or a button changed it. */
  deriveChanges?(state: State<F, Context>): Change<F, Context>;
  /** Buttons inside the form, by the part of their action_id after the form's name. */
  readonly presses?: Readonly<Record<string, Press<F, Context>>>;
  /** Checks the state without network access. The fields' own errors are added to the result. */
  check(state: State<F, Context>): Checked<F, Content>;
  /**
   * The field whose blocks below it became outdated as time passed. If such a form is submitted, it is rendered again,
   * since an error would refer to text and buttons that the person can't see.
   */
  outdatedField?(state: State<F, Context>): FieldName<F> | undefined;
  /** The confirmation to show before the contents are sent; undefined to send them at once. */
  confirm?(contents: readonly Content[], state: State<F, Context>): Confirmation | undefined;
  readonly destination: Destination<F, Context, Content>;
}
