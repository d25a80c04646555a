import { findStepRun } from '../interactions/run-step.ts';
import type { Json } from '../json.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannelByName, findPersonByName } from '../state/directory.ts';
import type { StepRun } from '../state/saved-agents.ts';
import type { StepFunction } from '../step-function.ts';
import { ActingError } from './acting-error.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** Replaces names of people and channels by their ids. */
export function resolveInputs(site: Site, { inputs }: StepFunction, given: Json): Json {
  const types = new Map(inputs.map(({ name, type }) => [name, type]));
  const entries = Object.entries(given).map(([name, value]) => {
    const type = types.get(name);
    const text = String(value);
    if (type === 'slack#/types/user_id') return [name, findPersonByName(site, text)?.id ?? value];
    return [name, type === 'slack#/types/channel_id' ? (findChannelByName(site, text)?.id ?? value) : value];
  });
  return Object.fromEntries(entries);
}

/** A run of an app's step by a person in a test. */
export class Step {
  readonly #site: Site;
  readonly #person: Person;
  /** `Fx…` */
  readonly id: string;

  constructor(site: Site, person: Person, id: string) {
    this.#site = site;
    this.#person = person;
    this.id = id;
  }

  /** Waits until the step is completed. Rejects if it fails. */
  async outputs(options: WaitOptions = {}): Promise<Json> {
    const { error, outputs = {} } = await this.#end(options);
    if (error !== undefined) throw new ActingError('step_failed', `The step failed: ${error}`);
    return outputs;
  }

  /** Waits until the step fails. Rejects if it is completed. */
  async error(options: WaitOptions = {}): Promise<string> {
    const { error, outputs } = await this.#end(options);
    if (error !== undefined) return error;
    throw new ActingError('step_completed', `The step was completed: ${JSON.stringify(outputs)}`);
  }

  #end(options: WaitOptions): Promise<StepRun> {
    const find = () => findStepRun(this.#site, this.id);
    return waitFor(this.#site, this.#person.id, {
      description: 'the end of the step',
      find: () => {
        const run = find();
        return run?.state === 'running' ? undefined : run;
      },
      readVisible: () => `The step is ${find()?.state}`,
      ...options,
    });
  }
}
