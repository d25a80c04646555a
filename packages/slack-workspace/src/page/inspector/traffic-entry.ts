import { useEffect, useState } from 'preact/hooks';
import type { TrafficRecord } from '../../protocol.ts';
import { html } from '../html.ts';
import { memo } from '../memo.ts';
import { useDirectory } from '../use-directory.ts';

/** Shell variables in place of tokens, so that no secret is copied. */
const TOKEN_VARIABLES = {
  bot: '$SLACK_BOT_TOKEN',
  user: '$SLACK_USER_TOKEN',
  app: '$SLACK_APP_TOKEN',
  step: '$SLACK_STEP_TOKEN',
};
const SECRET_ARGUMENTS: Record<string, string> = {
  client_secret: '$SLACK_CLIENT_SECRET',
  refresh_token: '$SLACK_REFRESH_TOKEN',
};

/**
 * The record as a shell command with curl. A call is sent to this workspace. A request is sent to the app, signed with
 * its signing secret. `origin`: the workspace's address, without a slash at the end.
 */
export function formatCurl(record: TrafficRecord, origin: string) {
  if (record.direction === 'to-app') return formatRequest(record);
  return record.kind === 'Web API' ? formatCall(record, origin) : formatPost(record);
}

function formatCall({ label, payload, call }: TrafficRecord, origin: string) {
  const fields = Object.entries(JSON.parse(payload)).map(([name, value]) => {
    const secret = SECRET_ARGUMENTS[name];
    return `--data-urlencode ${secret ? `"${name}=${secret}"` : quote(`${name}=${formatValue(value)}`)}`;
  });
  const header = call?.token ? [`-H "Authorization: Bearer ${TOKEN_VARIABLES[call.token]}"`] : [];
  return joinLines([`curl -X POST ${quote(`${origin}/api/${label}`)}`, ...header, ...fields]);
}

/** A request to a response_url or an upload URL, which the app has received from Slack. */
function formatPost({ kind, payload }: TrafficRecord) {
  if (kind === 'upload') return joinLines(['curl -X POST "$UPLOAD_URL"', '--data-binary @"$FILE"']);
  return joinLines([
    'curl -X POST "$RESPONSE_URL"',
    "-H 'Content-Type: application/json'",
    `--data ${quote(payload)}`,
  ]);
}

/** Slack signs each request: https://docs.slack.dev/authentication/verifying-requests-from-slack. */
function formatRequest({ kind, payload }: TrafficRecord) {
  const type = kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded';
  return [
    `body=${quote(formatBody(kind, payload))}`,
    'timestamp=$(date +%s)',
    `signature=$(printf 'v0:%s:%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$SLACK_SIGNING_SECRET" | sed 's/^.* //')`,
    joinLines([
      'curl -X POST "$SLACK_REQUEST_URL"',
      `-H 'Content-Type: ${type}'`,
      '-H "X-Slack-Request-Timestamp: $timestamp"',
      '-H "X-Slack-Signature: v0=$signature"',
      '--data "$body"',
    ]),
  ].join('\n');
}

function formatBody(kind: string, payload: string) {
  if (kind === 'events_api') return payload;
  if (kind !== 'slash_commands') return new URLSearchParams({ payload }).toString();
  const fields = Object.entries(JSON.parse(payload)).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields).toString();
}

const formatValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Quotes for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const joinLines = (lines: readonly string[]) => lines.join(' \\\n  ');

/**
 * The record as JSON for a test: a request to the app with its `body` as Bolt receives it, or a call with its arguments
 * and answer.
 */
function formatFixture({ direction, kind, label, payload, answer }: TrafficRecord) {
  const parsedAnswer = answer === undefined ? undefined : JSON.parse(answer);
  const fixture =
    direction === 'to-app'
      ? { type: kind, body: JSON.parse(payload), acknowledgement: parsedAnswer }
      : { method: label, arguments: JSON.parse(payload), answer: parsedAnswer };
  return `${JSON.stringify(fixture, null, 2)}\n`;
}

/** Time for which “Copied” is visible, ms. */
const COPIED_MS = 2_000;

