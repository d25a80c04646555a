import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { LARGEST_BODY, readBytes } from './read-body.ts';

/**
 * The arguments of a Web API call, and what Slack refuses or warns about before it looks at them
 * (docs.slack.dev/apis/web-api; the errors and warnings are the same on each method's page).
 */
interface CallArguments {
  args: Json;
  /** Sent as an argument. A JSON body can't contain it. */
  token: string | undefined;
  warnings: readonly string[];
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';
const POST_TYPES = [JSON_TYPE, FORM, MULTIPART, 'text/plain'];
const CHARSETS = ['utf-8', 'iso-8859-1'];
/** Longer names are refused. Slack doesn't say from which length: our own choice. */
const MAX_NAME_LENGTH = 255;

/** Arguments that JSON may give as lists. Every other one is a string, a number or a boolean. */
const LISTS = new Set(
  'attachments blocks channel_ids chunks file_ids files loading_messages metadata_keys_to_include prompts user_ids'.split(
    ' ',
  ),
);

function postType(request: IncomingMessage): MIMEType {
  const given = request.headers['content-type'];
  if (given === undefined) throw new Refusal('missing_post_type');
  const type = parsedType(given);
  if (!type || !POST_TYPES.includes(type.essence)) throw new Refusal('invalid_post_type');
  const charset = type.params.get('charset');
  if (charset !== null && !CHARSETS.includes(charset.toLowerCase())) throw new Refusal('invalid_charset');
  return type;
}

function parsedType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

/** Forms have no charset; other types should say theirs. */
function charsetWarnings({ essence, params }: MIMEType): string[] {
  const isForm = essence === FORM || essence === MULTIPART;
  if (isForm === !params.has('charset')) return [];
  return [isForm ? 'superfluous_charset' : 'missing_charset'];
}

function jsonArguments(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  if (!isRecord(value)) throw new Refusal('json_not_object');
  return value;
}

/** Files in a form are left out: no method that is here reads one. */
async function multipartArguments(body: Buffer, type: MIMEType): Promise<Json> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': String(type) } })
    .formData()
    .catch(() => {
      throw new Refusal('invalid_form_data');
    });
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

function demandNames(args: Json): void {
  for (const [name, value] of Object.entries(args)) {
    const isList = /\[\w*\]$/.test(name) || (Array.isArray(value) && !LISTS.has(name));
    if (isList) throw new Refusal('invalid_array_arg');
    if (!/^\w+$/.test(name) || name.length > MAX_NAME_LENGTH) throw new Refusal('invalid_arg_name');
  }
}

async function readPost(request: IncomingMessage, query: Json, takesJson: boolean): Promise<CallArguments> {
  const body = await readBytes(request, LARGEST_BODY);
  const { token: queried, ...asked } = query;
  if (body.length === 0) return { args: asked, token: textOf(queried), warnings: [] };
  const type = postType(request);
  const warnings = charsetWarnings(type);
  if (type.essence === JSON_TYPE) {
    // Arguments of the address aren't mixed with JSON, and the token stays in its header.
    const { token: _, ...args } = takesJson ? jsonArguments(decode(body, type)) : {};
    demandNames(args);
    return { args, token: undefined, warnings };
  }
  const form =
    type.essence === FORM
      ? Object.fromEntries(new URLSearchParams(decode(body, type)))
      : type.essence === MULTIPART
        ? await multipartArguments(body, type)
        : {};
  const { token, ...args } = { ...query, ...form };
  demandNames(args);
  return { args, token: textOf(token), warnings };
}

function decode(body: Buffer, type: MIMEType): string {
  return new TextDecoder(type.params.get('charset') ?? 'utf-8').decode(body);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Throws a {@link Refusal} for a request that Slack doesn't understand. */
export async function readArguments(
  request: IncomingMessage,
  url: URL,
  takesJson: boolean,
): Promise<CallArguments> {
  const query: Json = Object.fromEntries(url.searchParams);
  demandNames(query);
  if (request.method === 'POST') return readPost(request, query, takesJson);
  // The body of a GET says nothing.
  request.resume();
  const { token, ...args } = query;
  return { args, token: textOf(token), warnings: [] };
}
