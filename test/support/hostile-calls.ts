import { METHODS } from 'slack-workspace-emulator';
import { HOSTILE_VALUES } from 'slack-workspace-emulator/test-support/hostile-values';
import { createRandom, type Random } from './random.ts';

/** All but those that end the token. */
const CALLED = [...METHODS.keys()].filter((name) => name !== 'auth.revoke' && name !== 'apps.uninstall');
const NAMES = ['', 'constructor', '__proto__', 'chat.sing', 'chat.postMessage/', '%00', 'x'.repeat(2_000)];
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'nonsense; =',
];
const ARGUMENTS = [
  ...'attachments blocks channel channels cursor files latest limit metadata name post_at text'.split(' '),
  ...'thread_ts trigger_id ts types user users view view_id __proto__'.split(' '),
];

function drawArguments(random: Random): [string, unknown][] {
  return Array.from({ length: random.drawInteger(6) }, () => [
    random.pick(ARGUMENTS),
    random.pick(HOSTILE_VALUES),
  ]);
}

function drawBody(random: Random): string {
  const args = drawArguments(random);
  const json = JSON.stringify(Object.fromEntries(args));
  const toForm = (write: (value: unknown) => string) =>
    new URLSearchParams(args.map(([name, value]): [string, string] => [name, write(value)])).toString();
  return random.pick([
    json,
    json.slice(0, random.drawInteger(json.length + 1)),
    toForm(JSON.stringify),
    toForm(String),
    `--x\r\nContent-Disposition: form-data; name="channel"\r\n\r\n${json}\r\n--x--\r\n`,
    '%&=&[]=%zz&users[0]=1',
    '['.repeat(100_000),
    '',
  ]);
}

/** Calls the Web API with random bodies. Returns the responses that are neither JSON with `ok` nor a refusal by HTTP. */
export async function sendHostileCalls(
  url: string,
  token: string,
  { seed, count }: { seed: number; count: number },
): Promise<string[]> {
  const random = createRandom(seed);
  const wrong: string[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const method = random.drawBoolean(0.9) ? random.pick(CALLED) : random.pick(NAMES);
    const query = random.drawBoolean(0.2) ? `?${encodeURIComponent(random.pick(ARGUMENTS))}=%ff` : '';
    const [type, body] = [random.pick(TYPES), drawBody(random)];
    const response = await fetch(`${url}api/${method}${query}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${token}` },
      body: new TextEncoder().encode(body),
    });
    const text = await response.text();
    if (response.status >= 500 || (response.ok && !/^\{"ok":(true|false)/.test(text))) {
      wrong.push(`${response.status} to ${method} (${type}, ${body.slice(0, 300)}): ${text.slice(0, 100)}`);
    }
  }
  return wrong;
}