function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [state, setState] = useState('ready' as 'ready' | 'copied' | 'refused');
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(text())) ? 'copied' : 'refused');
  return html`<button type="button" class="button" onClick=${copy}>${label}</button>
    <span class="traffic-copied" role="status">${STATE_TEXTS[state]}</span>`;
}

const STATE_TEXTS = { ready: '', copied: 'Copied', refused: 'The browser didn’t allow it' };

/**
 * Copies a text. Resolves with whether the browser allowed it. Browsers offer the clipboard API only on loopback and
 * over HTTPS, so other addresses need `execCommand`.
 */
async function copyText(text: string) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = text;
  const { activeElement } = document;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}

const OUTCOME_TEXTS: Record<TrafficRecord['outcome'], string> = {
  waiting: 'waiting…',
  acknowledged: 'acknowledged',
  answered: 'answered',
  late: 'too late',
  failed: 'failed',
};

const DIRECTIONS = {
  'to-app': { arrow: '→', words: 'Sent to the app:' },
  'from-app': { arrow: '←', words: 'Called by the app:' },
};

/** One record. Its details are rendered only while they are open, because there are hundreds of records. */
export const TrafficEntry = memo(({ record }: { record: TrafficRecord }) => {
  const [isOpen, setOpen] = useState(false);
  const { direction, label, kind, durationMs, outcome, reason, at } = record;
  const { arrow, words } = DIRECTIONS[direction];
  return html`<li class=${`traffic-entry traffic-${outcome}`}>
      <details onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="traffic-head">
            <span class="traffic-arrow" aria-hidden="true">${arrow}</span>
            <span class="sr-only">${words}</span>
            <span class="traffic-label">${label}</span>
            <span class="traffic-ms">${durationMs === undefined ? '' : `${Math.round(durationMs)} ms`}</span>
          </span>
          <span class="traffic-about">
            <span>${kind}</span><span class="traffic-outcome">${OUTCOME_TEXTS[outcome]}${reason ? `: ${reason}` : ''}</span>
            <time>${new Date(at).toLocaleTimeString('en-GB')}</time>
          </span>
        </summary>
        ${isOpen ? html`<${Details} record=${record} />` : null}
      </details>
    </li>`;
});

function Details({ record }: { record: TrafficRecord }) {
  const { direction, payload, answer } = record;
  const isCall = direction === 'from-app';
  return html`<div class="traffic-details">
    <${Facts} record=${record} />
    <${Json} title=${isCall ? 'Arguments' : 'Payload'} json=${payload} />
    ${answer === undefined || answer === '""' ? null : html`<${Json} title=${isCall ? 'Answer' : 'Acknowledgement'} json=${answer} />`}
    <div class="traffic-copy">
      <${CopyButton} label="Copy as cURL" text=${() => formatCurl(record, location.origin)} />
      <${CopyButton} label="Copy as fixture" text=${() => formatFixture(record)} />
    </div>
  </div>`;
}

const START_FORMAT: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
};

function Facts({ record: { app, at, durationMs, call } }: { record: TrafficRecord }) {
  const { apps } = useDirectory();
  const start = new Date(at).toLocaleTimeString('en-GB', START_FORMAT);
  return html`<dl class="traffic-facts">
    ${apps.length > 1 ? html`<dt>App</dt><dd>${app}</dd>` : null}
    <dt>Start</dt>
    <dd>${start}${durationMs === undefined ? '' : `, ${durationMs} ms`}</dd>
    ${call ? html`<${TokenAndScopes} call=${call} />` : null}
  </dl>`;
}

function TokenAndScopes({
  call: { token, accepted, granted },
}: {
  call: NonNullable<TrafficRecord['call']>;
}) {
  const isMissing = accepted.length > 0 && !accepted.some((scope) => granted.includes(scope));
  return html`<dt>Token</dt>
    <dd>${token ?? 'none, or not valid'}</dd>
    <dt>Scopes</dt>
    <dd>
      ${accepted.length === 0 ? 'none needed' : accepted.join(' or ')}${isMissing ? html` <strong>not granted</strong>` : null}
    </dd>`;
}

function Json({ title, json }: { title: string; json: string }) {
  return html`<h3>${title}</h3><pre tabindex="0" aria-label=${title}>${JSON.stringify(JSON.parse(json), null, 2)}</pre>`;
}
