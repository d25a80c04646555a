import { refuseArguments } from '../accept-content.ts';
import type { Json } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import type { SlackState } from '../slack-state.ts';
import type { Channel, Workspace } from '../workspace.ts';

export interface Call {
  state: SlackState;
  workspace: Workspace;
  args: Json;
  scopes: readonly string[];
  token: string;
}

/** Returns the fields of the answer beside `ok`. Throws a {@link Refusal} for an error. */
export type Method = (call: Call) => Json;

/** The methods of a family with the scopes that they need. Other scopes depend on the conversation. */
export type Methods = Readonly<Record<string, readonly [Method, scope?: string]>>;

/** Undefined for an argument that is missing or empty. */
export function readText({ args }: Call, name: string): string | undefined {
  const value = args[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readRequired(call: Call, name: string): string {
  const value = readText(call, name);
  if (value === undefined) throw refuseArguments([`[ERROR] missing required field: ${name}`]);
  return value;
}

export function isFlagSet({ args }: Call, name: string): boolean {
  return args[name] === true || args[name] === 'true' || args[name] === '1';
}

/** A list or an object, which is JSON in a form. */
export function readJson({ args }: Call, name: string, errorCode: string): unknown {
  const value = args[name];
  if (typeof value !== 'string') return value ?? undefined;
  if (value === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal(errorCode);
  }
}

export const SCOPE_NAMES = { public: 'channels', private: 'groups', im: 'im' } as const;

export function requireScope({ scopes }: Pick<Call, 'scopes'>, needed: string): void {
  if (!scopes.includes(needed)) throw new Refusal('missing_scope', { needed, provided: scopes.join(',') });
}

/** Finds a conversation that the app can see. It sees private ones only as a member. */
export function readChannel(call: Call): Channel {
  const channel = call.workspace.channels.get(readRequired(call, 'channel'));
  if (!channel || (channel.kind === 'private' && !channel.botIsMember))
    throw new Refusal('channel_not_found');
  return channel;
}

export const MAX_PAGE = 1_000;

/** A page of items. A cursor is the index of the first one. */
export function paginate<T>(
  call: Call,
  items: readonly T[],
  defaultSize = 100,
): { page: readonly T[]; next: Json } {
  const start = Number(readText(call, 'cursor') ?? 0);
  if (!Number.isInteger(start) || start < 0 || start > items.length) throw new Refusal('invalid_cursor');
  const limit = Number(readText(call, 'limit') ?? 0);
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_PAGE) throw new Refusal('invalid_limit');
  const end = start + (limit === 0 ? defaultSize : limit);
  const next_cursor = end < items.length ? String(end) : '';
  return { page: items.slice(start, end), next: { response_metadata: { next_cursor } } };
}
