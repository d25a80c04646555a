import { completeStep, failStep, stepRunById } from '../interactions/steps.ts';
import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { StepRun } from '../state/saved-agents.ts';
import { type Call, type Method, neededArg, nestedArg } from './call.ts';

/** A step that is still running. A step's own token is good for no other step. */
function runningStep(call: Call): StepRun {
  const run = stepRunById(call.site, neededArg(call, 'function_execution_id'));
  if (!run) throw new Refusal('function_execution_not_found');
  const own = call.grant?.run;
  if (own !== undefined && own !== run.id) throw new Refusal('access_denied');
  if (run.state !== 'running') throw new Refusal('execution_not_in_running_state');
  return run;
}

export const functionsCompleteSuccess: Method = (call) => {
  const run = runningStep(call);
  const outputs = nestedArg(call, 'outputs', 'invalid_arguments') ?? neededArg(call, 'outputs');
  if (!isRecord(outputs)) throw new Refusal('invalid_arguments');
  completeStep(call.site, run, outputs);
  return {};
};

export const functionsCompleteError: Method = (call) => {
  const run = runningStep(call);
  failStep(call.site, run, neededArg(call, 'error'));
  return {};
};
