import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import { listWords } from '../words.ts';
import { RESPONSE_URL, type SlackFaultPlan, type SlackFaults } from './slack-faults.ts';

const WRITE_METHODS = listWords(
  `chat.postMessage chat.postEphemeral chat.update views.open views.push views.update views.publish ${RESPONSE_URL}`,
);

/** A common value of Slack's. */
const RETRY_AFTER_SECONDS = 30;

const SLACK_CHOICES: readonly (FaultChoice & { plan: SlackFaultPlan })[] = [
  {
    id: 'drops',
    label: 'Drops the connection after accepting',
    notice: 'Slack accepts calls, but drops the connection instead of answering.',
    plan: { webApi: [{ fault: 'cut', commit: 'first', method: WRITE_METHODS }] },
  },
  {
    id: 'too-many',
    label: 'Answers “too many requests”',
    notice: 'Slack answers every call with “too many requests”.',
    plan: { webApi: [{ fault: 'rate-limited', retryAfter: RETRY_AFTER_SECONDS }] },
  },
  {
    id: 'duplicates',
    label: 'Delivers everything twice',
    notice: 'Slack delivers every command, action, form and event twice.',
    plan: { deliveries: [{ fault: 'duplicate' }] },
  },
  {
    id: 'expired',
    label: 'Answers that triggers have expired',
    notice: 'Slack opens no forms, and answers that the trigger has expired.',
    plan: { webApi: [{ fault: 'expired-trigger', spelling: 'expired_trigger_id' }] },
  },
  {
    id: 'conflict',
    label: 'Answers that views have changed',
    notice: 'Slack updates no forms and no Home tabs, and answers that they have changed.',
    plan: {
      webApi: [{ fault: 'error', error: 'hash_conflict', method: ['views.update', 'views.publish'] }],
    },
  },
];

/** Time for a system beside Slack to turn a fault on or off. */
const EXTERNAL_TIMEOUT_MS = 5_000;

const SLACK_ID = 'slack';

/** The fault switches of the page: one for Slack, and one for each system beside it. */
export class FaultSwitches {
  readonly #faults: () => readonly SlackFaults[];
  readonly #onChange: (switches: FaultSwitch[]) => void;
  /** Switch id → choice id. */
  readonly #chosen = new Map<string, string>();
  #external: readonly ExternalSwitch[] = [];

  constructor(faults: () => readonly SlackFaults[], onChange: (switches: FaultSwitch[]) => void) {
    this.#faults = faults;
    this.#onChange = onChange;
  }

  get all(): FaultSwitch[] {
    const slack = { id: SLACK_ID, label: 'Slack', choices: SLACK_CHOICES };
    return [...this.#external, slack].map(({ id, label, choices }) => {
      const chosen = this.#chosen.get(id);
      return {
        id,
        label,
        choices: choices.map((choice) => ({ id: choice.id, label: choice.label, notice: choice.notice })),
        ...(chosen === undefined ? {} : { chosen }),
      };
    });
  }

  offer(external: readonly ExternalSwitch[]): void {
    this.#external = external;
    this.#onChange(this.all);
  }

  /** Turns a fault on or, without a choice, off. Refuses with `not_found` or `switch_unreachable`. */
  async choose(id: string, choice: string | undefined): Promise<void> {
    const external = this.#external.find((each) => each.id === id);
    if (external) await sendChoice(external, choice);
    else if (id === SLACK_ID) this.#chooseSlack(choice);
    else throw new Refusal('not_found');
    if (choice === undefined) this.#chosen.delete(id);
    else this.#chosen.set(id, choice);
    this.#onChange(this.all);
  }

  /** Turns all faults off. A system that can't be reached keeps its fault. */
  async clear(): Promise<void> {
    await Promise.allSettled([...this.#chosen.keys()].map((id) => this.choose(id, undefined)));
  }

  #chooseSlack(choice: string | undefined): void {
    const found = SLACK_CHOICES.find((each) => each.id === choice);
    if (choice !== undefined && !found) throw new Refusal('not_found');
    for (const faults of this.#faults()) faults.set(found?.plan ?? {});
  }
}

async function sendChoice(
  { url, token, choices, resetBody }: ExternalSwitch,
  choice: string | undefined,
): Promise<void> {
  const found = choices.find((each) => each.id === choice);
  if (choice !== undefined && !found) throw new Refusal('not_found');
  const response = await fetch(url, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(found ? found.body : resetBody),
    redirect: 'error',
    signal: AbortSignal.timeout(EXTERNAL_TIMEOUT_MS),
  }).catch(() => undefined);
  if (!response?.ok) throw new Refusal('switch_unreachable');
}

type FaultChoice = Omit<z.infer<typeof choice>, 'body'>;

/** A system on the page that people can make fail. */
export interface FaultSwitch {
  id: string;
  label: string;
  choices: FaultChoice[];
  /** The id of the fault that is on. */
  chosen?: string;
}

const choice = z.object({
  id: z.string(),
  label: z.string(),
  /** The text of the banner that everyone sees while the fault is on. */
  notice: z.string(),
  /** The JSON that turns the fault on. */
  body: z.unknown(),
});

/** A switch for a system beside Slack. To turn a fault on or off, the workspace sends JSON to `url` with PUT. */
export const externalSwitch = z.object({
  id: z.string(),
  label: z.string(),
  url: z.url(),
  token: z.string(),
  choices: z.array(choice).readonly(),
  /** The JSON that turns all faults off. */
  resetBody: z.unknown(),
});

export type ExternalSwitch = z.infer<typeof externalSwitch>;
