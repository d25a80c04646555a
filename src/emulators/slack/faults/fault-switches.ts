import { Refusal } from '../refusal.ts';
import type { FaultSwitch } from './fault-switch.ts';
import type { OutsideSwitch } from './outside-switch.ts';
import { SLACK_CHOICES } from './slack-choices.ts';
import type { SlackFaults } from './slack-faults.ts';

/** What is outside answers at once, or not at all. */
const OUTSIDE_MS = 5_000;

const SLACK = 'slack';

/** The switches on the page: Slack's own, and those of what stands beside it. */
export class FaultSwitches {
  readonly #faults: SlackFaults;
  readonly #changed: (switches: FaultSwitch[]) => void;
  readonly #chosen = new Map<string, string>();
  #outside: readonly OutsideSwitch[] = [];

  /** `changed` is told whenever something is switched. */
  constructor(faults: SlackFaults, changed: (switches: FaultSwitch[]) => void) {
    this.#faults = faults;
    this.#changed = changed;
  }

  get all(): FaultSwitch[] {
    const own = { id: SLACK, label: 'Slack', choices: SLACK_CHOICES };
    return [...this.#outside, own].map(({ id, label, choices }) => {
      const chosen = this.#chosen.get(id);
      return {
        id,
        label,
        choices: choices.map((choice) => ({ id: choice.id, label: choice.label, says: choice.says })),
        ...(chosen === undefined ? {} : { chosen }),
      };
    });
  }

  offer(outside: readonly OutsideSwitch[]): void {
    this.#outside = outside;
    this.#changed(this.all);
  }

  /** Undefined: as usual again. Refuses where there is no such choice, or what is outside cannot be told. */
  async choose(id: string, choice: string | undefined): Promise<void> {
    const outside = this.#outside.find((one) => one.id === id);
    if (outside) await tell(outside, choice);
    else if (id === SLACK) this.#chooseSlack(choice);
    else throw new Refusal('not_found');
    if (choice === undefined) this.#chosen.delete(id);
    else this.#chosen.set(id, choice);
    this.#changed(this.all);
  }

  /** Everything as usual again, as far as it can be told. */
  async clear(): Promise<void> {
    await Promise.allSettled([...this.#chosen.keys()].map((id) => this.choose(id, undefined)));
  }

  #chooseSlack(choice: string | undefined): void {
    const found = SLACK_CHOICES.find((one) => one.id === choice);
    if (choice !== undefined && !found) throw new Refusal('not_found');
    this.#faults.set(found?.plan ?? {});
  }
}

async function tell(
  { url, token, choices, usual }: OutsideSwitch,
  choice: string | undefined,
): Promise<void> {
  const found = choices.find((one) => one.id === choice);
  if (choice !== undefined && !found) throw new Refusal('not_found');
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(found ? found.body : usual),
    redirect: 'error',
    signal: AbortSignal.timeout(OUTSIDE_MS),
  }).catch(() => undefined);
  if (!answer?.ok) throw new Refusal('switch_unreachable');
}
