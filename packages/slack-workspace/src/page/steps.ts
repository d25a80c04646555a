import { useRef, useState } from 'preact/hooks';
import type { StepFunction, StepParameter } from '../app-manifest.ts';
import { computeValues, getStateField, listElements, mergeValues } from '../blocks/element-values.ts';
import { findFieldError } from '../blocks/field-errors.ts';
import { isRecord, type Json, parseJsonOrText } from '../json.ts';
import type { ElementState, StepRun, ViewValues, WithApp } from '../protocol.ts';
import { type BlockContainer, BlockContainerContext } from './block-container.ts';
import { Blocks } from './blocks/blocks.ts';
import { useDirectory } from './directory.ts';
import { createIdChoice } from './elements/choices.ts';
import { html } from './html.ts';
import { useFocusOnError } from './modal.ts';
import { ToolPanel } from './tools.ts';
import { usePage, usePageState } from './use-page.ts';

const createText = (text: string) => ({ type: 'plain_text', text });

const YES_OR_NO = [
  { text: createText('Yes'), value: 'true' },
  { text: createText('No'), value: 'false' },
];

/** The elements for types that aren't written as text. */
const ELEMENTS = new Map<string, object>([
  ['slack#/types/user_id', { type: 'users_select' }],
  ['slack#/types/channel_id', { type: 'conversations_select' }],
  ['boolean', { type: 'static_select', options: YES_OR_NO }],
  ['integer', { type: 'number_input' }],
  ['number', { type: 'number_input', is_decimal_allowed: true }],
  ['slack#/types/timestamp', { type: 'number_input' }],
]);

/** The block with which a person fills in an input of a step. */
function createInputBlock({ name, type, title, description, isRequired }: StepParameter) {
  return {
    type: 'input',
    block_id: name,
    label: createText(title),
    optional: !isRequired,
    element: { type: 'plain_text_input', ...ELEMENTS.get(type), action_id: 'value' },
    ...(description === '' ? {} : { hint: createText(description) }),
  };
}

/** Types whose values are text. */
const TEXT_TYPES =
  /^string$|^slack#\/types\/(?!rich_text|expanded_rich_text|blocks|message_context|timestamp)/;

/** Reads the state of an input as a value of this type. Undefined if the field is empty. */
function readInput(type: string, state: ElementState | undefined) {
  const value = state?.[getStateField(state.type) ?? ''] ?? '';
  const typed = String(isRecord(value) ? value.value : value);
  if (typed === '') return undefined;
  if (state?.type === 'number_input') return Number(typed);
  return TEXT_TYPES.test(type) ? typed : parseJsonOrText(typed);
}

/** The errors of the fields: block_id → text. */
function findErrors(blocks: readonly Json[], values: ViewValues): Record<string, string> {
  const states = computeValues(blocks, values);
  return Object.fromEntries(
    listElements(blocks).flatMap((placed) => {
      const state = states[placed.blockId]?.[placed.actionId];
      const error = state && findFieldError(placed, state);
      return error === undefined ? [] : [[placed.blockId, error]];
    }),
  );
}

/** The panel with the apps' workflow steps, each with a form for its inputs and a list of its runs. */
export function Steps() {
  const steps = usePageState((state) => state.workspace?.steps) ?? [];
  const runs = usePageState((state) => state.workspace?.stepRuns) ?? [];
  return html`<${ToolPanel} tool="steps" title="Workflow steps" about="Run a step of an app as a workflow would.">
    <div class="panel-body scroller">
      ${steps.map((step) => {
        const stepRuns = runs.filter((run) => isRunOf(run, step)).toReversed();
        return html`<${Step} key=${`${step.app} ${step.callbackId}`} step=${step} runs=${stepRuns} />`;
      })}
    </div>
  <//>`;
}

/** Types of inputs that Slack fills in itself. */
const FILLED_BY_SLACK = new Set(['slack#/types/interactivity', 'slack#/types/user_context']);

