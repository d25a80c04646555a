import type { KnownBlock } from '@slack/types';
import type { Call, SubmissionCall } from '../app/call.ts';
import type { SubmissionKind } from '../submissions/kind.ts';
import type { FieldName, Fields, Typed } from './field.ts';
import type { Facts, Loaded } from './loaded.ts';

/** What stands in a form, what it rests on, and the moment at which somebody looks at it. */
export interface State<F extends Fields = Fields, Kept extends Loaded = Loaded> {
  typed: Typed<F>;
  facts: Kept;
  now: Date;
}

/** What changes beside what somebody has changed. */
export interface Change<F extends Fields = Fields, Kept extends Loaded = Loaded> {
  typed?: Partial<Typed<F>>;
  facts?: Kept;
}

/** What a form comes to: what is submitted, one for each of its moments, or what is wrong by field (plain text). */
export type Checked<F extends Fields, Content> =
  | { kind: 'good'; contents: readonly Content[] }
  | { kind: 'faulty'; errors: Partial<Record<FieldName<F>, string>> };

/** What is shown before it is sent, where a second look is worth it. */
export interface Confirmation {
  title: string;
  blocks: readonly KnownBlock[];
  /** The button that sends; at most 24 characters. */
  send: string;
}

/** Where what was checked goes: to the service by way of a submission, or to the feature itself. */
export type Ending<F extends Fields, Kept extends Loaded, Content> =
  | {
      kind: SubmissionKind<Content>;
      /** The words of a kept submission by field, for its form to open with, and what else `load` shall find. */
      typedOf(content: Content): Partial<Typed<F>> & Readonly<Record<string, unknown>>;
    }
  | {
      /** Answers the submission itself, in its acknowledgement: `call.answer`, or `again`. */
      answer(
        call: SubmissionCall,
        content: Content,
        state: State<F, Kept>,
        form: AnsweredForm<F>,
      ): Promise<void>;
    };

/** What an answer of a feature's own has of its form. */
interface AnsweredForm<F extends Fields> {
  /** The channel that the form was opened from. */
  channel: string | undefined;
  /** Nothing was done: words under fields (plain text), and the form stands. */
  again(errors: Partial<Record<FieldName<F>, string>>): Promise<void>;
}

interface Sending<F extends Fields, Kept extends Loaded> {
  send(state: State<F, Kept>): string;
}

interface Pressing<F extends Fields, Kept extends Loaded> {
  press(value: string | undefined, state: State<F, Kept>): Change<F, Kept>;
}

/** What a button inside a form does to it. */
export type Press<F extends Fields = Fields, Kept extends Loaded = Loaded> = Pressing<F, Kept>['press'];

/**
 * A form in Slack, as data and pure functions. What it does otherwise is the same for all: it is opened within the
 * trigger's life, says that the service is slow, offers [Try again], keeps every word that was typed, and comes back
 * with warnings under its fields.
 *
 * `Form` alone is any of them, and what opens, draws or submits a form knows it only so: what it hands in was read with
 * the form's own fields and schema. For that, whatever takes a state is declared as a method, also `send` and `presses`.
 */
export interface Form<F extends Fields = Fields, Kept extends Loaded = Loaded, Content = unknown> {
  /** Its callback_id, and the beginning of all its ids. */
  readonly name: string;
  /** Rises when the fields change: a form of another version is told so, and nothing of it is guessed. */
  readonly version: number;
  /** At most 24 characters. */
  readonly title: string;
  /** The title until the form has loaded: "One moment…" without. */
  readonly before?: string;
  /** The button that sends, or what it is for what stands in the form: "Send" without. */
  readonly send?: string | Sending<F, Kept>['send'];
  /** What to type for a new one, e.g. `/schedule-post`. */
  readonly command: string;
  readonly fields: F;
  readonly facts: Facts<Kept>;
  /** Fields that are not there just now; only those in `mayHide` may be. */
  readonly mayHide?: readonly FieldName<F>[];
  hidden?(state: State<F, Kept>): readonly FieldName<F>[];
  /** Blocks above the fields. */
  head?(state: State<F, Kept>): readonly KnownBlock[];
  /** Blocks below a field. */
  under?(state: State<F, Kept>): Partial<Record<FieldName<F>, readonly KnownBlock[]>>;
  /** Small print at the foot; mrkdwn. */
  readonly foot?: string;
  /** What Slack or a cache has to say of what stands in the form, in time; before it is settled or checked. */
  look?(state: State<F, Kept>, call: Call): Promise<Kept>;
  /** What else changes once the form is filled, or a live field or a press has changed it. */
  settle?(state: State<F, Kept>): Change<F, Kept>;
  /** Buttons inside the form, by what follows the form's name in their action_id. */
  readonly presses?: Readonly<Record<string, Press<F, Kept>>>;
  /** All that can be found without asking anybody. What a field finds wrong by itself comes on top of it. */
  check(state: State<F, Kept>): Checked<F, Content>;
  /**
   * The field below which time has made something else to be seen and pressed than is drawn there: where it is sent
   * all the same, the form is drawn anew instead of an error that speaks of what nobody sees.
   */
  overtaken?(state: State<F, Kept>): FieldName<F> | undefined;
  /** A second look, where this deserves one. */
  confirm?(contents: readonly Content[], state: State<F, Kept>): Confirmation | undefined;
  readonly ending: Ending<F, Kept, Content>;
}
