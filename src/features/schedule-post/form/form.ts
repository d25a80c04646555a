import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import { PRACTICE } from '../../../posts/post-card.ts';
import { projectOptions } from '../../../posts/project.ts';
import { actions, button, context, plain, quoted, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { actionId, blockId, type Field, FORM, FORM_VERSION } from './fields.ts';
import type { FormFacts, Loaded, Typed } from './form-facts.ts';
import { platformSelect, statusRadio, templateSelect, textInput, whenInput, zoneSelect } from './inputs.ts';

export const RELOAD = `${FORM}.reload`;
const TITLE = plain('Schedule a post', LIMITS.viewTitle);
/** Of the view that stands there until the form does. */
const BEFORE = plain('New post', LIMITS.viewTitle);
const ONCE_SENT = 'It cannot be changed or removed from here once it is sent.';

/** Everything that a form shows. */
export interface FormState {
  formId: string;
  loaded: Loaded;
  typed: Typed;
  generation: number;
  whenLine: string;
  practice: boolean;
  now: Date;
  /** What happened, on top; mrkdwn. */
  banner?: string;
  /** What the service said besides, below that. */
  others?: string;
  /** What the service found wrong, under its field; from the service, so escaped here. */
  warnings?: Partial<Record<Field, string>>;
}

/** What Slack keeps of a form: its version and its opaque id. */
function formMetadata(formId: string): string {
  return `${FORM_VERSION}.${formId}`;
}

/** The id of a form of this version; undefined for every other. */
export function formIdOf(metadata: string): string | undefined {
  const [version, id] = metadata.split('.');
  return version === String(FORM_VERSION) && id !== undefined && id !== '' ? id : undefined;
}

export function blankForm(loaded: Loaded, prefill: NonNullable<FormFacts['prefill']> = {}): Typed {
  const { template } = prefill;
  // One that is no longer there is not chosen.
  const project = loaded.projects.find(({ id }) => id === prefill.project?.id);
  return {
    ...(project && { project }),
    text: prefill.text ?? '',
    platforms: prefill.platforms ?? [],
    status: prefill.status ?? 'SCHEDULED',
    when: prefill.when ?? '',
    zone: prefill.zone ?? loaded.readerZone ?? '',
    media: prefill.media ?? '',
    ...(template && { template }),
    prompt: prefill.prompt ?? '',
  };
}

/** Shown at once, within the three seconds of the trigger. */
export function loadingView(text: string, retry?: { formId: string }): ModalView {
  return {
    type: 'modal',
    title: BEFORE,
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [section(text), ...(retry ? [actions(button('Try again', RELOAD, retry.formId))] : [])],
  };
}

export function buildForm(state: FormState): ModalView {
  const { typed, warnings = {} } = state;
  const fields: [Field, AnyBlock][] = [
    ['project', projectBlock(state)],
    [
      'text',
      input(state, 'text', 'Text', textInput('text', typed.text, { multiline: true }), { optional: true }),
    ],
    [
      'platforms',
      input(state, 'platforms', 'Platforms', platformSelect(typed.platforms), { optional: true }),
    ],
    ['status', input(state, 'status', 'Save as', statusRadio(typed.status))],
    ['when', input(state, 'when', 'When', whenInput(typed.when), { optional: true, dispatch: true })],
    [
      'zone',
      input(state, 'zone', 'Time zone', zoneSelect(typed.zone, state.now), {
        optional: true,
        dispatch: true,
      }),
    ],
    ['media', input(state, 'media', 'Media', textInput('media', typed.media), mediaHint)],
    ['template', input(state, 'template', 'Template', templateSelect(typed.template), { optional: true })],
    ['prompt', input(state, 'prompt', 'Prompt', textInput('prompt', typed.prompt), promptHint)],
  ];
  const blocks = fields.flatMap(([field, block]) => [
    block,
    ...(field === 'when' ? [{ ...context(state.whenLine), block_id: `when-line.${state.generation}` }] : []),
    ...(warnings[field] === undefined ? [] : [context(plain(`⚠️ ${warnings[field]}`))]),
  ]);
  return {
    type: 'modal',
    callback_id: FORM,
    private_metadata: formMetadata(state.formId),
    title: TITLE,
    submit: plain('Send', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      ...(state.banner === undefined ? [] : [section(state.banner)]),
      ...(state.others ? [quoted(state.others)] : []),
      ...blocks,
      context(ONCE_SENT, ...(state.practice ? [PRACTICE] : [])),
    ],
  };
}

const mediaHint = {
  optional: true,
  hint: 'One reference, for example the address of a picture. It is passed on as it is.',
};
const promptHint = { optional: true, hint: 'The id of a stored prompt.' };

function input(
  state: FormState,
  field: Field,
  label: string,
  element: InputBlock['element'],
  options: { optional?: boolean; dispatch?: boolean; hint?: string } = {},
): InputBlock {
  return {
    type: 'input',
    block_id: blockId(field, state.generation),
    label: plain(label, LIMITS.inputLabel),
    element,
    optional: options.optional ?? false,
    ...(options.dispatch && { dispatch_action: true }),
    ...(options.hint !== undefined && { hint: plain(options.hint, LIMITS.inputHint) }),
  };
}

function projectBlock(state: FormState): AnyBlock {
  const { loaded, typed } = state;
  const { projects, chosen, more } = loaded;
  if (projects.length === 1 && !more && chosen) {
    return {
      ...context(plain(`Project: ${chosen.name}`)),
      block_id: `project-shown.${state.generation}`,
    };
  }
  const wanted = typed.project ?? chosen;
  // What was found by searching need not be among the first.
  const known = projects.find(({ id }) => id === wanted?.id) ?? (more ? wanted : undefined);
  const [initial] = projectOptions(known ? [known] : []);
  const common = {
    action_id: actionId('project'),
    placeholder: plain('Choose a project', LIMITS.placeholder),
    ...(initial && { initial_option: initial }),
  };
  return input(
    state,
    'project',
    'Project',
    more
      ? { type: 'external_select', min_query_length: 0, ...common }
      : { type: 'static_select', options: projectOptions(projects), ...common },
  );
}