const isRunOf = (run: StepRun, step: StepFunction & WithApp) =>
  run.callbackId === step.callbackId && (run.app === undefined || run.app === step.app);

/** `runs` are the newest first. */
function Step({ step, runs }: { step: StepFunction & WithApp; runs: readonly StepRun[] }) {
  const { request } = usePage();
  const [values, setValues] = useState<ViewValues>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [error, setError] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const errorsSeen = useFocusOnError(form, errors, false);
  const heading = `step-${step.app}-${step.callbackId}`;
  const inputs = step.inputs.filter(({ type }) => !FILLED_BY_SLACK.has(type));
  const blocks = inputs.map(createInputBlock);
  const blockContainer: BlockContainer = {
    // A step has no view. The page needs a container only for the ids of the fields.
    container: { type: 'view', viewId: heading },
    values,
    errors,
    isInert: false,
    change: (blockId, actionId, state) => {
      setValues((before) => mergeValues(before, { [blockId]: { [actionId]: state } }));
      setErrors(({ [blockId]: _, ...others }) => others);
    },
    // The inputs of a step send no actions.
    press: async () => undefined,
    loadOptions: async () => ({ ok: true }),
    confirm: async () => true,
  };
  const run = async (event: Event) => {
    event.preventDefault();
    const found = findErrors(blocks, values);
    errorsSeen.current = 0;
    setErrors(found);
    setError('');
    if (Object.keys(found).length > 0) return;
    const given = inputs.map(({ name, type }) => [name, readInput(type, values[name]?.value)]);
    const filledIn = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    const { callbackId, botUserId: app } = step;
    const answer = await request({ act: 'run-step', app, callbackId, inputs: filledIn });
    setError(answer.ok ? '' : `This step couldn’t be run: ${answer.error}.`);
  };
  const { apps } = useDirectory();
  const owner =
    apps.length > 1 ? apps.find(({ botUserId }) => botUserId === step.botUserId)?.name : undefined;
  return html`<section class="workflow-step" aria-labelledby=${heading}>
    <h3 id=${heading}>${step.title}</h3>
    ${owner === undefined ? null : html`<p class="quiet">${owner}</p>`}
    <p class="quiet">${step.description}</p>
    <form ref=${form} onSubmit=${run}>
      <${BlockContainerContext.Provider} value=${blockContainer}>
        <${Blocks} blocks=${blocks} />
      <//>
      <p class="action-error problem" role="alert">${error}</p>
      <button type="submit" class="button button-primary">Run</button>
    </form>
    <ul class="step-runs" aria-label=${`Runs of ${step.title}`} aria-live="polite">
      ${runs.map((entry) => html`<${Run} key=${entry.id} run=${entry} outputs=${step.outputs} />`)}
    </ul>
  </section>`;
}

const STATE_TEXTS = { running: 'In progress', completed: 'Completed', failed: 'Failed' };

function Run({ run, outputs }: { run: StepRun; outputs: readonly StepParameter[] }) {
  const entries = Object.entries(run.outputs ?? {});
  const titleOf = (name: string) => outputs.find((output) => output.name === name)?.title ?? name;
  return html`<li class="box">
    <strong class=${run.state === 'failed' ? 'problem' : ''}>${STATE_TEXTS[run.state]}</strong>
    ${run.error === undefined ? null : html`<p>${run.error}</p>`}
    ${
      entries.length > 0
        ? html`<dl class="facts">${entries.map(([name, value]) => html`<dt class="quiet">${titleOf(name)}</dt><dd><${OutputValue} value=${value} /></dd>`)}</dl>`
        : null
    }
  </li>`;
}

/** The name of a person or channel. Other values are shown unchanged. */
function OutputValue({ value }: { value: unknown }) {
  const directory = useDirectory();
  return typeof value === 'string' ? createIdChoice(value, directory).label : JSON.stringify(value);
}
