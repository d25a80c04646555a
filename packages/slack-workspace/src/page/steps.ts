import { useState } from 'preact/hooks';
import type { StepFunction, StepParameter } from '../app-manifest.ts';
import type { StepRun, WithApp } from '../protocol.ts';
import { getChannelTitle, useDirectory } from './directory.ts';
import { html } from './html.ts';
import { ToolPanel } from './tools.ts';
import { usePage, usePageState } from './use-page.ts';

type FieldEvent = { currentTarget: { value: string } };

/** A field for an input of a step. */
function StepInput({
  id,
  input,
  value,
  onChange,
}: {
  id: string;
  input: StepParameter;
  value: string;
  onChange: (value: string) => void;
}) {
  const { title, description, isRequired, type } = input;
  const options = useOptions(type);
  const updateValue = ({ currentTarget }: FieldEvent) => onChange(currentTarget.value);
  const descriptionId = description === '' ? undefined : `${id}-description`;
  return html`<div class="step-field">
    <label for=${id}>${title}${isRequired ? '' : html` <span class="optional">(optional)</span>`}</label>
    ${
      options
        ? html`<select id=${id} aria-describedby=${descriptionId} required=${isRequired} value=${value} onChange=${updateValue}>
            <option value="">Choose…</option>
            ${options.map((option) => html`<option key=${option.value} value=${option.value}>${option.label}</option>`)}
          </select>`
        : html`<input
            id=${id}
            aria-describedby=${descriptionId}
            type=${NUMBER_TYPES.has(type) ? 'number' : 'text'}
            step=${type === 'number' ? 'any' : undefined}
            required=${isRequired}
            value=${value}
            onInput=${updateValue}
          />`
    }
    ${descriptionId === undefined ? null : html`<p id=${descriptionId} class="step-description">${description}</p>`}
  </div>`;
}

const NUMBER_TYPES = new Set(['integer', 'number', 'slack#/types/timestamp']);

/** Types whose values are text. */
const TEXT_TYPES =
  /^string$|^slack#\/types\/(?!rich_text|expanded_rich_text|blocks|message_context|timestamp)/;

/** The options of a type. Undefined if the person types the value. */
function useOptions(type: string): { value: string; label: string }[] | undefined {
  const directory = useDirectory();
  switch (type) {
    case 'slack#/types/user_id':
      return [...directory.people.values()]
        .filter(({ deactivated }) => deactivated !== true)
        .map(({ id, realName }) => ({ value: id, label: realName }));
    case 'slack#/types/channel_id':
      return [...directory.channels.values()].map((channel) => ({
        value: channel.id,
        label: getChannelTitle(channel, directory),
      }));
    case 'boolean':
      return [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ];
    default:
      return undefined;
  }
}

/** Parses the typed text as a value of this type. Undefined if the field is empty. */
function readInput(type: string, typed: string) {
  if (typed === '') return undefined;
  if (TEXT_TYPES.test(type)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

const NO_STEPS: readonly (StepFunction & WithApp)[] = [];

const NO_RUNS: readonly StepRun[] = [];

/** The panel with the apps' workflow steps, each with a form for its inputs and a list of its runs. */
export function Steps() {
  const steps = usePageState((state) => state.workspace?.steps) ?? NO_STEPS;
  const runs = usePageState((state) => state.workspace?.stepRuns) ?? NO_RUNS;
  return html`<${ToolPanel} tool="steps" title="Workflow steps" about="Run a step of an app as a workflow would.">
    <div class="workflow-steps">
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
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [error, setError] = useState('');
  const inputs = step.inputs.filter(({ type }) => !FILLED_BY_SLACK.has(type));
  const run = async (event: Event) => {
    event.preventDefault();
    const values = inputs.map((input) => [input.name, readInput(input.type, typed[input.name] ?? '')]);
    const filledIn = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    const { callbackId, botUserId: app } = step;
    const answer = await request({ act: 'run-step', app, callbackId, inputs: filledIn });
    setError(answer.ok ? '' : `This step couldn’t be run: ${answer.error}.`);
  };
  const { apps } = useDirectory();
  const heading = `step-${step.app}-${step.callbackId}`;
  const owner =
    apps.length > 1 ? apps.find(({ botUserId }) => botUserId === step.botUserId)?.name : undefined;
  return html`<section class="workflow-step" aria-labelledby=${heading}>
    <h3 id=${heading}>${step.title}</h3>
    ${owner === undefined ? null : html`<p>${owner}</p>`}
    <p>${step.description}</p>
    <form onSubmit=${run}>
      ${inputs.map(
        (input) => html`<${StepInput}
          key=${input.name}
          id=${`${heading}-${input.name}`}
          input=${input}
          value=${typed[input.name] ?? ''}
          onChange=${(value: string) => setTyped((before) => ({ ...before, [input.name]: value }))}
        />`,
      )}
      <p class="action-error" role="alert">${error}</p>
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
  return html`<li>
    <p class=${`step-state step-${run.state}`}>${STATE_TEXTS[run.state]}</p>
    ${run.error === undefined ? null : html`<p>${run.error}</p>`}
    ${
      entries.length > 0
        ? html`<dl>${entries.map(([name, value]) => html`<dt>${titleOf(name)}</dt><dd><${OutputValue} value=${value} /></dd>`)}</dl>`
        : null
    }
  </li>`;
}

/** The name of a person or channel. Other values are shown unchanged. */
function OutputValue({ value }: { value: unknown }) {
  const directory = useDirectory();
  if (typeof value !== 'string') return JSON.stringify(value);
  const channel = directory.channels.get(value);
  return directory.people.get(value)?.realName ?? (channel ? getChannelTitle(channel, directory) : value);
}
