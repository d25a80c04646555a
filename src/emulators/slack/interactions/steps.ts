import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { endStepToken, findStepToken, grantStepToken } from '../state/grants.ts';
import { makeId, makeSecret } from '../state/ids.ts';
import { getHolder } from '../state/organisations.ts';
import type { StepRun } from '../state/saved-agents.ts';
import type { StepFunction, StepParameter } from '../step-function.ts';
import { eventTs, sendEvent } from './send-event.ts';
import { FILLED_BY_SLACK, valueProblems } from './step-values.ts';

/**
 * A token of a step ends when the step does (slackapi/bolt-python #1075). slack-samples/bolt-js-custom-step-template still
 * updates a message right after that, so there is some time left; how much is our own choice.
 */
const TOKEN_GRACE_MS = 5_000;

export function stepRunById(site: Site, id: string): StepRun | undefined {
  return site.state.stepRuns.find((run) => run.id === id);
}

export function stepRunsOf(site: Site, person: string): StepRun[] {
  return site.state.stepRuns.filter((run) => run.person === person);
}

function functionOf(site: Site, callbackId: string): StepFunction {
  const found = site.manifest.functions.find((one) => one.callbackId === callbackId);
  if (!found) throw new Refusal('function_not_found');
  return found;
}

function parameterParts(parameters: readonly StepParameter[]): Json[] {
  return parameters.map(({ name, type, title, description, isRequired }) => ({
    type,
    name,
    description,
    title,
    is_required: isRequired,
  }));
}

/** A function as its event names it (recorded by bolt-python, tests/scenario_tests/test_function.py). */
function functionPart(site: Site, { callbackId, title, description, inputs, outputs }: StepFunction): Json {
  const hash = createHash('sha256').update(callbackId).digest('hex').toUpperCase();
  return {
    id: `Fn${hash.slice(0, 9)}`,
    callback_id: callbackId,
    title,
    description,
    type: 'app',
    input_parameters: parameterParts(inputs),
    output_parameters: parameterParts(outputs),
    app_id: site.state.app.id,
    date_created: 1_700_000_000,
    date_updated: 1_700_000_000,
    date_deleted: 0,
  };
}

function interactivity(person: string, pointer: string): Json {
  return { interactor: { secret: makeSecret(16), id: person }, interactivity_pointer: pointer };
}

function filledInputs(site: Site, person: string, { inputs }: StepFunction, given: Json): Json {
  const filled = inputs.flatMap(({ name, type }) => {
    if (type === 'slack#/types/interactivity')
      return [[name, interactivity(person, site.triggers.make(person))]];
    return type === 'slack#/types/user_context' ? [[name, { id: person, secret: makeSecret(16) }]] : [];
  });
  return { ...given, ...Object.fromEntries(filled) };
}

function tellRuns(site: Site, person: string): void {
  site.touch();
  site.audience.sendTo([person], { type: 'step_runs', runs: stepRunsOf(site, person) });
}

/** A person runs a step of the app, as a workflow would. It is done when the app says so. */
export function runStep(site: Site, person: string, callbackId: string, given: Json): StepRun {
  if (!site.manifest.events.includes('function_executed')) {
    throw new Refusal('not_subscribed_to_function_executed');
  }
  const about = functionOf(site, callbackId);
  const typed = about.inputs.filter(({ type }) => !FILLED_BY_SLACK.has(type));
  const [problem] = valueProblems(typed, given);
  if (problem !== undefined) throw new Refusal(problem);
  const run: StepRun = {
    id: makeId('Fx'),
    workflow: makeId('Wx'),
    callbackId,
    title: about.title,
    person,
    inputs: filledInputs(site, person, about, given),
    state: 'running',
    startedAt: site.now(),
  };
  site.state.stepRuns.push(run);
  const scopes = site.manifest.scopes ?? [];
  const grant = grantStepToken(
    site.slack,
    { holder: getHolder(site), user: site.state.app.botUserId, run: run.id, scopes },
    site.now(),
  );
  tellRuns(site, person);
  sendEvent(site, 'function_executed', {
    type: 'function_executed',
    function: functionPart(site, about),
    inputs: run.inputs,
    function_execution_id: run.id,
    workflow_execution_id: run.workflow,
    event_ts: eventTs(site),
    bot_access_token: grant.token,
  });
  return run;
}

function endRun(site: Site, run: StepRun): void {
  tellRuns(site, run.person);
  site.runAfter(TOKEN_GRACE_MS, () => endStepToken(site.slack, run.id));
}

/** The app has done the step. Refuses outputs that the manifest doesn't allow. */
export function completeStep(site: Site, run: StepRun, outputs: Json): void {
  const messages = valueProblems(functionOf(site, run.callbackId).outputs, outputs);
  if (messages.length > 0)
    throw new Refusal('parameter_validation_failed', { response_metadata: { messages } });
  Object.assign(run, { state: 'completed', outputs });
  endRun(site, run);
}

/** The app couldn't do the step: Slackbot says so to the person (docs.slack.dev/reference/methods/functions.completeError). */
export function failStep(site: Site, run: StepRun, error: string): void {
  Object.assign(run, { state: 'failed', error });
  endRun(site, run);
  site.audience.sendTo([run.person], { type: 'notice', text: `“${run.title}” failed: ${error}` });
}

/**
 * What an interaction has where a step made the message or form (bolt-python, tests/scenario_tests/test_function_*.py).
 * Those of forms name the function by its callback_id only.
 */
export function stepPart(
  site: Site,
  person: string,
  { run: runId, pointer, isForm }: { run: string | undefined; pointer: string; isForm: boolean },
): Json {
  const run = runId === undefined ? undefined : stepRunById(site, runId);
  if (!run) return {};
  const about = isForm
    ? { callback_id: run.callbackId }
    : functionPart(site, functionOf(site, run.callbackId));
  return {
    function_data: { execution_id: run.id, function: about, inputs: run.inputs },
    interactivity: interactivity(person, pointer),
    bot_access_token: findStepToken(site.slack, run.id),
  };
}
