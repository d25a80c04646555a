import type { Action } from './recording.ts';

/** A request, call or action that differs between the recording and the replay. */
export interface Difference {
  /** The last action before it, such as `1. Ana: /schedule-post`. */
  after: string;
  change: 'missing' | 'extra' | 'changed' | 'refused';
  /** Such as `chat.postMessage`. */
  label: string;
  details: string[];
}

export interface ReplayReport {
  /** The number of actions. */
  actions: number;
  /** The number of recorded requests and calls that the replay also has, with or without changes. */
  matched: number;
  differences: Difference[];
}

/** Further details of a difference aren't printed. */
const MAX_DETAILS = 5;

const CHANGES: Record<Difference['change'], string> = {
  missing: 'missing',
  extra: 'new',
  changed: 'changed',
  refused: 'different',
};

/** Describes a replay for people. */
export function formatReport({ actions, matched, differences }: ReplayReport): string {
  const actionCount = actions === 1 ? '1 action' : `${actions} actions`;
  const matchCount = matched === 1 ? '1 request or call' : `${matched} requests and calls`;
  const summary = `${actionCount}, ${matchCount} as recorded`;
  if (differences.length === 0) return `${summary}. Nothing differs.`;
  const lines = differences.map(({ after, change, label, details }) =>
    [
      `${after}: ${label} is ${CHANGES[change]}`,
      ...details.slice(0, MAX_DETAILS).map((detail) => `  ${detail}`),
      ...(details.length > MAX_DETAILS ? [`  and ${details.length - MAX_DETAILS} more`] : []),
    ].join('\n'),
  );
  const differenceCount = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return [`${summary}. ${differenceCount}:`, ...lines].join('\n');
}

/** Such as `presses approve`. */
export function describeAction({ request }: Action): string {
  switch (request.act) {
    case 'command':
    case 'message':
      return request.text;
    case 'press':
      return `presses ${request.actionId}`;
    case 'options':
      return `searches ${request.actionId} for “${request.value}”`;
    case 'submit':
      return 'submits a form';
    case 'close':
      return 'closes a form';
    case 'react':
      return `reacts with :${request.name}:`;
    case 'shortcut':
      return `uses the shortcut ${request.callbackId}`;
    case 'upload':
      return `uploads ${request.name}`;
    default:
      return request.act;
  }
}
